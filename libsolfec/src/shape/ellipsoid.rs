//! Ellipsoids: the image of the unit ball under a linear map, `x = c + A u` with `|u| ≤ 1`.
//!
//! The columns of `A` are the half axes, across each other in a geometry; where a body deforms, its control points (the
//! centre and the ends of the half axes) go anywhere, and the image is an ellipsoid all the same.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

use super::geometry::{Cell, CellForm, GeometryKind, Primitive, Size};
use super::icosahedron::{icosahedron, Triangulation};
use super::{Convex, ConvexPart, Curved, CurvedForm, Geometry, Integrals};
use crate::math::{Mat3, Vec3};
use crate::{Error, Result};

/// Control points come before those that are shown of the surface.
const CONTROL: usize = 4;
/// Halvings of the edges of an icosahedron that shows the surface: 162 points and 320 triangles.
const REFINEMENTS: usize = 2;

/// A solid ellipsoid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ellipsoid {
    /// The centre, the ends of the three half axes, then points of the surface.
    points: Vec<Vec3>,
    pub volid: i32,
    pub surfid: i32,
}

impl Ellipsoid {
    /// With half axes of `radii` [m] along the coordinate axes about `center` [m].
    ///
    /// # Errors
    /// Numbers that are not finite, radii that are not positive.
    pub fn new(center: Vec3, radii: Vec3, volid: i32, surfid: i32) -> Result<Ellipsoid> {
        if !center.iter().all(|x| x.is_finite()) {
            let (x, y, z) = (center.x, center.y, center.z);
            return Err(Error::input(format!("center of the ellipsoid is ({x}, {y}, {z}): give three finite numbers")));
        }
        if !radii.iter().all(|r| *r > 0.0 && r.is_finite()) {
            let (a, b, c) = (radii.x, radii.y, radii.z);
            return Err(Error::input(format!(
                "radii of the ellipsoid are ({a}, {b}, {c}): give three positive, finite numbers"
            )));
        }
        Ok(Ellipsoid::of_half_axes(center, &Mat3::from_diagonal(&radii), volid, surfid))
    }

    /// With the columns of `axes` as its half axes [m], across each other.
    ///
    /// # Errors
    /// Numbers that are not finite, half axes of no length or not across each other.
    pub fn with_axes(center: Vec3, axes: &Mat3, volid: i32, surfid: i32) -> Result<Ellipsoid> {
        const ACROSS: f64 = 1e-9;
        let lengths = Vec3::from_fn(|k, _| axes.column(k).norm());
        let finite = center.iter().chain(axes.iter()).all(|x| x.is_finite());
        if !(finite && lengths.min() > 0.0) {
            return Err(Error::input(
                "an ellipsoid needs a finite centre and three finite half axes that are not zero",
            ));
        }
        let unit = Mat3::from_fn(|i, k| axes[(i, k)] / lengths[k]);
        if (unit.tr_mul(&unit) - Mat3::identity()).amax() > ACROSS {
            return Err(Error::input("the half axes of an ellipsoid must be at right angles"));
        }
        Ok(Ellipsoid::of_half_axes(center, axes, volid, surfid))
    }

    fn of_half_axes(center: Vec3, axes: &Mat3, volid: i32, surfid: i32) -> Ellipsoid {
        let axes = &between_points(&center, *axes);
        let ends = (0..3).map(|k| center + axes.column(k));
        let surface = sphere().points.iter().map(|u| center + axes * u);
        let points = std::iter::once(center).chain(ends).chain(surface).collect();
        Ellipsoid { points, volid, surfid }
    }

    pub fn center(&self) -> Vec3 {
        self.points[0]
    }

    /// Half axes as columns [m].
    pub fn half_axes(&self) -> Mat3 {
        half_axes(&self.points)
    }

    /// Lengths of the half axes [m].
    pub fn radii(&self) -> Vec3 {
        let axes = self.half_axes();
        Vec3::from_fn(|k, _| axes.column(k).norm())
    }

    /// A polyhedron in place of it, of the same volume and centre: the hull of points of the surface, moved outward a
    /// little.
    ///
    /// # Errors
    /// An ellipsoid too flat for a hull.
    pub fn polyhedron(&self) -> Result<Convex> {
        let mut hull = Convex::hull(&self.points[CONTROL..], self.volid, self.surfid)?;
        let whole = self.integrals();
        let growth = (whole.volume / hull.integrals().volume).cbrt();
        hull.vertices.iter_mut().for_each(|x| *x = whole.center + (*x - whole.center) * growth);
        Ok(hull)
    }
}

/// Roundings after which half axes no longer change; two suffice but for ties.
const ROUNDINGS: usize = 4;

/// Half axes that are the differences of their control points to the last bit, so that an ellipsoid is the same after its
/// half axes were written to a file and read.
fn between_points(center: &Vec3, mut axes: Mat3) -> Mat3 {
    for _ in 0..ROUNDINGS {
        axes.column_iter_mut().for_each(|mut axis| axis.copy_from(&((center + &axis) - center)));
    }
    axes
}

