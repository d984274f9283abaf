//! Solids of the test cases, random hulls, and contact with a new workspace for each call.

use super::make::{finish, mapped, rotate, solid, translate};
use solfec::contact::narrow::{solids, GeometryError, Workspace};
use solfec::contact::ManifoldPoint;
use solfec::math::Vec3;
use solfec::shape::Solid;

pub fn try_contact(a: &Solid, b: &Solid, eps: f64) -> Result<Option<ManifoldPoint>, GeometryError> {
    solids(&a.view(), &b.view(), eps, &mut Workspace::default())
}

pub fn contact(a: &Solid, b: &Solid, eps: f64) -> Option<ManifoldPoint> {
    try_contact(a, b, eps).expect("kernel")
}

pub fn scaled(s: &Solid, k: f64) -> Solid {
    mapped(s, |v| v * k)
}

/// A wedge whose 90° edge along y points down: middle of the edge, its length, height of the wedge.
pub fn roof(edge: [f64; 3], length: f64, height: f64) -> Solid {
    let e = Vec3::from(edge);
    let at = |x: f64, y: f64, z: f64| e + Vec3::new(x * height, y * 0.5 * length, z * height);
    let ends = [-1.0, 1.0];
    let vertices = ends.iter().flat_map(|&y| [at(0.0, y, 0.0), at(1.0, y, 1.0), at(-1.0, y, 1.0)]).collect();
    let faces = [vec![0, 1, 2], vec![3, 5, 4], vec![0, 3, 4, 1], vec![1, 4, 5, 2], vec![2, 5, 3, 0]];
    solid(vertices, &faces)
}

/// The same wedge with its edge up.
pub fn roof_up(edge: [f64; 3], length: f64, height: f64) -> Solid {
    let down = rotate(&roof([0.0; 3], length, height), &Vec3::y(), std::f64::consts::PI);
    translate(&down, &Vec3::from(edge))
}

pub fn octahedron(center: [f64; 3], radius: f64) -> Solid {
    let c = Vec3::from(center);
    let axes = [Vec3::x(), Vec3::y(), -Vec3::x(), -Vec3::y()];
    let mut vertices: Vec<Vec3> = axes.iter().map(|a| c + a * radius).collect();
    vertices.extend([c + Vec3::z() * radius, c - Vec3::z() * radius]);
    let faces: Vec<Vec<u16>> = (0..4u16).flat_map(|k| [vec![k, (k + 1) % 4, 4], vec![(k + 1) % 4, k, 5]]).collect();
    solid(vertices, &faces)
}

/// Every face cut in triangles from its first vertex.
pub fn triangulated(s: &Solid) -> Solid {
    let t = &s.topology;
    let faces: Vec<Vec<u16>> = (0..t.faces())
        .flat_map(|f| {
            let l = t.face(f);
            (1..l.len() - 1).map(|k| vec![l[0], l[k], l[k + 1]]).collect::<Vec<_>>()
        })
        .collect();
    solid(s.vertices.clone(), &faces)
}

/// The same solid with one face inside a mesh.
pub fn with_inner(s: &Solid, face: usize) -> Solid {
    with_skin(s, |f| f != face)
}

/// The same solid in a mesh: faces that are not skin are moved to the end, without a surface id.
pub fn with_skin(s: &Solid, skin: impl Fn(usize) -> bool) -> Solid {
    let t = &s.topology;
    let (outer, inner): (Vec<usize>, Vec<usize>) = (0..t.faces()).partition(|&f| skin(f));
    let faces: Vec<Vec<u16>> = outer.iter().chain(&inner).map(|&f| t.face(f).to_vec()).collect();
    let reordered = solid(s.vertices.clone(), &faces);
    let mut topology = (*reordered.topology).clone();
    topology.skin = outer.len();
    topology.surfid = outer.iter().map(|&f| t.surfid[f]).collect();
    finish(topology, s.vertices.clone())
}

/// Convex hull of points in general position, every triple tried.
pub fn hull(points: &[Vec3]) -> Solid {
    let n = points.len();
    let mut faces = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let normal = (points[j] - points[i]).cross(&(points[k] - points[i]));
                let mut sides = (0..n).filter(|p| ![i, j, k].contains(p));
                let height = |p: usize| normal.dot(&(points[p] - points[i]));
                if sides.clone().all(|p| height(p) < 0.0) {
                    faces.push([i, j, k]);
                } else if sides.all(|p| height(p) > 0.0) {
                    faces.push([i, k, j]);
                }
            }
        }
    }
    let used: Vec<usize> = (0..n).filter(|p| faces.iter().any(|f| f.contains(p))).collect();
    let number = |p: &usize| used.binary_search(p).expect("used") as u16;
    let loops: Vec<Vec<u16>> = faces.iter().map(|f| f.iter().map(number).collect()).collect();
    solid(used.iter().map(|&p| points[p]).collect(), &loops)
}
