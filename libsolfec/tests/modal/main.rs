//! Modes of bodies of finite elements against closed forms.

mod spectra;

use solfec::body::Pencil;
use solfec::math::Vec3;
use solfec::modal::{modes, Modes, Wanted};
use solfec::model::BodyKind;
use solfec::shape::{Element, Geometry, Mesh, Shape};
use solfec_testing::world::{block, corners, World};

/// A body of finite elements of this mesh, alone in a model.
fn pencil(mesh: Shape, young: f64, poisson: f64, density: f64) -> Pencil {
    let mut world = World::new(1e-3);
    (world.model.bulk[0].young, world.model.bulk[0].poisson, world.model.bulk[0].density) = (young, poisson, density);
    let id = world.body(BodyKind::FiniteElement, &[mesh], density);
    Pencil::of(&world.model, id, &[]).expect("a body")
}

fn wanted(count: usize) -> Wanted {
    Wanted { count, tolerance: 1e-11, restarts: 100 }
}

fn lowest(pencil: &Pencil, count: usize) -> Modes {
    modes(pencil, &wanted(count)).expect("modes")
}

/// `xᵀ M y`
fn product(x: &[Vec3], y: &[Vec3], mass: &[f64]) -> f64 {
    x.iter().zip(y).zip(mass).map(|((x, y), mass)| x.dot(y) * mass).sum()
}