/// Half axes as columns, from control points.
fn half_axes(points: &[Vec3]) -> Mat3 {
    Mat3::from_columns(&[points[1] - points[0], points[2] - points[0], points[3] - points[0]])
}

impl Primitive for Ellipsoid {
    fn kind(&self) -> GeometryKind {
        GeometryKind::Ellipsoid
    }

    fn points(&self) -> &[Vec3] {
        &self.points
    }

    fn surfaces(&self, take: &mut dyn FnMut(i32)) {
        take(self.surfid);
    }

    fn integrals(&self) -> Integrals {
        let axes = self.half_axes();
        let volume = 4.0 / 3.0 * std::f64::consts::PI * axes.determinant().abs();
        Integrals { volume, center: self.center(), euler: volume / 5.0 * axes * axes.transpose() }
    }

    fn contains(&self, x: &Vec3, tolerance: f64) -> bool {
        let (axes, radii) = (self.half_axes(), self.radii());
        let along = axes.tr_mul(&(x - self.center())).component_div(&radii.component_mul(&radii));
        along.norm() <= 1.0 + tolerance / radii.min()
    }

    fn parts(&self) -> Vec<ConvexPart> {
        let form = Arc::new(Form { surfid: self.surfid });
        vec![ConvexPart::Curved(Curved { form, points: self.points[..CONTROL].to_vec() })]
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        let cell = |nodes| Cell { form: CellForm::Polygon, nodes, volid: self.volid, surfid: Some(self.surfid) };
        sphere().triangles.iter().map(|nodes| cell(&nodes[..])).collect()
    }

    fn scaled(&self, place: &dyn Fn(&Vec3) -> Vec3, _: &Vec3) -> Result<Geometry> {
        let control: Vec<Vec3> = self.points[..CONTROL].iter().map(place).collect();
        let axes = principal(&half_axes(&control))
            .ok_or_else(|| Error::input("the ellipsoid is flat after scaling: give larger factors"))?;
        Ok(Geometry::Ellipsoid(Ellipsoid::of_half_axes(control[0], &axes, self.volid, self.surfid)))
    }

    fn bytes(&self) -> usize {
        std::mem::size_of::<Ellipsoid>() + std::mem::size_of_val(&self.points[..])
    }

    fn sizes(&self) -> Vec<(&'static str, Size)> {
        let radii = self.radii();
        ["a", "b", "c"].into_iter().zip(radii.iter().map(|r| Size::Length(*r))).collect()
    }

    fn bounds(&self, rotation: &Mat3, shift: &Vec3) -> super::Bounds {
        let axes = rotation * self.half_axes();
        let center = rotation * self.center() + shift;
        let reach = Vec3::from_fn(|i, _| axes.row(i).norm());
        super::Bounds { low: center - reach, high: center + reach }
    }

    fn support(&self, direction: &Vec3) -> Vec3 {
        support(&self.points, direction)
    }
}

/// Half axes of the image of the unit ball under `map`, in the order and sense of the columns that they are nearest to.
fn principal(map: &Mat3) -> Option<Mat3> {
    let found = map.svd(true, false);
    let (directions, lengths) = (found.u?, found.singular_values);
    let mut axes = Mat3::zeros();
    let mut free = vec![0, 1, 2];
    for k in 0..3 {
        let old = map.column(k).normalize();
        let dot = |j: &usize| old.dot(&directions.column(*j));
        let place = (0..free.len()).max_by(|a, b| dot(&free[*a]).abs().total_cmp(&dot(&free[*b]).abs()))?;
        let j = free.remove(place);
        axes.set_column(k, &(directions.column(j) * (lengths[j] * dot(&j).signum())));
    }
    (lengths.min() > 0.0 && axes.iter().all(|x| x.is_finite())).then_some(axes)
}

/// The point farthest along `direction` of the ellipsoid of these control points.
fn support(points: &[Vec3], direction: &Vec3) -> Vec3 {
    let axes = half_axes(points);
    points[0] + axes * axes.tr_mul(direction).try_normalize(0.0).unwrap_or_else(Vec3::x)
}

/// What contact sees.
#[derive(Debug)]
struct Form {
    surfid: i32,
}

impl CurvedForm for Form {
    fn support(&self, points: &[Vec3], direction: &Vec3) -> Vec3 {
        support(points, direction)
    }

    /// Of `A Aᵀd / |Aᵀd|`.
    fn bend(&self, points: &[Vec3], direction: &Vec3) -> Mat3 {
        let axes = half_axes(points);
        let along = axes.tr_mul(direction);
        let reach = along.norm();
        let farthest = axes * (along / reach);
        (axes * axes.transpose() - farthest * farthest.transpose()) / reach
    }

    fn center(&self, points: &[Vec3]) -> Vec3 {
        points[0]
    }

    fn half_axes(&self, points: &[Vec3]) -> Option<Mat3> {
        Some(half_axes(points))
    }

    fn surfid(&self) -> i32 {
        self.surfid
    }
}

