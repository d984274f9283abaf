//! What all families of an export look at, and where they put steps.

use solfec::frame::Frame;
use solfec::model::{Model, StoredOp};
use solfec::query::{BodyView, ShownBodies};

use super::labels::Labels;
use super::step::Step;
use crate::cli::CliError;

/// What the user may ask to be exported beside identity columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Disp,
    Velo,
    Stress,
    Reac,
    Relv,
    Gap,
    Energy,
    Mises,
    Error,
}

impl Wanted {
    pub const ALL: [(&'static str, Wanted); 9] = [
        ("DISP", Wanted::Disp),
        ("VELO", Wanted::Velo),
        ("STRESS", Wanted::Stress),
        ("REAC", Wanted::Reac),
        ("RELV", Wanted::Relv),
        ("GAP", Wanted::Gap),
        ("ENERGY", Wanted::Energy),
        ("MISES", Wanted::Mises),
        ("ERROR", Wanted::Error),
    ];

    /// By the name on command lines and in decks.
    pub fn named(name: &str) -> Option<Wanted> {
        Wanted::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, wanted)| wanted)
    }
}

/// What all families look at.
pub struct Context<'a> {
    pub model: &'a Model,
    /// For each body of the model whether it is exported.
    pub chosen: &'a [bool],
    pub wanted: &'a [Wanted],
    /// Stresses of deforming bodies are the recovered ones.
    pub recovered: bool,
    pub labels: Labels,
    /// Operations that acted and the steps made by then: they may change materials.
    pub program: Vec<(StoredOp, u64)>,
}

impl<'a> Context<'a> {
    pub fn new(model: &'a Model, chosen: &'a [bool], wanted: &'a [Wanted]) -> Self {
        Context { model, chosen, wanted, recovered: false, labels: Labels::of(model), program: Vec::new() }
    }

    pub fn wants(&self, what: Wanted) -> bool {
        self.wanted.contains(&what)
    }

    pub fn chosen(&self, row: u32) -> bool {
        self.chosen.get(row as usize).copied().unwrap_or(false)
    }

    /// Chosen bodies of a frame for which `has` holds.
    pub fn shown<'b>(&'b self, frame: &'b Frame, has: impl Fn(u32) -> bool) -> Vec<Option<BodyView<'b>>> {
        let wanted = |row: u32| self.chosen(row) && has(row);
        ShownBodies::of(self.model, frame).all().filter(|body| wanted(body.row().0)).map(Some).collect()
    }
}

/// Takes steps.
pub type Emit<'a> = dyn FnMut(&Step) -> Result<(), CliError> + 'a;
