//! The table of pairs: which kernel computes the contact of two placed parts. Pairs without a kernel of their own are
//! computed by their support functions.

use super::ball::{balls, center_is_smaller, solid_ball, Ball};
use super::bound::area_bound;
use super::general::{self, Foot};
use super::gjk::distance;
use super::support::Support;
use super::{is_finite, solids, GeometryError, Workspace};
use crate::contact::ManifoldPoint;
use crate::math::{Mat3, Vec3};
use crate::shape::{farthest, CurvedForm, SolidView};

/// A placed convex part.
#[derive(Debug, Clone, Copy)]
pub enum Object<'a> {
    Solid(SolidView<'a>),
    Ball(Ball),
    Curved(CurvedView<'a>),
}

/// A placed part with a curved surface.
#[derive(Debug, Clone, Copy)]
pub struct CurvedView<'a> {
    pub form: &'a dyn CurvedForm,
    /// Its control points where they are now.
    pub points: &'a [Vec3],
}

/// Whether the first of two parts in the order of their key is the slave: a solid before a ball before other smooth parts;
/// of two solids the one of lower key, of two others of one kind that with the lexicographically smaller centre.
pub fn first_is_slave(first: &Object, second: &Object) -> bool {
    match (first, second) {
        (Object::Ball(_), Object::Ball(_)) | (Object::Curved(_), Object::Curved(_)) => {
            center_is_smaller(&first.center(), &second.center()).unwrap_or(true)
        }
        (Object::Ball(_) | Object::Curved(_), Object::Solid(_)) | (Object::Curved(_), Object::Ball(_)) => false,
        (Object::Solid(_), _) | (Object::Ball(_), Object::Curved(_)) => true,
    }
}

/// Contact of two parts nearer than `epsilon`, or none; of a solid and a smooth part also where it is on the solid.
pub fn collide(
    slave: &Object,
    master: &Object,
    epsilon: f64,
    workspace: &mut Workspace,
) -> Result<Option<(ManifoldPoint, Option<Foot>)>, GeometryError> {
    let plain = |found: Option<ManifoldPoint>| found.map(|point| (point, None));
    let found = match (slave, master) {
        (Object::Solid(a), Object::Solid(b)) => return Ok(plain(solids(a, b, epsilon, workspace)?)),
        (Object::Solid(a), Object::Ball(b)) => {
            let found = solid_ball(a, b.center, b.radius, b.surfid, epsilon)?;
            found.map(|(point, feature)| (point, Some(Foot { feature, at: point.slave_point })))
        }
        (Object::Ball(a), Object::Ball(b)) => plain(balls(a, b, epsilon)),
        (Object::Curved(_), _) | (_, Object::Curved(_)) | (Object::Ball(_), Object::Solid(_)) => {
            general::convex(slave, master, epsilon)?
        }
    };
    match &found {
        Some((point, _)) if !is_finite(point) => Err(GeometryError::NotFinite),
        Some(_) | None => Ok(found),
    }
}

/// Unit vector along the shortest way from slave to master; none if they touch.
pub fn way(slave: &Object, master: &Object) -> Option<Vec3> {
    match (slave, master) {
        (Object::Solid(a), Object::Solid(b)) => {
            let (_, p, q) = distance(a, b);
            (q - p).try_normalize(0.0)
        }
        (Object::Ball(a), Object::Ball(b)) => (b.center - a.center).try_normalize(0.0),
        (Object::Solid(a), Object::Ball(b)) => {
            let near = solid_ball(a, b.center, b.radius, b.surfid, f64::INFINITY);
            near.ok().flatten().map(|(point, _)| point.normal)
        }
        (Object::Curved(_), _) | (_, Object::Curved(_)) | (Object::Ball(_), Object::Solid(_)) => {
            general::way(slave, master)
        }
    }
}

/// Upper bound of the contact area of two parts.
pub fn bound(first: &Object, second: &Object, epsilon: f64) -> f64 {
    match (first, second) {
        (Object::Solid(a), Object::Solid(b)) => area_bound(a, b, epsilon),
        (Object::Ball(_) | Object::Curved(_), _) | (_, Object::Ball(_) | Object::Curved(_)) => f64::INFINITY,
    }
}

impl Support for Object<'_> {
    fn support(&self, direction: &Vec3) -> Vec3 {
        match self {
            Object::Solid(solid) => farthest(solid.vertices, direction),
            Object::Ball(ball) => ball.center + direction.try_normalize(0.0).unwrap_or_else(Vec3::x) * ball.radius,
            Object::Curved(curved) => curved.form.support(curved.points, direction),
        }
    }

    fn center(&self) -> Vec3 {
        match self {
            Object::Solid(solid) => solid.vertices.iter().sum::<Vec3>() / solid.vertices.len() as f64,
            Object::Ball(ball) => ball.center,
            Object::Curved(curved) => curved.form.center(curved.points),
        }
    }

    fn bend(&self, direction: &Vec3) -> Option<Mat3> {
        match self {
            Object::Solid(_) => None,
            Object::Ball(ball) => Some((Mat3::identity() - direction * direction.transpose()) * ball.radius),
            Object::Curved(curved) => Some(curved.form.bend(curved.points, direction)),
        }
    }

    fn half_axes(&self) -> Option<Mat3> {
        match self {
            Object::Solid(_) | Object::Ball(_) => None,
            Object::Curved(curved) => curved.form.half_axes(curved.points),
        }
    }

    fn solid(&self) -> Option<SolidView<'_>> {
        match self {
            Object::Solid(solid) => Some(*solid),
            Object::Ball(_) | Object::Curved(_) => None,
        }
    }

    fn surface(&self, x: &Vec3) -> i32 {
        match self {
            Object::Solid(solid) => nearest_surface(solid, x),
            Object::Ball(ball) => ball.surfid,
            Object::Curved(curved) => curved.form.surfid(),
        }
    }
}

/// Surface id of the skin face whose plane is nearest to a point of the surface.
fn nearest_surface(solid: &SolidView, x: &Vec3) -> i32 {
    let height = |f: usize| {
        let corner = solid.vertices[solid.topology.face(f)[0] as usize];
        solid.normals[f].dot(&(x - corner)).abs()
    };
    let nearest = (0..solid.topology.skin).min_by(|&f, &g| height(f).total_cmp(&height(g))).unwrap_or(0);
    solid.topology.surfid.get(nearest).copied().unwrap_or(0)
}
