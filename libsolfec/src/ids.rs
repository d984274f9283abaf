//! The numbers by which a body, and what belongs to it, is known. They are different types so that none is taken for
//! another.
//!
//! Ids and catalogue rows mean the same on every rank and in every file. Dense indices and operator slots are places in
//! the columns of one process and change when bodies come and go: nothing may rely on their order, only ids are
//! compared.

use serde::{Deserialize, Serialize};

macro_rules! number {
    ($(#[$text:meta])* $name:ident($inner:ty)) => {
        $(#[$text])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        #[repr(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// The number as an index of a column.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// The number of a body that users and files see: from 1, never used again.
    BodyId(u64)
}
number! {
    /// Row of a body in the model's table and in the catalogue of its results.
    CatalogueRow(u32)
}
number! {
    /// Place of a body in the columns of this process.
    BodyIndex(u32)
}
number! {
    /// Place of a dynamic body in the Delassus operator of a step.
    Slot(u32)
}
number! {
    /// A convex part of a body's shapes, counted through all of them.
    ObjectIndex(u32)
}

impl CatalogueRow {
    /// In columns of files: no body.
    pub const NONE: CatalogueRow = CatalogueRow(u32::MAX);
}

impl Slot {
    /// What does not move takes no part in the operator.
    pub const NONE: Slot = Slot(u32::MAX);
}

impl ObjectIndex {
    /// A point that belongs to no convex part.
    pub const NONE: ObjectIndex = ObjectIndex(u32::MAX);
}
