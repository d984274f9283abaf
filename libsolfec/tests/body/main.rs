//! Known motions of single bodies that need neither contact search nor a solver, and comparison with reference data
//! kept beside the checkout. Reactions of a single constraint are solved here by hand.

mod behaviour;
mod closed_forms;
mod free_motion;
mod reference;

use solfec_testing::named::near;
use std::f64::consts::{FRAC_PI_2, PI};

use solfec::body::{
    mises, stress, Attachment, Bodies, BodyColumns, Forces, Inertia, Kirchhoff, NoForces, PointForce, Twist, Warning,
    CONTACT, DISSIPATED, EXTERNAL, FRICTION, INTERNAL, KINETIC,
};
use solfec::ids::{BodyId, BodyIndex, CatalogueRow};
use solfec::material::BulkMaterial;
use solfec::math::{exp_map, orthogonality_defect, skew, Mat3, Mat9, Vec3};
use solfec::model::{Analysis, BodyKind, BodyRow, Characteristics, Formulation, Model, Scheme};
use solfec::stepping::Stepping;
use solfec_testing::affine::motion;

const RIGID_SCHEMES: [Scheme; 3] = [Scheme::RigPos, Scheme::RigNeg, Scheme::RigImp];

fn diagonal(a: f64, b: f64, c: f64) -> Mat3 {
    Mat3::from_diagonal(&Vec3::new(a, b, c))
}

fn body(kind: BodyKind, mass: f64, volume: f64, tensor: Mat3) -> BodyRow {
    BodyRow {
        id: 1,
        label: String::new(),
        kind,
        form: Formulation::TotalLagrangian,
        base: None,
        enhanced: false,
        quadratic: false,
        samples: None,
        scheme: Scheme::Default,
        material: 0,
        volumes: Vec::new(),
        shapes: 0..0,
        chars: Characteristics { mass, volume, center: Vec3::zeros(), tensor },
        damping: 0.0,
        selfcontact: false,
        disable_rotation: false,
        conf: Vec::new(),
        velo: Vec::new(),
        line: 0,
    }
}

fn rigid(mass: f64, inertia: Mat3) -> BodyRow {
    body(BodyKind::Rigid, mass, 1.0, inertia)
}

/// A pseudo-rigid box with density 1000.
fn soft_box(a: f64, b: f64, c: f64) -> BodyRow {
    let mass = 1e3 * a * b * c;
    let euler = diagonal(a * a, b * b, c * c) * (mass / 12.0);
    body(BodyKind::PseudoRigid, mass, a * b * c, euler)
}

fn material(young: f64, poisson: f64) -> BulkMaterial {
    BulkMaterial {
        label: "soft".into(),
        young,
        poisson,
        density: 1e3,
        tensile: f64::INFINITY,
        fracene: f64::INFINITY,
        varying: Default::default(),
    }
}

fn model(rows: Vec<BodyRow>, bulk: BulkMaterial) -> Model {
    let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/test");
    model.bulk.push(bulk);
    model.bodies = rows;
    for (i, row) in model.bodies.iter_mut().enumerate() {
        row.id = 1 + i as u64;
    }
    model
}

fn insert(model: &Model, analysis: Analysis) -> Bodies {
    let mut bodies = Bodies::new(Stepping::of(analysis));
    for row in 0..model.bodies.len() {
        add(&mut bodies, model, row).unwrap();
    }
    bodies
}

fn add(bodies: &mut Bodies, model: &Model, row: usize) -> solfec::Result<BodyIndex> {
    let body = &model.bodies[row];
    bodies.insert(CatalogueRow(row as u32), body, &model.bulk, &[])
}

/// The body of this row when none have gone.
fn at(i: usize) -> BodyIndex {
    BodyIndex(i as u32)
}

/// A load about the mass centre.
#[derive(Clone, Copy)]
struct Load {
    /// Spatial.
    force: Vec3,
    torque: Vec3,
    /// Referential.
    convected_torque: Vec3,
    /// Conjugate to the rate of the deformation gradient.
    moment: Mat3,
}

impl Load {
    fn zero() -> Self {
        Load { force: Vec3::zeros(), torque: Vec3::zeros(), convected_torque: Vec3::zeros(), moment: Mat3::zeros() }
    }
}

/// Adds a load to each body.
fn add_loads(bodies: &mut Bodies, loads: &[Load]) {
    for (i, load) in loads.iter().enumerate() {
        let moment = load.moment.transpose();
        let (rigid, affine) =
            ([&load.force, &load.torque, &load.convected_torque], [moment.as_slice(), load.force.as_slice()]);
        let numbers = match bodies.generalised_forces(at(i)).0 {
            9 => rigid.map(|v| v.as_slice()).concat(),
            _ => affine.concat(),
        };
        bodies.add_generalised(at(i), &numbers);
    }
}

/// Reactions on one body about its mass centre.
#[derive(Clone, Copy)]
struct Resultant {
    force: Vec3,
    torque: Vec3,
    moment: Mat3,
}

impl Resultant {
    fn zero() -> Self {
        Resultant { force: Vec3::zeros(), torque: Vec3::zeros(), moment: Mat3::zeros() }
    }
}

/// A resultant for each body, as forces at arms from the mass centre.
struct Reactions(Vec<Resultant>);

