//! Time series and materials.

use solfec::load::{Reading, Series};
use solfec::material::{BulkMaterial, SurfaceMaterial, SurfaceModel, Varying, INCOMPRESSIBLE};
use solfec::model::Model;

use super::checked::{not_negative, positive, Table};
use super::rows::{collect, column, offsets};
use crate::error::Result;
use crate::store::Out;

solfec::table! {
    /// Time series.
    pub(super) struct SeriesRows("time series", "ts") {
        label: String = "timeseries/label", "1", "label of the series, '' if none" .optional();
        reading: u8 = "timeseries/reading", "1", "what the series is of its points; see below"
            .names(r#"{"VALUE": 0, "DERIVATIVE": 1, "INTEGRAL": 2}"#) .optional();
    }
}

solfec::table! {
    /// Where the points of each series are.
    pub(super) struct SeriesOffsets("time series", "ts + 1") {
        offset: u64 = "timeseries/offset", "1", "points of series i are rows offset[i] .. offset[i+1]";
    }
}

solfec::table! {
    /// Points of time series.
    pub(super) struct SeriesPoints("points of series", "points") {
        t: f64 = "timeseries/t", "s", "times, strictly increasing within a series";
        v: f64 = "timeseries/v", "1", "values, in the unit of what the series drives";
    }
}

solfec::table! {
    /// Bulk materials.
    pub(super) struct BulkRows("bulk materials", "b") row Bulk {
        label: String = "materials/bulk/label", "1", "label" .optional();
        model: String = "materials/bulk/model", "1", "material model: KIRCHHOFF" .optional();
        young: f64 = "materials/bulk/young", "Pa", "Young's modulus > 0";
        poisson: f64 = "materials/bulk/poisson", "1", "Poisson's ratio, > -1 and <= 1/2 (bodies that deform: < 1/2)";
        density: f64 = "materials/bulk/density", "kg/m3", "mass density > 0";
        tensile: f64 = "materials/bulk/tensile", "Pa", "tensile strength, may be inf" .optional();
        fracene: f64 = "materials/bulk/fracene", "J/m2", "fracture energy, may be inf" .optional();
    }
}

solfec::table! {
    /// Surface materials.
    pub(super) struct SurfaceRows("surface materials", "s") row Surface {
        label: String = "materials/surface/label", "1", "label" .optional();
        surf1: i32 = "materials/surface/surf1", "1", "surface id; 2147483647: any surface";
        surf2: i32 = "materials/surface/surf2", "1", "surface id; 2147483647: any surface";
        model: String = "materials/surface/model", "1", "contact law: SIGNORINI_COULOMB or SPRING_DASHPOT";
        friction: f64 = "materials/surface/friction", "1", "Coulomb friction >= 0";
        cohesion: f64 = "materials/surface/cohesion", "N/m2", "cohesion >= 0" .optional();
        restitution: f64 = "materials/surface/restitution", "1", "Newton restitution in [0, 1]" .optional();
        spring: f64 = "materials/surface/spring", "N/m", "spring per contact point >= 0" .optional();
        dashpot: f64 = "materials/surface/dashpot", "N s/m", "dashpot per contact point; negative: critical" .optional();
        hpow: f64 = "materials/surface/hpow", "1", "Hertz power >= 1" .optional();
    }
}

pub(super) fn write_series(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let rows =
        SeriesRows { label: column(&m.series, |s| s.label.clone()), reading: column(&m.series, |s| s.reading() as u8) };
    let plain = m.series.iter().all(|s| s.reading() == Reading::Value);
    out.put_table_without(at, &rows, if plain { &["reading"] } else { &[] })?;
    out.put_table(at, &SeriesOffsets { offset: offsets(m.series.iter().map(|s| s.times().len())) })?;
    let points = SeriesPoints { t: collect(&m.series, |s| s.times()), v: collect(&m.series, |s| s.values()) };
    out.put_table(at, &points)
}

pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let mut bulk = BulkRows::default();
    for b in &m.bulk {
        bulk.push(Bulk {
            label: b.label.clone(),
            model: "KIRCHHOFF".into(),
            young: b.young,
            poisson: b.poisson,
            density: b.density,
            tensile: b.tensile,
            fracene: b.fracene,
        });
    }
    out.put_table(at, &bulk)?;
    let mut surface = SurfaceRows::default();
    for s in &m.surface {
        let law = match s.model {
            SurfaceModel::SignoriniCoulomb => "SIGNORINI_COULOMB",
            SurfaceModel::SpringDashpot => "SPRING_DASHPOT",
        };
        surface.push(Surface {
            label: s.label.clone(),
            surf1: s.surf[0],
            surf2: s.surf[1],
            model: law.into(),
            friction: s.friction,
            cohesion: s.cohesion,
            restitution: s.restitution,
            spring: s.spring,
            dashpot: s.dashpot,
            hpow: s.hpow,
        });
    }
    out.put_table(at, &surface)
}

