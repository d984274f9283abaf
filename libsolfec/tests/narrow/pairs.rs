//! Narrow phase: pairs with known contacts, and comparison with independent computations (docs/theory.md 5).

use super::cases::*;
use super::make::{cuboid, rotate, translate};
use solfec::contact::narrow::{balls, center_is_smaller, solid_ball, Ball, Feature};
use solfec::contact::ManifoldPoint;
use solfec::math::{local_base, Vec3};
use solfec::shape::Solid;
use solfec_testing::near::near;
use solfec_testing::near::near as close;

const EPS: f64 = 1e-6;

fn cube() -> Solid {
    cuboid([0.0; 3], [1.0; 3])
}

fn moved(t: [f64; 3]) -> Solid {
    translate(&cube(), &Vec3::from(t))
}

fn hit(a: &Solid, b: &Solid) -> ManifoldPoint {
    contact(a, b, EPS).expect("contact")
}

fn ball(center: [f64; 3], radius: f64, surfid: i32) -> Ball {
    Ball { center: Vec3::from(center), radius, surfid }
}

#[test]
fn touching_cubes() {
    let h = hit(&cube(), &moved([0.0, 0.0, 1.0]));
    near(h.slave_point, [0.5, 0.5, 1.0], 1e-14);
    near(h.master_point, [0.5, 0.5, 1.0], 1e-14);
    near(h.normal, [0.0, 0.0, 1.0], 1e-15);
    close(h.area, 1.0, 1e-14);
    close(h.gap, 0.0, 1e-15);
    assert_eq!(h.surf, [1, 6]);
}

#[test]
fn cubes_within_and_beyond_the_contact_distance() {
    let h = hit(&cube(), &moved([0.0, 0.0, 1.0 + 0.5 * EPS]));
    close(h.gap, 0.0, 0.0);
    close(h.area, 1.0, 1e-12);
    assert!(contact(&cube(), &moved([0.0, 0.0, 1.0 + 1.5 * EPS]), EPS).is_none());
}

#[test]
fn overlapping_cubes() {
    let h = hit(&cube(), &moved([0.0, 0.0, 0.9]));
    near(h.slave_point, [0.5, 0.5, 0.95], 1e-14);
    near(h.normal, [0.0, 0.0, 1.0], 1e-15);
    close(h.gap, -0.1, 1e-14);
    close(h.area, 1.2, 1e-14);
    assert_eq!(h.surf, [1, 6]);
    let thin = hit(&cube(), &moved([0.0, 0.0, 0.99]));
    near(thin.slave_point, [0.5, 0.5, 0.995], 1e-14);
    close(thin.gap, -0.01, 1e-14);
    close(thin.area, 1.02, 1e-14);
}

#[test]
fn cubes_half_across() {
    let h = hit(&cube(), &moved([0.5, 0.0, 0.99]));
    near(h.slave_point, [0.75, 0.5, 0.995], 1e-14);
    close(h.gap, -0.0100000016, 2e-10);
    close(h.area, 0.515, 1e-14);
    near(h.normal, [0.0, 0.0, 1.0], 5e-4);
    close(h.normal.x, 4e-4, 1e-9);
}

#[test]
fn cubes_corner_to_corner() {
    let h = hit(&cube(), &moved([0.9, 0.9, 0.9]));
    near(h.slave_point, [0.95, 0.95, 0.95], 1e-14);
    near(h.normal, [1.0 / 3f64.sqrt(); 3], 1e-14);
    close(h.gap, -0.1 * 3f64.sqrt(), 1e-13);
    close(h.area, 0.03, 1e-15);
}

#[test]
fn cubes_edge_to_edge() {
    let h = hit(&cube(), &moved([0.0, 0.9, 0.8]));
    let r = 17f64.sqrt();
    near(h.slave_point, [0.5, 0.95, 0.9], 1e-14);
    near(h.normal, [0.0, 4.0 / r, 1.0 / r], 1e-13);
    close(h.area, 0.32, 1e-14);
    let width = (0.1 * 4.0 + 0.2) / r;
    close(h.gap, (2.0 * width * 4.0 / r - 0.1) - 2.0 * width, 1e-13);
    close(h.gap, -0.1086898, 1e-7);
    assert_eq!(h.surf, [5, 3]);
}

