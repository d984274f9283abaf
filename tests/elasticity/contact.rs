//! Contact of elastic bodies against known solutions: Hertz's line and point contact, a flat punch, friction.
//!
//! Plane problems are one layer of hexahedra without Poisson's ratio. The half-space is a block that reaches a hundred
//! widths of the contact, in elements that grow with the distance from it. Slopes are 1/200, as linear elasticity has it.

use tools_testing::scratch::Scratch;
use tools_testing::size::large;

use super::{solved, told};

/// Runs a deck that prints numbers when it is read.
fn numbers(constants: &str, deck: &str) -> Vec<f64> {
    let folder = Scratch::new();
    solved(&folder, &format!("# solfec: python3\n{constants}\n{deck}"));
    let printed = told(&folder, "sf-run -q --read -o out deck.py");
    printed.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

/// A block `x, z`, 0 being amid its upper side, `n` elements in half the width 1 of the contact; a rigid body of radius 200
/// or a flat one of half width 1 is pressed into it. Printed: the force, the half width of contact from the second moment
/// of the forces, the largest distance of the forces' distribution from the exact one, as a part of the force (of a flat
/// body that at half the half width), and the stresses along z and x on the axis, half a half width deep.
const PLANE: &str = "
from math import asin, cos, pi, sin, sqrt
widths = [1 / n] * (3 * n // 2)
while sum(widths) < 120:
    widths.append(widths[-1] * 1.4 ** (8 / n))
side, thick = sum(widths), 1 / n
solfec = SOLFEC('QUASI_STATIC', 1, 'out/plane')
SURFACE_MATERIAL(solfec, friction=0)
bulk = BULK_MATERIAL(solfec, young=1E6, poisson=0, density=1E6 / (6 * side)**2)
mesh = HEX([x for z in (-side, 0) for y, xs in ((0, (-side, side)), (thick, (side, -side))) for x in
            (xs[0], y, z, xs[1], y, z)], 2 * len(widths), 1, len(widths), 1, [1] * 6, widths[::-1] + widths, [1], widths[::-1])
block = BODY(solfec, 'FINITE_ELEMENT', COPY(mesh), bulk, label='BLOCK', form='BC')
nodes = mesh.get_data()[0]
for k in range(0, len(nodes), 3):
    if nodes[k + 2] == -side:
        FIX_POINT(block, tuple(nodes[k:k + 3]))
if round_one:
    turns = [1.5 / 200 * (k / (12 * n) - 1) for k in range(24 * n + 1)]
    arc = [(200 * sin(t), 200 * (1 - cos(t))) for t in turns] + [(-1, 4), (1, 4)]
    shape = HULL([c for y in (-1, 1) for x, z in arc for c in (x, y, z)], 2, 2)
else:
    shape = BOX((-1, -1, 0), (1, 1, 4), 2, 2)
punch = BODY(solfec, 'OBSTACLE', shape, bulk, label='PUNCH')
SET_DISPLACEMENT(punch, (0, 0, 0), (0, 0, -1), TIME_SERIES([0, 0, 40, 0.014]))
OUTPUT(solfec, 40)
RUN(solfec, PROXIMAL_NEWTON_SOLVER(1E-16), 40)
if solfec.mode == 'READ':
    SEEK(solfec, 40)
    touching = sorted((abs(c.point[0]), c.R[2]) for c in solfec.constraints if c.kind == 'CONTACT')
    force = sum(f for x, f in touching)
    width = sqrt(4 * force / thick * 200 / (pi * 1E6)) if round_one else 1
    def exact(s):
        return 2 / pi * (asin(min(s, 1)) + s * sqrt(max(1 - s * s, 0)))
    distance = below = 0
    for x, f in touching:
        distance = max(distance, abs((below + f / 2) / force - exact(x / width)))
        below += f
    if not round_one:
        distance = sum(f for x, f in touching if x < 0.5) / force - 1 / 3
    stress = STRESS(block, (0, thick / 2, -width / 2))
    moment = sum(f * x * x for x, f in touching) / force
    print(force / thick, 2 * sqrt(moment), distance, stress[2], stress[0])
";

/// A cylinder on a half-space: half width `a² = 4 P R/π E`, largest pressure `2 P/π a`, stresses on the axis (McEwen).
#[test]
fn a_cylinder_is_borne_by_the_pressure_of_hertz() {
    let sizes: &[u32] = if large() { &[4, 8, 16] } else { &[4, 8] };
    let errors: Vec<[f64; 4]> = sizes
        .iter()
        .map(|n| {
            let found = numbers(&format!("n, round_one = {n}, True"), PLANE);
            let width = (4.0 * found[0] * 200.0 / (std::f64::consts::PI * 1e6)).sqrt();
            let pressure = 2.0 * found[0] / (std::f64::consts::PI * width);
            let root = 1.25f64.sqrt();
            let known = [-pressure / root, -pressure * (1.5 / root - 1.0)];
            [found[1] / width - 1.0, found[2], found[3] / known[0] - 1.0, found[4] / known[1] - 1.0].map(f64::abs)
        })
        .collect();
    for (n, [width, distance, along, across]) in sizes.iter().zip(&errors) {
        let n = f64::from(*n);
        assert!(*width < 5e-3, "half width at {n} elements: {errors:?}");
        assert!(*distance < 0.2 / n.sqrt(), "distribution at {n} elements: {errors:?}");
        assert!(*along < 0.2 / n && *across < 0.32 / n, "stresses at {n} elements: {errors:?}");
    }
    assert!(errors.windows(2).all(|pair| pair[1][1] < pair[0][1] && pair[1][3] < 0.6 * pair[0][3]), "{errors:?}");
}

/// A flat punch on a half-space: forces are distributed by `P/π √(a² − x²)`; the stress on the axis.
#[test]
fn a_flat_punch_is_borne_at_its_edges() {
    let sizes: &[u32] = if large() { &[4, 8, 16] } else { &[4, 8] };
    let errors: Vec<[f64; 2]> = sizes
        .iter()
        .map(|n| {
            let found = numbers(&format!("n, round_one = {n}, False"), PLANE);
            let known = -found[0] / std::f64::consts::PI * 1.5 / 1.25f64.powf(1.5);
            [found[2], found[3] / known - 1.0].map(f64::abs)
        })
        .collect();
    for (n, [middle, stress]) in sizes.iter().zip(&errors) {
        let root = f64::from(*n).sqrt();
        assert!(*middle < 0.084 / root && *stress < 0.11 / root, "{errors:?}");
    }
}

/// A block whose upper side is curved with the radius 200, `n` elements in the radius 1 of contact, Poisson's ratio 0.3; a
/// rigid plate is pressed on it. Printed: the force, the radius of contact from the second moment of the forces, the stress
/// along z on the axis, half a radius of contact deep.
const CURVED: &str = "
from math import sqrt
widths = [1 / n] * (3 * n // 2)
while sum(widths) < 40:
    widths.append(widths[-1] * 1.5 ** (4 / n))
side, count = sum(widths), len(widths)
solfec = SOLFEC('QUASI_STATIC', 1, 'out/curved')
SURFACE_MATERIAL(solfec, friction=0)
GEOMETRIC_EPSILON(5E-5)
bulk = BULK_MATERIAL(solfec, young=1E6, poisson=0.3, density=1E6 / (6 * side)**2)
across = widths[::-1] + widths
box = [x for z in (-side, 0) for x in (-side, -side, z, side, -side, z, side, side, z, -side, side, z)]
nodes, elements, surfaces = HEX(box, 2 * count, 2 * count, count, 1, [1] * 6, across, across, widths[::-1]).get_data()
nodes = list(nodes)
for k in range(0, len(nodes), 3):
    x, y, z = nodes[k:k + 3]
    nodes[k + 2] -= min(x * x + y * y, 9) / 400 * (1 + z / side)
block = BODY(solfec, 'FINITE_ELEMENT', MESH(nodes, elements, surfaces), bulk, label='BLOCK', form='BC')
for x in (-1, -0.5, 0, 0.5, 1):
    for y in (-1, -0.5, 0, 0.5, 1):
        FIX_POINT(block, (x * side, y * side, -side))
plate = BODY(solfec, 'OBSTACLE', BOX((-2, -2, 0), (2, 2, 1), 2, 2), bulk, label='PLATE')
SET_DISPLACEMENT(plate, (0, 0, 0.5), (0, 0, -1), TIME_SERIES([0, 0, 20, 0.005]))
OUTPUT(solfec, 20)
RUN(solfec, PROXIMAL_NEWTON_SOLVER(1E-16), 20)
if solfec.mode == 'READ':
    SEEK(solfec, 20)
    touching = [c for c in solfec.constraints if c.kind == 'CONTACT']
    force = sum(c.R[2] for c in touching)
    moment = sum(c.R[2] * (c.point[0]**2 + c.point[1]**2) for c in touching) / force
    print(force, sqrt(2.5 * moment), STRESS(block, (0, 0, -0.5 * (3 * force * 200 / 4 * (1 - 0.3**2) / 1E6) ** (1 / 3)))[2])
";

/// Hertz's contact of a ball: force `4/3 E' √(R d³)` at the depth d, radius `a³ = 3 F R/4 E'`, largest pressure `3 F/2 π a²`,
/// `1/(1 + z²/a²)` of it on the axis.
#[test]
fn a_round_body_is_borne_by_the_pressure_of_hertz() {
    let sizes: &[u32] = if large() { &[2, 4] } else { &[2] };
    for n in sizes {
        let found = numbers(&format!("n = {n}"), CURVED);
        let modulus = 1e6 / (1.0 - 0.3 * 0.3);
        let radius = (0.75 * found[0] * 200.0 / modulus).cbrt();
        let pressure = 1.5 * found[0] / (std::f64::consts::PI * radius * radius);
        let known = [4.0 / 3.0 * modulus * (200.0 * 0.005f64.powi(3)).sqrt(), radius, -pressure / 1.25];
        let errors = [0, 1, 2].map(|k| (found[k] / known[k] - 1.0).abs());
        let n = f64::from(*n);
        assert!(errors[0] < 0.03 && errors[1] < 0.2 / n && errors[2] < 0.34 / n, "{n} elements: {errors:?}");
    }
}

/// A block of elements `n` to its width on a base of elements, both elastic, with its weight and a force aside that grows
/// to `part` of what friction bears. Printed: the weight, the force of the contacts upwards, the sums of the forces along
/// and across them, which are not level where the base yields, and how far the block goes in a second before the last
/// step, and in this.
const PULLED: &str = "
solfec = SOLFEC('QUASI_STATIC', 0.25, 'out/pulled')
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
bulk = BULK_MATERIAL(solfec, young=1E6, poisson=0.3, density=1000)
base = BODY(solfec, 'FINITE_ELEMENT', BOX((-1, -1, -0.5), (1, 1, 0), 1, 1, i=2 * n, j=2 * n, k=n), bulk, label='BASE',
            form='BC')
for i in range(2 * n + 1):
    for j in range(2 * n + 1):
        FIX_POINT(base, (i / n - 1, j / n - 1, -0.5))
block = BODY(solfec, 'FINITE_ELEMENT', BOX((-0.5, -0.5, 0), (0.5, 0.5, 0.5), 2, 2, i=n, j=n, k=n), bulk, label='BLOCK',
             form='BC')
weight = block.mass * 10
FORCE(block, 'SPATIAL', (0, 0, 0.05), (1, 0, 0), TIME_SERIES([0, 0, 1, 0, 3, part * 0.5 * weight, 9, part * 0.5 * weight]))
OUTPUT(solfec, 0.25)
RUN(solfec, PROXIMAL_NEWTON_SOLVER(1E-14), 5)
if solfec.mode == 'READ':
    places = []
    for time in (3.75, 4.75, 5):
        SEEK(solfec, time)
        places.append(DISPLACEMENT(block, (0, 0, 0.25))[0])
    contacts = [c for c in solfec.constraints if c.kind == 'CONTACT']
    forces = [c.R for c in contacts]
    up = sum(c.base[3 * k + 2] * c.R[k] for c in contacts for k in range(3))
    print(weight, up, sum((t * t + u * u)**0.5 for t, u, n in forces), sum(n for t, u, n in forces), places[1] - places[0],
          places[2] - places[1])
";

/// It sticks below the force of friction, and slides above it; then all contacts together hold it back by μN. With two,
/// four and eight elements to its width its edges stand on nodes of the base and may catch in the dent: whether the points
/// are taken for those of one element or of the next is up to rounding.
#[test]
fn a_block_on_an_elastic_base_sticks_below_the_force_of_friction_and_slides_above() {
    let n = if large() { 7 } else { 3 };
    for part in [0.95, 1.05] {
        let found = numbers(&format!("n, part = {n}, {part}"), PULLED);
        let [weight, up, along, across, before, last] = found[..] else { panic!("{found:?}") };
        // A merit of 1e-14 leaves 1e-7 of the forces. A quasi-static step has the mass beside the stiffness, which the
        // motion of sliding feels.
        let balance = if part < 1.0 { 1e-7 } else { 1e-5 };
        assert!((up / weight - 1.0).abs() < balance, "{part}: {found:?}");
        if part < 1.0 {
            assert!(along < 0.499 * across && before.abs() < 1e-5 && last.abs() < 1e-5, "it sticks: {found:?}");
        } else {
            assert!((along / (0.5 * across) - 1.0).abs() < 1e-6, "forces of friction: {found:?}");
            assert!(last > 0.01 && before > 3.0 * last, "it slides: {found:?}");
        }
    }
}
