//! What every tool has in common: exit codes, error and warning lines, common options, progress, provenance, standard
//! streams and files written whole. No mechanics, and nothing about a particular tool.
//!
//! A tool's `main` is one call of [`main_with`]; its body returns `Result<(), CliError>` and prints its product through
//! [`Product`]. Standard output carries the product only; all that is meant for people goes to standard error.

mod bre;
mod child;
mod circumstances;
mod entry;
mod exit;
mod frames;
mod hangup;
mod harmless;
mod input;
mod memory;
mod messages;
mod npz;
mod number;
mod options;
mod output;
mod pace;
mod processor;
mod progress;
mod provenance;
mod subset;
mod suggest;
mod temporary;
mod verify;

pub use child::{is_reading_child, read_in_child, Outcome};
pub use circumstances::Circumstances;
pub use entry::{main_with, parse};
pub use exit::{CliError, Exit};
pub use frames::{beyond_frames, select_frames, turned, TimeSpec};
pub use hangup::ignored;
pub use harmless::{cell, harmless};
pub use input::{check_hdf5_bytes, check_hdf5_file, open_results, read_hdf5_stdin, require_exists};
pub use memory::OrEnd;
pub use messages::{color_on_stderr, print_error, print_note, Warnings, SHOWN_OF_EACH_KIND};
pub use npz::{npy, npy_integers, npy_text, npz};
pub use number::{assignment, count, counted, json_number, non_negative, number, rounded, some_wall_time, wall_time};
pub use options::{Color, Common, ProgressMode, COMPAT, EXIT_CODES};
pub use output::{refuse_binary_to_terminal, write_stdout, Part, Product};
pub use pace::Pace;
pub use progress::{Progress, StepInfo};
pub use provenance::{resident_kb, utc, Record};
pub use subset::{select_bodies, BodyRule};
pub use suggest::did_you_mean;
pub use temporary::Temporary;
pub use verify::{require_sound, verify, Checked};

/// What `--version` prints after the name: version, then the versions of the formats read and written.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (formats: model 2.0, results 2.0)");