#[test]
fn a_small_cube_on_a_face() {
    let h = hit(&cube(), &cuboid([0.25, 0.25, 0.9], [0.75, 0.75, 1.4]));
    near(h.slave_point, [0.5, 0.5, 0.95], 1e-14);
    near(h.normal, [0.0, 0.0, 1.0], 1e-14);
    close(h.gap, -0.1, 1e-14);
    close(h.area, 0.35, 1e-14);
}

#[test]
fn a_wedge_in_a_face() {
    let h = hit(&cube(), &roof([0.5, 0.5, 0.95], 0.6, 0.5));
    near(h.slave_point, [0.5, 0.5, 0.985288], 1e-6);
    near(h.normal, [0.0, 0.0, 1.0], 1e-13);
    close(h.gap, -0.05, 1e-13);
    close(h.area, 0.0749264, 1e-7);
}

#[test]
fn identical_and_enclosed_cubes() {
    let same = hit(&cube(), &cube());
    close(same.normal.amax(), 1.0, 0.0);
    close(same.normal.norm(), 1.0, 1e-15);
    close(same.gap, -1.0, 1e-14);
    let inside = hit(&cube(), &cuboid([0.25, 0.25, 0.4], [0.75, 0.75, 0.9]));
    near(inside.normal, [0.0, 0.0, 1.0], 1e-15);
    close(inside.gap, -0.6, 1e-14);
}

#[test]
fn overlap_scales_with_the_unit_of_length() {
    for scale in [1e-4, 1e-3, 1e3, 1e6] {
        let (a, b) = (cube(), moved([0.0, 0.0, 0.9]));
        let h = hit(&scaled(&a, scale), &scaled(&b, scale));
        close(h.area / (scale * scale), 1.2, 1.2e-9);
        close(h.gap / scale, -0.1, 1e-10);
    }
}

#[test]
fn two_spheres() {
    let (a, b) = (ball([0.0; 3], 1.0, 1), ball([1.9, 0.0, 0.0], 1.0, 2));
    assert_eq!(center_is_smaller(&a.center, &b.center), Some(true));
    assert_eq!(center_is_smaller(&b.center, &a.center), Some(false));
    let h = balls(&a, &b, EPS).expect("contact");
    near(h.slave_point, [0.95, 0.0, 0.0], 1e-15);
    assert_eq!(h.slave_point, h.master_point);
    near(h.normal, [1.0, 0.0, 0.0], 0.0);
    close(h.gap, -0.1, 1e-15);
    close(h.area, 1.0, 0.0);
    assert_eq!(h.surf, [2, 1]);
    let apart = ball([2.0 + 0.5 * EPS, 0.0, 0.0], 1.0, 2);
    let h = balls(&a, &apart, EPS).expect("contact");
    near(h.slave_point, [1.0, 0.0, 0.0], 0.0);
    near(h.master_point, [1.0 + 0.5 * EPS, 0.0, 0.0], 1e-15);
    close(h.gap, 0.0, 0.0);
    assert!(balls(&a, &ball([2.0 + 1.5 * EPS, 0.0, 0.0], 1.0, 2), EPS).is_none());
}

#[test]
fn concentric_spheres() {
    let a = ball([0.3; 3], 1.0, 1);
    assert_eq!(center_is_smaller(&a.center, &a.center), None);
    let h = balls(&a, &a, EPS).expect("contact");
    close(h.normal.norm(), 1.0, 0.0);
    close(h.gap, -2.0, 0.0);
    let deep = balls(&a, &ball([0.4, 0.3, 0.3], 1.0, 2), EPS).expect("contact");
    near(deep.normal, [1.0, 0.0, 0.0], 1e-15);
}