/// Points of the unit sphere, and triangles that count from [`CONTROL`].
fn sphere() -> &'static Triangulation {
    static SPHERE: OnceLock<Triangulation> = OnceLock::new();
    SPHERE.get_or_init(|| {
        let mut sphere = icosahedron();
        for _ in 0..REFINEMENTS {
            sphere = sphere.halved();
        }
        sphere.triangles.iter_mut().flatten().for_each(|node| *node += CONTROL as u32);
        sphere
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    fn near(a: &Mat3, b: [f64; 3]) -> bool {
        (a - Mat3::from_diagonal(&b.into())).amax() < 1e-5
    }

    #[test]
    fn integrals_of_an_ellipsoid_turn_with_it() {
        let mut shape = Shape::new(Ellipsoid::new(Vec3::zeros(), Vec3::new(1.0, 2.0, 3.0), 0, 0).unwrap());
        shape.rotate(&Vec3::zeros(), &Vec3::z(), 90.0).unwrap();
        let integrals = shape.integrals();
        assert!((integrals.volume - 25.132_741).abs() < 1e-6);
        assert!(near(&integrals.euler, [20.106_193, 5.026_548, 45.238_934]), "{}", integrals.euler);
    }

    /// Scaling of a turned ellipsoid, along its axes and across them.
    #[test]
    fn scaling_gives_the_half_axes_of_the_image() {
        let mut shape = Shape::new(Ellipsoid::new(Vec3::zeros(), Vec3::new(1.0, 2.0, 3.0), 0, 0).unwrap());
        shape.rotate(&Vec3::zeros(), &Vec3::z(), 90.0).unwrap();
        shape.scale(&Vec3::new(2.0, 1.0, 1.0)).unwrap();
        let reach = |d: Vec3| shape.geometry.support(&d).dot(&d);
        for (direction, radius) in [(Vec3::x(), 4.0), (Vec3::y(), 1.0), (Vec3::z(), 3.0)] {
            assert!((reach(direction) - radius).abs() < 1e-14);
        }
        let Geometry::Ellipsoid(found) = &*shape.geometry else { panic!("an ellipsoid") };
        assert!((found.radii() - Vec3::new(1.0, 4.0, 3.0)).norm() < 1e-14, "{}", found.radii());
        shape.rotate(&Vec3::zeros(), &Vec3::new(1.0, 2.0, -1.0), 33.0).unwrap();
        let before = shape.clone();
        let factors = Vec3::new(0.5, 3.0, -2.0);
        shape.scale(&factors).unwrap();
        for direction in [Vec3::x(), Vec3::new(1.0, -2.0, 0.5), Vec3::new(-0.3, 0.1, 2.0)] {
            let old = before.rotation.tr_mul(&direction.component_mul(&factors));
            let exact = before.point(&before.geometry.support(&old)).component_mul(&factors);
            assert!((shape.geometry.support(&direction) - exact).norm() < 1e-13);
        }
    }

    #[test]
    fn bounds_and_points_agree() {
        let mut shape = Shape::new(Ellipsoid::new(Vec3::x(), Vec3::new(1.0, 2.0, 3.0), 0, 0).unwrap());
        shape.rotate(&Vec3::zeros(), &Vec3::new(1.0, 1.0, 0.3), 40.0).unwrap();
        let bounds = shape.bounds();
        for k in 0..3 {
            let own = shape.rotation.tr_mul(&Vec3::ith(k, 1.0));
            assert!((shape.point(&shape.geometry.support(&own))[k] - bounds.high[k]).abs() < 1e-14);
        }
        let shown = shape.vertices();
        assert_eq!((shown.len(), shape.geometry.cells().len()), (CONTROL + 162, 320));
        for x in &shown[1..] {
            assert!(shape.contains(x, 1e-12) && !shape.contains(&(x + (x - shown[0]) * 1e-6), 0.0));
        }
        // The triangles look outwards, and enclose a little less than the ellipsoid.
        let volume: f64 = shape
            .geometry
            .cells()
            .iter()
            .map(|cell| {
                let [a, b, c] = [0, 1, 2].map(|k| shown[cell.nodes[k] as usize] - shown[0]);
                a.dot(&b.cross(&c)) / 6.0
            })
            .sum();
        let exact = shape.integrals().volume;
        assert!((0.95 * exact..exact).contains(&volume), "{volume} of {exact}");
    }

    #[test]
    fn radii_that_are_not_positive_are_refused() {
        let wrong = Ellipsoid::new(Vec3::zeros(), Vec3::new(1.0, 0.0, 1.0), 0, 0).unwrap_err().to_string();
        assert!(wrong.contains("radii of the ellipsoid are (1, 0, 1)"), "{wrong}");
        assert!(Ellipsoid::new(Vec3::repeat(f64::NAN), Vec3::repeat(1.0), 0, 0).is_err());
        assert!(Ellipsoid::with_axes(Vec3::zeros(), &Mat3::from_element(1.0), 0, 0).is_err());
    }
}
