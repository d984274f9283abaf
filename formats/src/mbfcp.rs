//! MBFCP, the text format of MBFCP_EXPORT in Solfec 1.0, with numbers in full and vertices counted from 0.

use std::fmt::Write;

use solfec::load::Series;
use solfec::material::{SurfaceMaterial, SurfaceModel, ANY};
use solfec::math::{Mat3, Vec3};
use solfec::model::{BodyKind, BodyRow, ConstraintRow, Joint, LoadKind, LoadRow, Model, Prescribed};
use solfec::shape::{Convex, Mesh, Shape};

/// A model as MBFCP text: its tables, without operations.
///
/// # Errors
/// A body has a load that is a function, a material varies by a field.
pub fn mbfcp(model: &Model) -> Result<String, String> {
    let mut out = String::new();
    line(&mut out, "SURFACE_MATERIALS", model.surface.len());
    model.surface.iter().for_each(|m| surface_material(&mut out, m));
    line(&mut out, "BULK_MATERIALS", model.bulk.len());
    for m in &model.bulk {
        if m.varying.any() {
            return Err(format!(
                "material '{}' varies by a FIELD, which MBFCP does not know; give it numbers",
                m.label
            ));
        }
        line(&mut out, "LABEL", &m.label);
        line(&mut out, "MODEL", "KIRCHHOFF");
        line(&mut out, "YOUNG", m.young);
        line(&mut out, "POISSON", m.poisson);
        line(&mut out, "DENSITY", m.density);
    }
    line(&mut out, "GRAVITY", "");
    match model.settings.gravity {
        Some(rows) => rows.iter().for_each(|&row| series(&mut out, &model.series[row as usize])),
        None => (0..3).for_each(|_| line(&mut out, "CONSTANT", 0)),
    }
    line(&mut out, "BODIES", model.bodies.len());
    for b in &model.bodies {
        body(&mut out, model, b)?;
    }
    line(&mut out, "CONSTRAINTS", model.constraints.len());
    for (row, c) in model.constraints.iter().enumerate() {
        line(&mut out, "ID", row + 1);
        constraint(&mut out, model, c);
    }
    Ok(out)
}

fn line(out: &mut String, key: &str, value: impl std::fmt::Display) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{key}:\t{value}");
}

fn numbers<'a>(out: &mut String, values: impl IntoIterator<Item = &'a f64>) {
    let texts: Vec<String> = values.into_iter().map(f64::to_string).collect();
    *out += &texts.join("\t");
    out.push('\n');
}

fn vector(out: &mut String, key: &str, v: &Vec3) {
    let _ = write!(out, "{key}:\t");
    numbers(out, v);
}

fn series(out: &mut String, series: &Series) {
    let (times, values) = (series.times(), series.values());
    if let [value] = values {
        return line(out, "CONSTANT", value);
    }
    line(out, "TIME_SERIES", times.len());
    times.iter().zip(values).for_each(|(t, v)| numbers(out, [t, v]));
}

fn surface_material(out: &mut String, m: &SurfaceMaterial) {
    for (key, surf) in [("SURF1", m.surf[0]), ("SURF2", m.surf[1])] {
        match surf {
            ANY => line(out, key, "ANY"),
            id => line(out, key, id),
        }
    }
    match m.model {
        SurfaceModel::SignoriniCoulomb => line(out, "MODEL", "SIGNORINI_COULOMB"),
        SurfaceModel::SpringDashpot => line(out, "MODEL", "SPRING_DASHPOT"),
    }
    line(out, "FRICTION", m.friction);
    line(out, "COHESION", m.cohesion);
    match m.model {
        SurfaceModel::SignoriniCoulomb => line(out, "RESTITUTION", m.restitution),
        SurfaceModel::SpringDashpot => {
            line(out, "SPRING", m.spring);
            line(out, "DASHPOT", m.dashpot);
        }
    }
}

