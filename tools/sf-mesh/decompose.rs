//! Convex parts of a surface: decompose.

use clap::Args;
use serde_json::json;
use solfec::meshdata::{decompose, join, Bounds};
use solfec::shape::RawMesh;
use solfec_formats::meshes::{MeshFile, Part};

use super::bodies::surface_of;
use super::files::{tell_lost_sets, welded, Input, Output};
use super::verb::Verb;
use crate::cli::{print_note, CliError, Common, Warnings};

#[derive(Debug, Args)]
pub struct Decompose {
    #[command(flatten)]
    input: Input,
    /// Volume of the pieces outside of the surface at most, as part of the volume that it encloses
    #[arg(long, value_name = "F", default_value_t = 0.05)]
    volume: f64,
    /// Distance of faces of the pieces outside of the surface at most [m] [default: a twentieth of its diagonal]
    #[arg(long, value_name = "D")]
    distance: Option<f64>,
    /// Pieces at most
    #[arg(long, value_name = "N", default_value_t = 64)]
    pieces: usize,
    #[command(flatten)]
    output: Output,
}

/// Default distance in multiples of the diagonal.
const DISTANCE: f64 = 0.05;

impl Verb for Decompose {
    const NAME: &'static str = "decompose";
    const ABOUT: &'static str = "Make convex pieces without overlap of a closed surface, for CONVEX_FILE of decks";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let file = self.input.read(common)?;
        tell_lost_sets(file.parts.iter().flat_map(|part| &part.sets));
        let mut surface = RawMesh::default();
        file.parts.iter().for_each(|part| join(&mut surface, &part.surface()));
        let (surface, diagonal) = welded(surface)?;
        let distance = self.distance.unwrap_or(DISTANCE * diagonal);
        let bounds = Bounds { volume: self.volume, distance, pieces: self.pieces };
        let place = |error: solfec::Error| CliError::bad_input(format!("{}: {error}", self.input.file.display()));
        let found = decompose(&surface, &bounds).map_err(place)?;
        let excess = found.together.volume / found.solid.volume - 1.0;
        let text = format!(
            "{} pieces; volume {:.4} % more than that of the surface, faces up to {:.4} m outside of it, mass centre \
             moved by {:.4} m",
            found.convex.len(),
            100.0 * excess,
            found.distance,
            (found.together.center - found.solid.center).norm()
        );
        if !found.within {
            let mut warnings = Warnings::new(super::TOOL);
            warnings.warn(
                "bounds",
                &format!("the bounds are not kept with {} pieces; allow more by --pieces", self.pieces),
            );
        }
        if common.json {
            let inertia = found.solid.inertia();
            let center = found.solid.center;
            let rows: Vec<[f64; 3]> = (0..3).map(|i| [inertia[(i, 0)], inertia[(i, 1)], inertia[(i, 2)]]).collect();
            let report = json!({"schema": "sf-mesh-decompose/1", "pieces": found.convex.len(), "within": found.within,
                "volume": found.solid.volume, "center": [center.x, center.y, center.z], "inertia": rows,
                "volume_of_pieces": found.together.volume, "distance": found.distance});
            eprintln!("{report}");
        } else if !common.quiet {
            print_note(super::TOOL, &text);
        }
        let piece = |(k, convex)| Part { name: format!("PIECE-{k}"), mesh: surface_of(convex), sets: Vec::new() };
        let parts = (1..).zip(&found.convex).map(piece).collect();
        self.output.write(&MeshFile { parts, solid: Some(found.solid) }, common)
    }
}
