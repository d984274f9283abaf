//! Settings of a domain: attributes of its group, gravity, and what never touches.

use solfec::domain::Balance;
use solfec::model::{Model, CONTACT_POINTS};

use super::checked::{not_negative, positive, Table};
use crate::error::Result;
use crate::store::Out;

solfec::table! {
    /// Gravity.
    pub(super) struct GravityRows("components of gravity", "3") {
        series: i64 = "gravity", "1", "rows of timeseries for the components of gravity [m/s2]; absent: none" .optional();
    }
}

solfec::table! {
    /// Bodies that never touch.
    pub(super) struct ExcludedBodies("excluded pairs", "pairs") {
        pair: [u64; 2] = "contact_exclude/bodies", "1", "pairs of body ids that never touch" .optional();
    }
}

solfec::table! {
    /// Surfaces that never touch.
    pub(super) struct ExcludedSurfaces("excluded pairs", "pairs") {
        pair: [i32; 2] = "contact_exclude/surfaces", "1", "pairs of surface ids that never touch" .optional();
    }
}

solfec::table! {
    /// Convex parts that never touch.
    pub(super) struct ExcludedObjects("excluded objects", "pairs") {
        pair: [u64; 4] = "contact_exclude/objects", "1",
            "pairs of convex parts that never touch: body id and object index of one and of the other" .optional();
    }
}

pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let s = &m.settings;
    out.set_numbers(at, "step", &[m.step])?;
    out.set_numbers(at, "geometric_epsilon", &[s.epsilon])?;
    out.set_numbers(at, "penetration_depth", &[s.penetration_depth])?;
    out.set_numbers(at, "step_recovery", &[f64::from(u8::from(s.step_recovery))])?;
    let sparsify = [s.sparsify.threshold, s.sparsify.minarea, s.sparsify.mindist];
    out.set_numbers(at, "sparsify", &sparsify)?;
    out.set_numbers(at, "contact_points", &[f64::from(s.contact_points)])?;
    out.set_numbers(at, "projected_area", &[f64::from(u8::from(s.sparsify.projected))])?;
    let Balance { tolerance, weightfactor, updatefreq } = s.balance;
    out.set_numbers(at, "balance", &[tolerance, weightfactor, f64::from(updatefreq)])?;
    if let Some(extents) = &s.extents {
        out.set_numbers(at, "extents", extents)?;
    }
    if let Some(gravity) = s.gravity {
        out.put_table(at, &GravityRows { series: gravity.map(i64::from).to_vec() })?;
    }
    out.put_table(at, &ExcludedBodies { pair: s.excluded_bodies.clone() })?;
    out.put_table(at, &ExcludedSurfaces { pair: s.excluded_surfaces.clone() })?;
    out.put_table(at, &ExcludedObjects { pair: s.excluded_objects.clone() })
}

pub(super) fn epsilon(t: &Table, m: &mut Model) -> Result<()> {
    if let Some(epsilon) = t.number("geometric_epsilon")? {
        if !positive(epsilon) {
            return t.wrong("@geometric_epsilon", format!("{epsilon}, but a positive length is wanted"));
        }
        m.settings.epsilon = epsilon;
    }
    Ok(())
}

pub(super) fn read(t: &Table, m: &mut Model) -> Result<()> {
    let s = &mut m.settings;
    if let Some(depth) = t.number("penetration_depth")? {
        if depth.is_nan() || depth <= 0.0 {
            return t.wrong("@penetration_depth", format!("{depth}, but a positive length or inf is wanted"));
        }
        s.penetration_depth = depth;
    }
    if let Some(number) = t.number("contact_points")? {
        if number.fract() != 0.0 || !(1.0..=f64::from(CONTACT_POINTS)).contains(&number) {
            return t.wrong("@contact_points", format!("{number}, but 1 .. {CONTACT_POINTS} is wanted"));
        }
        s.contact_points = number as u32;
    }
    s.sparsify.projected = t.number("projected_area")?.is_some_and(|on| on != 0.0);
    s.step_recovery = t.number("step_recovery")?.is_some_and(|on| on != 0.0);
    if let Some([threshold, minarea, mindist]) = t.from.numbers::<3>(&t.base, "sparsify")? {
        if !(0.0..=1.0).contains(&threshold) || !not_negative(minarea) || !not_negative(mindist) {
            return t.wrong("@sparsify", "threshold in [0, 1], least area and least distance >= 0 are wanted");
        }
        s.sparsify.threshold = threshold;
        s.sparsify.minarea = minarea;
        s.sparsify.mindist = mindist;
    }
    if let Some([tolerance, weightfactor, updatefreq]) = t.from.numbers::<3>(&t.base, "balance")? {
        let whole = updatefreq.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&updatefreq);
        s.balance = Balance { tolerance, weightfactor, updatefreq: if whole { updatefreq as u32 } else { 0 } };
        if let Some((name, wanted)) = s.balance.fault() {
            return t.wrong("@balance", format!("{name} must be {wanted}"));
        }
    }
    s.extents = t.from.numbers::<6>(&t.base, "extents")?;
    if let Some(e) = s.extents {
        if (0..3).any(|i| e[i].is_nan() || e[i + 3].is_nan() || e[i] >= e[i + 3]) {
            return t.wrong("@extents", format!("{e:?}, but xmin ymin zmin < xmax ymax zmax is wanted"));
        }
    }
    let GravityRows { series } = t.table(|_| {})?;
    if t.has("gravity") {
        let rows = t.rows("gravity", series, 3)?;
        t.indices("gravity", &rows, m.series.len(), "timeseries")?;
        s.gravity = Some([rows[0] as u32, rows[1] as u32, rows[2] as u32]);
    }
    s.excluded_bodies = t.table::<ExcludedBodies>(|_| {})?.pair;
    s.excluded_surfaces = t.table::<ExcludedSurfaces>(|_| {})?.pair;
    s.excluded_objects = t.table::<ExcludedObjects>(|_| {})?.pair;
    for (i, [p, a, q, b]) in s.excluded_objects.iter().enumerate() {
        let missing = |id: &&u64| m.bodies.binary_search_by_key(*id, |b| b.id).is_err();
        if let Some(id) = [p, q].into_iter().find(missing) {
            return t.wrong_row("contact_exclude/objects", i, format!("no body has the id {id}"));
        }
        if let Some(object) = [a, b].into_iter().find(|&&object| u32::try_from(object).is_err()) {
            return t.wrong_row("contact_exclude/objects", i, format!("{object} is no object index"));
        }
    }
    for (i, pair) in s.excluded_bodies.iter().enumerate() {
        if let Some(id) = pair.iter().find(|&&id| m.bodies.binary_search_by_key(&id, |b| b.id).is_err()) {
            return t.wrong_row("contact_exclude/bodies", i, format!("no body has the id {id}"));
        }
    }
    Ok(())
}