fn body(out: &mut String, model: &Model, b: &BodyRow) -> Result<(), String> {
    line(out, "ID", b.id);
    line(out, "LABEL", if b.label.is_empty() { "(null)" } else { &b.label });
    let kind = match b.kind {
        BodyKind::Obstacle => "OBSTACLE",
        BodyKind::Rigid => "RIGID",
        BodyKind::PseudoRigid => "PSEUDO_RIGID",
        BodyKind::FiniteElement => "FINITE_ELEMENT",
    };
    line(out, "KINEMATICS", kind);
    line(out, "BULK_MATERIAL", model.bulk.get(b.material as usize).map_or("(null)", |m| &m.label));
    shapes(out, &model.shapes_of(b).collect::<Vec<_>>()).map_err(|what| format!("body {}: {what}", b.id))?;
    out.push_str("VELOCITY:\t");
    let mut described = b.clone();
    let beside = model.body_row(b.id).into_iter().flat_map(|row| model.descriptions(row));
    beside.into_iter().try_for_each(|op| described.describe(op)).map_err(|e| format!("body {}: {e}", b.id))?;
    if described.velo.is_empty() {
        numbers(out, &[0.0; 6]);
    } else {
        numbers(out, &described.velo);
    }
    let loads: Vec<&LoadRow> = model.loads.iter().filter(|load| load.body == b.id).collect();
    line(out, "FORCES", loads.len());
    for load in loads {
        force(out, model, b, load)?;
    }
    Ok(())
}

fn shapes(out: &mut String, shapes: &[Shape]) -> Result<(), String> {
    if shapes.iter().any(|s| s.geometry.ellipsoid().is_some()) {
        return Err("the format has no ellipsoids; use spheres or meshes".into());
    }
    let convexes = shapes.iter().filter_map(|s| Some((s, s.geometry.convex()?)));
    let meshes = shapes.iter().filter_map(|s| Some((s, s.geometry.mesh()?)));
    let spheres = shapes.iter().filter_map(|s| Some((s, s.geometry.sphere()?)));
    let counts = [convexes.clone().count(), meshes.clone().count(), spheres.clone().count()];
    line(out, "SHAPES", counts.iter().filter(|&&n| n > 0).count());
    if counts[0] > 0 {
        line(out, "CONVEXES", counts[0]);
        convexes.for_each(|(shape, c)| convex(out, shape, c));
    }
    if counts[1] > 0 {
        line(out, "MESHES", counts[1]);
        meshes.for_each(|(shape, m)| mesh(out, shape, m));
    }
    if counts[2] > 0 {
        line(out, "SPHERES", counts[2]);
        for (shape, ball) in spheres {
            vector(out, "CENTER", &shape.point(&ball.center));
            line(out, "RADIUS", ball.radius);
            line(out, "SURFID", ball.surfid);
        }
    }
    Ok(())
}

fn points(out: &mut String, key: &str, shape: &Shape, points: &[Vec3]) {
    line(out, key, points.len());
    points.iter().for_each(|x| numbers(out, &shape.point(x)));
}

/// A record of a face or element: number of vertices, vertices, id.
fn record(out: &mut String, nodes: impl ExactSizeIterator<Item = u32>, id: i32) {
    let _ = write!(out, "{}\t", nodes.len());
    nodes.for_each(|n| {
        let _ = write!(out, "{n}\t");
    });
    let _ = writeln!(out, "{id}");
}

fn convex(out: &mut String, shape: &Shape, c: &Convex) {
    points(out, "VERTEXES", shape, &c.vertices);
    line(out, "FACES", c.faces.len());
    c.faces.iter().for_each(|f| record(out, f.nodes.iter().copied(), f.surfid));
}