impl Forces for Reactions {
    fn on(&self, body: BodyIndex, take: &mut dyn FnMut(&PointForce)) {
        let Resultant { force, torque, moment } = self.0[body.index()];
        let mut push = |arm: Vec3, force: Vec3| take(&PointForce { at: Attachment::Arm(arm), force });
        // Couples: forces at unit arms, and their opposites at the centre.
        let half = torque * 0.5;
        for (k, axis) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().enumerate() {
            let couple = half.cross(&axis) + moment.column(k);
            push(axis, couple);
            push(Vec3::zeros(), -couple);
        }
        push(Vec3::zeros(), force);
    }
}

fn one_of(row: BodyRow, bulk: BulkMaterial) -> Bodies {
    insert(&model(vec![row], bulk), Analysis::Dynamic)
}

fn one(row: BodyRow) -> Bodies {
    one_of(row, material(1e6, 0.0))
}

/// `conf` of a rigid body turned about its centre at the origin.
fn turned(rotation: &Mat3) -> Vec<f64> {
    rotation.iter().copied().chain([0.0; 3]).collect()
}

/// `conf` or `velo` of a pseudo-rigid body with its centre at the origin.
fn affine(f: &Mat3) -> Vec<f64> {
    turned(&f.transpose())
}

/// A body at a rotation with a referential spin.
fn spinning(inertia: Mat3, scheme: Scheme, rotation: &Mat3, omega: Vec3) -> Bodies {
    let mut row = rigid(1.0, inertia);
    row.scheme = scheme;
    row.conf = turned(rotation);
    row.velo = vec![omega.x, omega.y, omega.z, 0.0, 0.0, 0.0];
    one(row)
}

/// One step of one body; loads and reactions see the mid-step configuration and the velocity of t.
fn step_with(
    bodies: &mut Bodies,
    h: f64,
    gravity: Vec3,
    load: impl Fn(&Bodies) -> Load,
    reaction: impl Fn(&Bodies) -> Resultant,
) {
    bodies.begin(h);
    let load = load(bodies);
    add_loads(bodies, &[load]);
    bodies.free_velocity(h, &gravity);
    let reaction = reaction(bodies);
    bodies.finish(h, &Reactions(vec![reaction]));
}

fn step(bodies: &mut Bodies, h: f64, gravity: Vec3, load: impl Fn(&Bodies) -> Load) {
    step_with(bodies, h, gravity, load, |_| Resultant::zero());
}

fn no_load(_: &Bodies) -> Load {
    Load::zero()
}

fn steps(bodies: &mut Bodies, h: f64, count: usize) {
    for _ in 0..count {
        step(bodies, h, Vec3::zeros(), no_load);
    }
}

fn omega(bodies: &Bodies) -> Vec3 {
    Vec3::from_column_slice(&bodies.velocity(at(0))[..3])
}

fn kinetic(bodies: &Bodies) -> f64 {
    bodies.energies(at(0))[KINETIC]
}

/// A value that the document gives with so many significant digits.
fn printed(found: f64, expected: f64, digits: i32, what: &str) {
    let unit = 10f64.powi(expected.abs().log10().floor() as i32 + 1 - digits);
    near(found, expected, 0.5001 * unit, what);
}

/// The weight 20 at unit distance along the body axis of a top that turns about its tip.
fn top_load(bodies: &Bodies) -> Load {
    let axis = motion(bodies, at(0)).f * Vec3::z();
    Load { torque: axis.cross(&Vec3::z()) * -20.0, ..Load::zero() }
}

/// A heavy symmetrical top and its total energy.
const TOP: [f64; 3] = [5.0, 5.0, 1.0];

fn top(scheme: Scheme) -> Bodies {
    let rotation = exp_map(&Vec3::new(0.05, 0.0, 0.0));
    spinning(diagonal(TOP[0], TOP[1], TOP[2]), scheme, &rotation, Vec3::z() * 50.0)
}

fn top_energy(bodies: &Bodies) -> f64 {
    kinetic(bodies) + 20.0 * motion(bodies, at(0)).f[(2, 2)]
}

/// Mass 0.45359237 thrown with drag −m v, as in the reference run.
fn projectile() -> Bodies {
    let mut row = rigid(0.45359237, Mat3::identity());
    row.velo = vec![0.0, 0.0, 0.0, 2.54, 0.0, 12.7];
    one(row)
}

fn drag(bodies: &Bodies) -> Load {
    Load { force: Vec3::from_column_slice(&bodies.velocity(at(0))[3..]) * -bodies.mass(at(0)), ..Load::zero() }
}

const PROJECTILE_GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81456);

/// Inverse inertia and twists (free, previous) of the only body, a rigid one.
fn rigid_kinetics(bodies: &Bodies) -> (f64, Mat3, Twist, Twist) {
    let Inertia::Rigid { inverse_mass, inverse_inertia, free, previous } = bodies.inertia(at(0)) else {
        panic!("expected a rigid body");
    };
    (inverse_mass, inverse_inertia, free, previous)
}

/// Diagonal Delassus block of a rigid body at an arm, global axes.
fn rigid_block(bodies: &Bodies, arm: &Vec3, h: f64) -> Mat3 {
    let (inverse_mass, inverse_inertia, ..) = rigid_kinetics(bodies);
    (Mat3::identity() * inverse_mass + skew(arm).transpose() * inverse_inertia * skew(arm)) * h
}

/// A force at an arm from the mass centre of a rigid body.
fn force_at(arm: &Vec3, force: Vec3) -> Resultant {
    Resultant { force, torque: arm.cross(&force), moment: Mat3::zeros() }
}
