//! Laws, block solvers, Gauss–Seidel, penalty and merit against known solutions, and all solvers on all problems.

mod bilateral;
mod blocks;
mod external;
mod gauss_seidel;
mod map;
mod matrix;
mod merit;
mod penalty;
mod problems;
mod reference;
