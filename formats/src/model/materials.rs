//! Time series and materials.

use solfec::load::{Reading, Series};
use solfec::material::{BulkMaterial, SurfaceMaterial, SurfaceModel, INCOMPRESSIBLE};
use solfec::model::Model;

use super::checked::{not_negative, positive, Table};
use super::rows::{collect, column, offsets};
use crate::error::Result;
use crate::store::Out;

pub(super) fn write_series(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let labels: Vec<&str> = m.series.iter().map(|s| s.label.as_str()).collect();
    out.put_text(at, "timeseries/label", &labels)?;
    out.put(at, "timeseries/offset", &offsets(m.series.iter().map(|s| s.times().len())))?;
    out.put(at, "timeseries/t", &collect(&m.series, |s| s.times()))?;
    out.put(at, "timeseries/v", &collect(&m.series, |s| s.values()))?;
    if m.series.iter().any(|s| s.reading() != Reading::Value) {
        out.put(at, "timeseries/reading", &column(&m.series, |s| s.reading() as u8))?;
    }
    Ok(())
}

pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let labels: Vec<&str> = m.bulk.iter().map(|b| b.label.as_str()).collect();
    out.put_text(at, "materials/bulk/label", &labels)?;
    out.put_text(at, "materials/bulk/model", &vec!["KIRCHHOFF"; m.bulk.len()])?;
    out.put(at, "materials/bulk/young", &column(&m.bulk, |b| b.young))?;
    out.put(at, "materials/bulk/poisson", &column(&m.bulk, |b| b.poisson))?;
    out.put(at, "materials/bulk/density", &column(&m.bulk, |b| b.density))?;
    out.put(at, "materials/bulk/tensile", &column(&m.bulk, |b| b.tensile))?;
    out.put(at, "materials/bulk/fracene", &column(&m.bulk, |b| b.fracene))?;

    let labels: Vec<&str> = m.surface.iter().map(|s| s.label.as_str()).collect();
    let laws = column(&m.surface, |s| match s.model {
        SurfaceModel::SignoriniCoulomb => "SIGNORINI_COULOMB",
        SurfaceModel::SpringDashpot => "SPRING_DASHPOT",
    });
    out.put_text(at, "materials/surface/label", &labels)?;
    out.put_text(at, "materials/surface/model", &laws)?;
    out.put(at, "materials/surface/surf1", &column(&m.surface, |s| s.surf[0]))?;
    out.put(at, "materials/surface/surf2", &column(&m.surface, |s| s.surf[1]))?;
    out.put(at, "materials/surface/friction", &column(&m.surface, |s| s.friction))?;
    out.put(at, "materials/surface/cohesion", &column(&m.surface, |s| s.cohesion))?;
    out.put(at, "materials/surface/restitution", &column(&m.surface, |s| s.restitution))?;
    out.put(at, "materials/surface/spring", &column(&m.surface, |s| s.spring))?;
    out.put(at, "materials/surface/dashpot", &column(&m.surface, |s| s.dashpot))?;
    out.put(at, "materials/surface/hpow", &column(&m.surface, |s| s.hpow))
}

pub(super) fn series(t: &Table) -> Result<Vec<Series>> {
    if !t.has("timeseries/offset") {
        return Ok(Vec::new());
    }
    let times = t.from.get::<f64>(&t.base, "timeseries/t")?;
    let values = t.column::<f64>("timeseries/v", times.len())?;
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
    if !t.has("materials/bulk/young") {
        return Ok(Vec::new());
    }
    let young = t.from.get::<f64>(&t.base, "materials/bulk/young")?;
    let n = young.len();
    let labels = t.texts_or("materials/bulk/label", n)?;
    for (i, model) in t.texts_or("materials/bulk/model", n)?.iter().enumerate() {
        if !model.is_empty() && model != "KIRCHHOFF" {
            return t.wrong_row(
                "materials/bulk/model",
                i,
                format!("unknown material model '{model}'; KIRCHHOFF is known"),
            );
        }
    }
    let poisson = t.column::<f64>("materials/bulk/poisson", n)?;
    let density = t.column::<f64>("materials/bulk/density", n)?;
    let tensile = t.column_or("materials/bulk/tensile", n, f64::INFINITY)?;
    let fracene = t.column_or("materials/bulk/fracene", n, f64::INFINITY)?;
    t.check("materials/bulk/young", &young, "positive", positive)?;
    t.check("materials/bulk/poisson", &poisson, "greater than -1 and at most 1/2", |x| x > -1.0 && x <= INCOMPRESSIBLE)?;
    t.check("materials/bulk/density", &density, "positive", positive)?;
    t.check("materials/bulk/tensile", &tensile, "positive or zero, or inf", |x| x >= 0.0)?;
    t.check("materials/bulk/fracene", &fracene, "positive or zero, or inf", |x| x >= 0.0)?;
    let row = |(i, label): (usize, String)| BulkMaterial {
        label,
        young: young[i],
        poisson: poisson[i],
        density: density[i],
        tensile: tensile[i],
        fracene: fracene[i],
    };
    Ok(labels.into_iter().enumerate().map(row).collect())
}

pub(super) fn surface(t: &Table) -> Result<Vec<SurfaceMaterial>> {
    if !t.has("materials/surface/surf1") {
        return Ok(vec![SurfaceMaterial::default()]);
    }
    let at = |name: &str| format!("materials/surface/{name}");
    let surf1 = t.from.get::<i32>(&t.base, &at("surf1"))?;
    let n = surf1.len();
    let surf2 = t.column::<i32>(&at("surf2"), n)?;
    let labels = t.texts_or(&at("label"), n)?;
    let models = t.texts(&at("model"), n)?;
    let friction = t.column::<f64>(&at("friction"), n)?;
    let cohesion = t.column_or(&at("cohesion"), n, 0.0)?;
    let restitution = t.column_or(&at("restitution"), n, 0.0)?;
    let spring = t.column_or(&at("spring"), n, 0.0)?;
    let dashpot = t.column_or(&at("dashpot"), n, 0.0)?;
    let hpow = t.column_or(&at("hpow"), n, 1.0)?;
    for (name, rows) in [("friction", &friction), ("cohesion", &cohesion), ("spring", &spring)] {
        t.check(&at(name), rows, "positive or zero", not_negative)?;
    }
    t.check(&at("restitution"), &restitution, "in [0, 1]", |x| (0.0..=1.0).contains(&x))?;
    t.check(&at("dashpot"), &dashpot, "finite", f64::is_finite)?;
    t.check(&at("hpow"), &hpow, "at least 1", |x| x >= 1.0 && x.is_finite())?;
    let mut all = Vec::with_capacity(n + 1);
    for (i, label) in labels.into_iter().enumerate() {
        let model = match models[i].as_str() {
            "SIGNORINI_COULOMB" => SurfaceModel::SignoriniCoulomb,
            "SPRING_DASHPOT" => SurfaceModel::SpringDashpot,
            other => {
                let text = format!("unknown contact law '{other}'; SIGNORINI_COULOMB and SPRING_DASHPOT are known");
                return t.wrong_row(&at("model"), i, text);
            }
        };
        all.push(SurfaceMaterial {
            surf: [surf1[i].min(surf2[i]), surf1[i].max(surf2[i])],
            label,
            model,
            friction: friction[i],
            cohesion: cohesion[i],
            restitution: restitution[i],
            spring: spring[i],
            dashpot: dashpot[i],
            hpow: hpow[i],
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
