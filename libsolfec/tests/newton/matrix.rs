//! The problems of the cross-solver matrix (constraints-solvers-parallel.md 12.6) against Gauss–Seidel.

use super::*;
