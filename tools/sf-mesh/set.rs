//! Ids: set.

use clap::Args;
use solfec::math::Vec3;
use solfec::meshdata::seen_faces;
use solfec::shape::RawMesh;

use super::files::{Input, Output};
use super::verb::Verb;
use crate::cli::{non_negative, CliError, Common};

#[derive(Debug, Args)]
pub struct Set {
    #[command(flatten)]
    input: Input,
    /// Volume id of the elements
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    volid: Option<i32>,
    /// Surface id of the boundary faces
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    surfid: Option<i32>,
    /// Only where all corners lie in this box: two opposite corners [m]
    #[arg(long = "box", value_name = "X", num_args = 6, allow_negative_numbers = true)]
    within: Vec<f64>,
    /// Only faces in the plane through a point, across a normal: six numbers
    #[arg(long, value_name = "X", num_args = 6, allow_negative_numbers = true)]
    plane: Vec<f64>,
    /// Only where corners are no farther than this from a point: four numbers, the point and the distance
    #[arg(long, value_name = "X", num_args = 4, allow_negative_numbers = true)]
    ball: Vec<f64>,
    /// Distance within which a corner lies in a box or plane [m] [default: 1e-6 of the size of the mesh]
    #[arg(long, value_name = "D", value_parser = non_negative)]
    tolerance: Option<f64>,
    /// Name of the part
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    output: Output,
}

/// Tolerance in multiples of the diagonal of the mesh.
const RELATIVE: f64 = 1e-6;

impl Verb for Set {
    const NAME: &'static str = "set";
    const ABOUT: &'static str = "Set volume ids and surface ids, everywhere or in a box, plane or ball; name a part";

    fn run(self, common: &Common) -> Result<(), CliError> {
        if self.volid.is_none() && self.surfid.is_none() && self.name.is_none() {
            return Err(CliError::usage("give --volid, --surfid or --name"));
        }
        let mut file = self.input.read(common)?;
        let mut changed = 0;
        for part in &mut file.parts {
            part.mesh = part.explicit().mesh;
            changed += self.apply(&mut part.mesh)?;
            if let Some(name) = &self.name {
                part.name.clone_from(name);
            }
        }
        if changed == 0 && self.name.is_none() {
            return Err(CliError::bad_input("no element or face lies there; nothing is set"));
        }
        self.output.write(&file, common)
    }
}

impl Set {
    /// How many elements and faces got an id.
    fn apply(&self, mesh: &mut RawMesh) -> Result<usize, CliError> {
        let inside = self.region(mesh)?;
        let chosen: Vec<bool> = mesh.nodes.iter().map(inside).collect();
        let all = |nodes: &[u32]| nodes.iter().all(|&n| chosen.get(n as usize).copied().unwrap_or(false));
        let mut changed = 0;
        if let Some(volid) = self.volid {
            for element in mesh.elements.iter_mut().filter(|element| all(element.nodes())) {
                element.volid = volid;
                changed += 1;
            }
        }
        if let Some(surfid) = self.surfid {
            // Faces get their ids explicitly, also those that were not listed.
            mesh.faces = seen_faces(mesh);
            for face in mesh.faces.iter_mut().filter(|face| all(&face.0)) {
                face.1 = surfid;
                changed += 1;
            }
        }
        Ok(changed)
    }

    fn region(&self, mesh: &RawMesh) -> Result<impl Fn(&Vec3) -> bool, CliError> {
        let first = mesh.nodes.first().copied().unwrap_or_default();
        let (low, high) = mesh.nodes.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
        let tolerance = self.tolerance.unwrap_or(RELATIVE * (high - low).norm());
        let given = super::generate::points(&self.within);
        let within = (given.len() == 2).then(|| (given[0].inf(&given[1]), given[0].sup(&given[1])));
        let given = super::generate::points(&self.plane);
        let plane = (given.len() == 2).then(|| (given[0], given[1].try_normalize(0.0)));
        if matches!(plane, Some((_, None))) {
            return Err(CliError::usage("--plane: the normal has no length; give a point and a normal"));
        }
        let ball = (self.ball.len() == 4).then(|| (super::generate::point(&self.ball), self.ball[3]));
        Ok(move |x: &Vec3| {
            within.is_none_or(|(low, high)| (0..3).all(|i| x[i] >= low[i] - tolerance && x[i] <= high[i] + tolerance))
                && plane.is_none_or(|(point, normal)| {
                    normal.is_some_and(|normal: Vec3| (x - point).dot(&normal).abs() <= tolerance)
                })
                && ball.is_none_or(|(center, radius)| (x - center).norm() <= radius + tolerance)
        })
    }
}