fn on_cube(center: [f64; 3], radius: f64) -> Option<(ManifoldPoint, Feature)> {
    solid_ball(&cube().view(), Vec3::from(center), radius, 9, EPS).expect("kernel")
}

#[test]
fn a_sphere_on_a_face() {
    let (h, feature) = on_cube([0.5, 0.5, 1.49], 0.5).expect("contact");
    near(h.slave_point, [0.5, 0.5, 1.0], 1e-15);
    near(h.master_point, [0.5, 0.5, 0.99], 1e-15);
    near(h.normal, [0.0, 0.0, 1.0], 0.0);
    close(h.gap, -0.01, 1e-15);
    close(h.area, 1.0, 0.0);
    assert_eq!((h.surf, feature), ([9, 6], Feature::Face(5)));
    assert!(on_cube([0.5, 0.5, 1.5 + 0.5 * EPS], 0.5).is_some());
    assert!(on_cube([0.5, 0.5, 1.5 + 1.5 * EPS], 0.5).is_none());
}

#[test]
fn a_sphere_at_a_corner() {
    let (h, feature) = on_cube([1.3, 1.3, 1.3], 0.6).expect("contact");
    near(h.normal, [1.0 / 3f64.sqrt(); 3], 1e-15);
    near(h.slave_point, [1.0; 3], 0.0);
    close(h.gap, 0.3 * 3f64.sqrt() - 0.6, 1e-15);
    assert!(matches!(feature, Feature::Vertex(6)));
    let (h, feature) = on_cube([1.3, 0.5, 1.3], 0.6).expect("contact");
    near(h.normal, [0.5f64.sqrt(), 0.0, 0.5f64.sqrt()], 1e-15);
    near(h.slave_point, [1.0, 0.5, 1.0], 1e-15);
    assert!(matches!(feature, Feature::Edge(_)));
}

#[test]
fn a_sphere_with_its_centre_inside() {
    let (h, feature) = on_cube([0.5, 0.5, 0.6], 0.25).expect("contact");
    near(h.normal, [0.0, 0.0, 1.0], 0.0);
    close(h.gap, -0.65, 1e-15);
    near(h.slave_point, [0.5, 0.5, 1.0], 1e-15);
    assert_eq!(feature, Feature::Face(5));
    let (h, _) = on_cube([0.5, 0.5, 1.0], 0.25).expect("contact");
    near(h.normal, [0.0, 0.0, 1.0], 0.0);
    close(h.gap, -0.25, 1e-15);
}

