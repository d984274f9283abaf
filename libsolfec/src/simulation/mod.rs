//! The State of a run and its time step (constraints-solvers-parallel.md 1.1). Phases read some columns and write
//! others; what the user must be told is returned as a [`Moment`], never called.
