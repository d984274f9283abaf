//! Modes of free bodies of finite elements: the smallest eigenvalues of `K x = λ M x` with lumped mass, and the bases
//! that are made of them (docs/theory.md 3).
//!
//! The six rigid modes are written down, the others come from block Lanczos iteration on the shifted and inverted
//! pencil. No matrix of the size of the body is dense.

mod krylov;
mod modes;
mod scaled;

pub use modes::{effective_mass, modes, Modes, Wanted};