#[test]
fn contact_base_of_a_normal() {
    let base = local_base(&Vec3::y());
    assert_eq!(base.as_slice(), [0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn swapping_the_pair_turns_the_normal() {
    let others = [
        moved([0.0, 0.0, 1.0]),
        moved([0.5, 0.0, 0.99]),
        moved([0.0, 0.9, 0.8]),
        moved([0.0, 1.0, 1.0]),
        roof([0.5, 0.5, 0.95], 0.6, 0.5),
        cuboid([0.25, 0.25, 0.4], [0.75, 0.75, 0.9]),
    ];
    for b in &others {
        let (h, s) = (hit(&cube(), b), hit(b, &cube()));
        near(h.normal + s.normal, [0.0; 3], 1e-14);
        near(h.slave_point - s.slave_point, [0.0; 3], 1e-14);
        close(h.gap, s.gap, 1e-14);
        close(h.area, s.area, 1e-14);
        assert_eq!(h.surf, [s.surf[1], s.surf[0]]);
    }
}

/// Vertical overlap 0.01 L, offset 0.3 L; exact half area 0.717 L² at every size.
#[test]
fn a_shifted_overlap_has_its_area_at_every_size() {
    for power in -6..=6 {
        let l = 10f64.powi(power);
        let (a, b) = (scaled(&cube(), l), scaled(&moved([0.3, 0.0, 0.99]), l));
        let h = hit(&a, &b);
        close(h.area / (l * l), 0.717, 1e-9);
        near(h.slave_point / l, [0.65, 0.5, 0.995], 1e-9);
        near(h.normal, [0.0, 0.0, 1.0], 5e-4);
        close(h.gap / l, -0.01, 1e-8);
        let touching = hit(&a, &scaled(&moved([0.3, 0.0, 1.0]), l));
        close(touching.area / (l * l), 0.7, 1e-9);
        near(touching.normal, [0.0, 0.0, 1.0], 1e-12);
    }
}

/// Cubes that share an edge, or a vertex.
#[test]
fn edges_and_vertices_touch_with_zero_area() {
    let edge = hit(&cube(), &moved([0.0, 1.0, 1.0]));
    near(edge.slave_point, [0.5, 1.0, 1.0], 1e-14);
    near(edge.normal, [0.0, 0.5f64.sqrt(), 0.5f64.sqrt()], 1e-14);
    close(edge.area, 0.0, 0.0);
    let vertex = hit(&cube(), &moved([1.0, 1.0, 1.0]));
    near(vertex.slave_point, [1.0; 3], 1e-14);
    near(vertex.normal, [1.0 / 3f64.sqrt(); 3], 1e-14);
    close(vertex.area, 0.0, 0.0);
    assert!(contact(&cube(), &moved([0.0, 1.0 + 0.9 * EPS, 1.0 + 0.9 * EPS]), EPS).is_none());
    let apart = hit(&cube(), &moved([0.0, 1.0 + 0.6 * EPS, 1.0 + 0.6 * EPS]));
    near(apart.normal, [0.0, 0.5f64.sqrt(), 0.5f64.sqrt()], 1e-8);
    close(apart.gap, 0.0, 0.0);
}

#[test]
fn a_wedge_and_a_tip_on_a_face_touch_along_its_normal() {
    let wedge = hit(&cube(), &roof([0.5, 0.5, 1.0], 0.6, 0.5));
    near(wedge.normal, [0.0, 0.0, 1.0], 1e-14);
    near(wedge.slave_point, [0.5, 0.5, 1.0], 1e-14);
    close(wedge.area, 0.0, 0.0);
    let tip = hit(&cube(), &octahedron([0.5, 0.5, 1.5], 0.5));
    near(tip.normal, [0.0, 0.0, 1.0], 1e-14);
    near(tip.slave_point, [0.5, 0.5, 1.0], 1e-14);
    let deep = hit(&cube(), &octahedron([0.5, 0.5, 1.45], 0.5));
    near(deep.slave_point, [0.5, 0.5, 0.989434], 1e-6);
    close(deep.gap, -0.05, 1e-13);
    close(deep.area, 0.05 * 0.05 * (1.0 + 3f64.sqrt()), 1e-14);
    close(deep.area, 0.00683025, 2e-7);
}

#[test]
fn crossing_edges_touch_along_their_common_normal() {
    let below = roof_up([0.5, 0.5, 1.0], 2.0, 0.5);
    let across = rotate(&roof([0.0; 3], 2.0, 0.5), &Vec3::z(), 1.0);
    for (height, gap) in [(0.0, 0.0), (0.5 * EPS, 0.0), (-0.5 * EPS, -0.5 * EPS), (-1e-3, -1e-3)] {
        let above = translate(&across, &Vec3::new(0.5, 0.5, 1.0 + height));
        let h = hit(&below, &above);
        near(h.normal, [0.0, 0.0, 1.0], 1e-7);
        near(h.slave_point, [0.5, 0.5, 1.0 + 0.5 * height], 1e-8);
        close(h.gap, gap, 1e-8);
    }
    let above = translate(&across, &Vec3::new(0.5, 0.5, 1.0 + 1.5 * EPS));
    assert!(contact(&below, &above, EPS).is_none());
}

#[test]
fn a_surface_cut_in_triangles_gives_the_same_contact() {
    for b in [moved([0.3, 0.1, 1.0]), moved([0.3, 0.1, 0.99])] {
        let (whole, cut) = (hit(&cube(), &b), hit(&triangulated(&cube()), &triangulated(&b)));
        near(whole.slave_point - cut.slave_point, [0.0; 3], 1e-14);
        near(whole.normal - cut.normal, [0.0; 3], 1e-14);
        close(whole.gap, cut.gap, 1e-14);
        close(whole.area, cut.area, 1e-13);
    }
}

#[test]
fn inner_faces_of_a_mesh_do_not_turn_the_normal() {
    // The x+ face of A is inside its mesh; B stands on the border of A and its neighbour.
    let a = with_inner(&cube(), 3);
    let h = hit(&a, &moved([0.5, 0.0, 0.99]));
    assert!(h.normal.x.abs() < 5e-4, "{:?}", h.normal);
    let edge = hit(&a, &with_inner(&moved([1.0, 0.0, 1.0]), 1));
    near(edge.normal, [0.0, 0.0, 1.0], 1e-14);
    close(edge.area, 0.0, 0.0);
}

/// Elements that are pressed into each other's meshes beside each other touch along planes inside of these.
#[test]
fn what_only_inner_faces_separate_does_not_touch() {
    let a = with_inner(&cube(), 3);
    for depth in [1e-5, 0.01, 0.5] {
        let b = moved([1.0, 0.0, 1.0 - depth]);
        assert!(contact(&a, &with_inner(&b, 1), EPS).is_none(), "{depth}");
        assert!(contact(&a, &translate(&with_inner(&b, 1), &Vec3::new(0.5 * EPS, 0.0, 0.0)), EPS).is_none(), "{depth}");
        assert!(hit(&a, &b).normal.x > 0.99, "the skin of the other is a wall");
    }
}

/// An overlap inside of both meshes is left to their neighbours.
#[test]
fn an_overlap_inside_of_both_meshes_is_none() {
    let depth = 0.02;
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, 1.0]].map(Vec3::from);
    let tip = |upside: f64| {
        let solid = hull(&corners.map(|x| Vec3::new(x.x, x.y, upside * x.z)));
        let far = (0..4).find(|&f| solid.normals[f].z * upside < -0.9).expect("the base");
        with_skin(&solid, |f| f == far)
    };
    let (lower, upper) = (tip(1.0), translate(&tip(-1.0), &Vec3::new(0.0, 0.0, 2.0 - depth)));
    assert!(contact(&lower, &upper, EPS).is_none());
    let block = cuboid([-2.0, -2.0, 1.0 - depth], [3.0, 3.0, 2.0]);
    let h = hit(&lower, &block);
    near(h.normal, [0.0, 0.0, 1.0], 1e-12);
    close(h.gap, -depth, 1e-12);
}

#[test]
fn a_tilted_block_touches_where_it_is_near() {
    // Strip within epsilon of the face: width eps / tilt.
    let tilt = 1e-4;
    let b = rotate(&cuboid([0.0, -0.5, 0.0], [0.5, 0.5, 1.0]), &Vec3::y(), -tilt);
    let h = hit(&cuboid([-1.0, -1.0, -1.0], [1.0, 1.0, 0.0]), &b);
    close(h.area, EPS / tilt, 1e-3 * EPS / tilt);
    near(h.slave_point, [0.5 * EPS / tilt, 0.0, 0.0], EPS);
    near(h.normal, [0.0, 0.0, 1.0], 1e-6);
}

#[test]
fn what_is_not_finite_is_an_error() {
    let mut broken = cube();
    broken.vertices[3].y = f64::NAN;
    assert!(try_contact(&cube(), &broken, EPS).is_err());
    assert!(solid_ball(&broken.view(), Vec3::zeros(), 1.0, 0, EPS).is_err());
    assert!(solid_ball(&cube().view(), Vec3::repeat(f64::NAN), 1.0, 0, EPS).is_err());
    let nowhere = ball([f64::NAN, 0.0, 0.0], 1.0, 0);
    assert!(balls(&nowhere, &nowhere, EPS).is_none());
}
