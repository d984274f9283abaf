//! `sf-build --export json`: a model that people can read, without coordinates.

use serde_json::{json, Value as Json};
use solfec::material::{BulkMaterial, Field, FieldValues, Varying};
use solfec::model::{BodyRow, ConstraintRow, Joint, LoadKind, Model, SpringLaw};
use solfec::shape::Geometry;

/// All models as one JSON document.
pub fn dump(models: &[Model]) -> String {
    let domains: Vec<Json> = models.iter().map(domain).collect();
    let document = json!({"schema": "sf-build-model/1", "domains": domains});
    format!("{document:#}\n")
}

fn domain(m: &Model) -> Json {
    let s = &m.settings;
    json!({
        "name": m.name,
        "analysis": format!("{:?}", m.analysis),
        "step": m.step,
        "output_path": m.output_path,
        "compat": m.compat,
        "settings": {
            "geometric_epsilon": s.epsilon,
            "gravity": s.gravity,
            "extents": s.extents,
            "penetration_depth": real(s.penetration_depth),
            "contact_points": s.contact_points,
            "balance": {"tolerance": s.balance.tolerance, "weightfactor": s.balance.weightfactor,
                "updatefreq": s.balance.updatefreq},
            "sparsify": {"threshold": s.sparsify.threshold, "minarea": s.sparsify.minarea, "mindist": s.sparsify.mindist},
            "excluded_bodies": s.excluded_bodies,
            "excluded_surfaces": s.excluded_surfaces,
            "excluded_objects": s.excluded_objects,
        },
        "series": m.series.iter().map(|s| json!({"label": s.label, "t": s.times(), "v": s.values()})).collect::<Vec<_>>(),
        "fields": m.fields.iter().map(field).collect::<Vec<_>>(),
        "bulk_materials": m.bulk.iter().map(|b| bulk(m, b)).collect::<Vec<_>>(),
        "surface_materials": m.surface,
        "geometries": m.library.iter().map(|g| geometry(g)).collect::<Vec<_>>(),
        "bodies": m.bodies.iter().map(|b| body(m, b)).collect::<Vec<_>>(),
        "constraints": m.constraints.iter().map(constraint).collect::<Vec<_>>(),
        "loads": m.loads.iter().map(|l| load(&l.kind, l.body)).collect::<Vec<_>>(),
        "functions": m.functions.iter().map(|f| json!({
            "number": f.function, "name": f.name, "kind": format!("{:?}", f.kind), "line": f.line,
        })).collect::<Vec<_>>(),
        "program": m.program,
    })
}

fn field(field: &Field) -> Json {
    let values = match &field.values {
        FieldValues::Function { function } => json!({"function": function}),
        FieldValues::Steady => json!("steady function"),
        FieldValues::Table(table) => json!({"axes": table.axes(), "values": table.values()}),
    };
    json!({"label": field.label, "values": values})
}

/// The label of a field stands for a number.
fn bulk(m: &Model, b: &BulkMaterial) -> Json {
    let label = |row: u32| m.fields.get(row as usize).map_or("", |field| field.label.as_str());
    let value = |number: f64, field: Option<u32>| field.map_or(json!(number), |row| json!({"field": label(row)}));
    let Varying { young, poisson, density } = b.varying;
    json!({
        "label": b.label,
        "young": value(b.young, young),
        "poisson": value(b.poisson, poisson),
        "density": value(b.density, density),
    })
}

/// ±inf and NaN as texts, as everywhere in our JSON.
fn real(x: f64) -> Json {
    if x.is_finite() {
        json!(x)
    } else {
        json!(if x.is_nan() {
            "nan"
        } else if x > 0.0 {
            "inf"
        } else {
            "-inf"
        })
    }
}

fn geometry(g: &Geometry) -> Json {
    let mut all = json!({"kind": g.kind().name()});
    for (name, value) in g.sizes() {
        all[name] = json!(value);
    }
    all
}

fn body(m: &Model, b: &BodyRow) -> Json {
    let geometries: Vec<u32> =
        m.shapes[b.shapes.start as usize..b.shapes.end as usize].iter().map(|s| s.geometry).collect();
    json!({
        "id": b.id,
        "label": b.label,
        "kind": format!("{:?}", b.kind),
        "scheme": b.scheme,
        "material": m.bulk.get(b.material as usize).map(|m| &m.label),
        "geometries": geometries,
        "mass": b.chars.mass,
        "volume": b.chars.volume,
        "center": b.chars.center.as_slice(),
        "tensor": b.chars.tensor.as_slice(),
        "damping": b.damping,
        "conf": b.conf,
        "velo": b.velo,
        "line": b.line,
    })
}

fn constraint(c: &ConstraintRow) -> Json {
    let what = match &c.joint {
        Joint::FixPoint { strength } => json!({"kind": "FIXPNT", "strength": real(*strength)}),
        Joint::FixDirection { direction } => json!({"kind": "FIXDIR", "direction": direction.as_slice()}),
        Joint::Drive { what, direction, series } => {
            json!({"kind": "VELODIR", "what": format!("{what:?}"), "direction": direction.as_slice(), "series": series})
        }
        Joint::Drive3 { what, base, series } => {
            json!({"kind": "VELODIR3", "what": format!("{what:?}"), "base": base.as_slice(), "series": series})
        }
        Joint::RigidLink { strength } => json!({"kind": "RIGLNK", "strength": real(*strength)}),
        Joint::Spring { law, axis, limits } => json!({
            "kind": "SPRING", "axis": format!("{axis:?}"), "limits": limits.map(real),
            "law": match law {
                SpringLaw::Linear { stiffness, damping } => json!({"stiffness": stiffness, "damping": damping}),
                SpringLaw::Table { series } => json!({"series": series}),
                SpringLaw::Function { function } => json!({"function": function}),
            },
        }),
    };
    let points = c.points.map(|p| [p.x, p.y, p.z]);
    json!({"body1": c.master, "body2": c.slave, "points": points, "joint": what, "line": c.line})
}

fn load(kind: &LoadKind, body: u64) -> Json {
    match kind {
        LoadKind::Force { convected, point, direction, value } => json!({
            "kind": "FORCE", "body": body, "convected": convected, "point": point.as_slice(),
            "direction": direction.as_slice(), "series": value,
        }),
        LoadKind::Torque { convected, direction, value } => json!({
            "kind": "TORQUE", "body": body, "convected": convected, "direction": direction.as_slice(), "series": value,
        }),
        LoadKind::Pressure { surface, value, follower } => json!({
            "kind": "PRESSURE", "body": body, "surface": surface, "series": value, "follower": follower,
        }),
        LoadKind::Function { function } => json!({"kind": "FORCE", "body": body, "function": function}),
    }
}