fn mesh(out: &mut String, shape: &Shape, m: &Mesh) {
    points(out, "NODES", shape, &m.nodes);
    line(out, "ELEMENTS", m.elements.len());
    m.elements.iter().for_each(|e| record(out, e.nodes[..e.kind as usize].iter().copied(), e.volid));
    line(out, "FACES", m.boundary.len());
    for f in &m.boundary {
        record(out, m.elements[f.element as usize].face(f.local as usize), f.surfid);
    }
}

fn force(out: &mut String, model: &Model, b: &BodyRow, load: &LoadRow) -> Result<(), String> {
    let kind = |convected: bool| if convected { "CONVECTED" } else { "SPATIAL" };
    let value = match &load.kind {
        LoadKind::Force { convected, point, direction, value } => {
            line(out, "KIND", kind(*convected));
            vector(out, "POINT", point);
            vector(out, "DIRECTION", direction);
            value
        }
        LoadKind::Torque { convected, direction, value } => {
            line(out, "KIND", format!("{}_TORQUE", kind(*convected)));
            vector(out, "DIRECTION", direction);
            value
        }
        LoadKind::Pressure { surface, value, .. } => {
            line(out, "KIND", "PRESSURE");
            line(out, "SURFID", surface);
            value
        }
        LoadKind::Function { .. } => {
            let label = if b.label.is_empty() { String::new() } else { format!(" '{}'", b.label) };
            let place = if load.line > 0 { format!(" (line {})", load.line) } else { String::new() };
            return Err(format!(
                "body {}{label}: a FORCE is a function{place}, which MBFCP cannot hold; use a TIME_SERIES",
                b.id
            ));
        }
    };
    series(out, &model.series[*value as usize]);
    Ok(())
}

fn constraint(out: &mut String, model: &Model, c: &ConstraintRow) {
    let bodies = |out: &mut String| {
        line(out, "BODY1", c.master);
        line(out, "BODY2", c.slave.map_or("NONE".into(), |id| id.to_string()));
        vector(out, "POINT1", &c.points[0]);
        vector(out, "POINT2", &c.points[1]);
    };
    let what = |what: &Prescribed| match what {
        Prescribed::Displacement => "DISPLACEMENT",
        Prescribed::Velocity => "VELOCITY",
        Prescribed::Acceleration => "ACCELERATION",
    };
    match &c.joint {
        Joint::FixPoint { strength } => {
            line(out, "KIND", "FIXPNT");
            bodies(out);
            line(out, "STRENGTH", strength);
        }
        Joint::FixDirection { direction } => {
            line(out, "KIND", "FIXDIR");
            bodies(out);
            vector(out, "DIRECTION", direction);
        }
        Joint::Drive { what: prescribed, direction, series: row } => {
            line(out, "KIND", "VELODIR");
            bodies(out);
            vector(out, "DIRECTION", direction);
            line(out, "PRESCRIBED", what(prescribed));
            series(out, &model.series[*row as usize]);
        }
        Joint::Drive3 { what: prescribed, base, series: rows } => {
            line(out, "KIND", "VELODIR3");
            bodies(out);
            base_line(out, base);
            line(out, "PRESCRIBED", what(prescribed));
            rows.iter().for_each(|&row| series(out, &model.series[row as usize]));
        }
        Joint::RigidLink { strength } => {
            line(out, "KIND", "RIGLNK");
            bodies(out);
            line(out, "STRENGTH", strength);
        }
        Joint::Spring { law, limits, .. } => {
            line(out, "KIND", "SPRING");
            bodies(out);
            out.push_str("LIMITS:\t");
            numbers(out, limits);
            match law {
                solfec::model::SpringLaw::Linear { stiffness, damping } => {
                    line(out, "STIFFNESS", stiffness);
                    line(out, "DAMPING", damping);
                }
                solfec::model::SpringLaw::Table { series: row } => series(out, &model.series[*row as usize]),
                solfec::model::SpringLaw::Function { .. } => {}
            }
        }
    }
}

fn base_line(out: &mut String, base: &Mat3) {
    out.push_str("BASE:\t");
    numbers(out, base.as_slice());
}