pub(super) fn series(t: &Table) -> Result<Vec<Series>> {
    if !t.has("timeseries/offset") {
        return Ok(Vec::new());
    }
    let SeriesPoints { t: times, v: values } = t.table(|_| {})?;
    let offsets = t.offsets("timeseries/offset", None, times.len())?;
    let labels = t.texts_or("timeseries/label", offsets.len() - 1)?;
    let readings = t.column_or("timeseries/reading", labels.len(), 0u8)?;
    t.check("timeseries/t", &times, "finite", f64::is_finite)?;
    t.check("timeseries/v", &values, "finite", f64::is_finite)?;
    let mut all = Vec::with_capacity(labels.len());
    for (i, (label, w)) in labels.into_iter().zip(offsets.windows(2)).enumerate() {
        let (times, values) = (&times[w[0]..w[1]], &values[w[0]..w[1]]);
        if times.is_empty() {
            return t.wrong_row("timeseries/offset", i, "a series without points; a constant has one");
        }
        if let Some(k) = times.windows(2).position(|p| p[0] >= p[1]) {
            return t.wrong_row("timeseries/t", w[0] + k + 1, "times of a series must increase");
        }
        let reading = match readings[i] {
            0 => Reading::Value,
            1 => Reading::Derivative,
            2 => Reading::Integral,
            other => return t.wrong_row("timeseries/reading", i, format!("{other} is not the number of a reading")),
        };
        match Series::new(label, times.to_vec(), values.to_vec()).and_then(|series| series.read_as(reading)) {
            Ok(series) => all.push(series),
            Err(e) => return t.wrong_row("timeseries/offset", i, e.to_string()),
        }
    }
    Ok(all)
}

pub(super) fn bulk(t: &Table) -> Result<Vec<BulkMaterial>> {
    let rows: BulkRows = t.table(|plain: &mut BulkRows| {
        plain.tensile[0] = f64::INFINITY;
        plain.fracene[0] = f64::INFINITY;
    })?;
    if let Some(i) = rows.model.iter().position(|model| !model.is_empty() && model != "KIRCHHOFF") {
        let text = format!("unknown material model '{}'; KIRCHHOFF is known", rows.model[i]);
        return t.wrong_row("materials/bulk/model", i, text);
    }
    t.check("materials/bulk/young", &rows.young, "positive", positive)?;
    t.check("materials/bulk/poisson", &rows.poisson, "greater than -1 and at most 1/2", |x| {
        x > -1.0 && x <= INCOMPRESSIBLE
    })?;
    t.check("materials/bulk/density", &rows.density, "positive", positive)?;
    t.check("materials/bulk/tensile", &rows.tensile, "positive or zero, or inf", |x| x >= 0.0)?;
    t.check("materials/bulk/fracene", &rows.fracene, "positive or zero, or inf", |x| x >= 0.0)?;
    let material = |i: usize| {
        let Bulk { label, model: _, young, poisson, density, tensile, fracene } = rows.row(i);
        BulkMaterial { label, young, poisson, density, tensile, fracene, varying: Varying::default() }
    };
    Ok((0..rows.young.len()).map(material).collect())
}

pub(super) fn surface(t: &Table) -> Result<Vec<SurfaceMaterial>> {
    let rows: SurfaceRows = t.table(|plain: &mut SurfaceRows| plain.hpow[0] = 1.0)?;
    let at = |name: &str| format!("materials/surface/{name}");
    for (name, column) in [("friction", &rows.friction), ("cohesion", &rows.cohesion), ("spring", &rows.spring)] {
        t.check(&at(name), column, "positive or zero", not_negative)?;
    }
    t.check(&at("restitution"), &rows.restitution, "in [0, 1]", |x| (0.0..=1.0).contains(&x))?;
    t.check(&at("dashpot"), &rows.dashpot, "finite", f64::is_finite)?;
    t.check(&at("hpow"), &rows.hpow, "at least 1", |x| x >= 1.0 && x.is_finite())?;
    let n = rows.surf1.len();
    let mut all = Vec::with_capacity(n + 1);
    for i in 0..n {
        let row = rows.row(i);
        let model = match row.model.as_str() {
            "SIGNORINI_COULOMB" => SurfaceModel::SignoriniCoulomb,
            "SPRING_DASHPOT" => SurfaceModel::SpringDashpot,
            other => {
                let text = format!("unknown contact law '{other}'; SIGNORINI_COULOMB and SPRING_DASHPOT are known");
                return t.wrong_row(&at("model"), i, text);
            }
        };
        all.push(SurfaceMaterial {
            surf: [row.surf1.min(row.surf2), row.surf1.max(row.surf2)],
            label: row.label,
            model,
            friction: row.friction,
            cohesion: row.cohesion,
            restitution: row.restitution,
            spring: row.spring,
            dashpot: row.dashpot,
            hpow: row.hpow,
        });
    }
    let any = SurfaceMaterial::default();
    if all.first().is_none_or(|m| m.surf != any.surf) {
        if all.iter().any(|m| m.surf == any.surf) {
            return t.wrong(&at("surf1"), "the pair (any, any) must be row 0");
        }
        all.insert(0, any);
    }
    Ok(all)
}
