//! sf-modal pod: a base from the frames of results, by proper orthogonal decomposition (Sirovich 1987): the left singular
//! vectors of co-rotated displacements, in the inner product of the mass and orthogonal to the rigid modes.

use nalgebra::DMatrix;
use solfec::body::{rigid_modes, Pencil};
use solfec::math::Vec3;
use solfec::model::{Base, BodyKind, Model};
use solfec::query::{Point, ShownBodies};

use super::args::Pod;
use super::{flat, keep};
use crate::cli::{open_results, select_bodies, write_stdout, CliError};

/// Singular values below this multiple of the largest are noise.
const NOISE: f64 = 1e-12;

pub fn run(args: &Pod) -> Result<(), CliError> {
    let results = open_results(&args.from)?;
    let models = results.model()?.domains;
    let model = models.get(args.domain);
    let model =
        model.ok_or_else(|| CliError::usage(format!("--domain {}: there are {}", args.domain, models.len())))?;
    let rows = bodies(model, args)?;
    let pencils: Vec<(usize, Pencil)> = rows
        .iter()
        .map(|&row| Ok((row, Pencil::of(model, model.bodies[row].id, &[])?)))
        .collect::<solfec::Result<_>>()?;
    let nodes = pencils[0].1.nodes();
    if let Some((row, other)) = pencils.iter().find(|(_, pencil)| pencil.nodes() != nodes) {
        let title = model.bodies[*row].title();
        let text = format!(
            "{title} has {} nodes and others {nodes}; choose bodies of equal meshes by --subset",
            other.nodes()
        );
        return Err(CliError::bad_input(text));
    }
    let mut snapshots = Vec::new();
    for k in 0..results.frame_times(args.domain)?.len() {
        let frame = results.read_frame(args.domain, k)?;
        for view in ShownBodies::of(model, &frame).all() {
            let Some((_, pencil)) = pencils.iter().find(|(row, _)| *row == view.row().index()) else { continue };
            let x: Vec<Vec3> = pencil.reference.iter().map(|x| view.place(&Point::new(*x))).collect();
            snapshots.extend(pencil.corotated(&x));
        }
    }
    let (base, shares) = decompose(&pencils[0].1, &snapshots, args.number as usize)?;
    keep(&args.output, base, Vec::new(), Some(&pencils[0].1), f64::NAN, args.force)?;
    let mut text = format!("{} snapshots\nvector share_of_the_square\n", snapshots.len());
    for (k, share) in shares.iter().enumerate() {
        text += &format!("{:>6} {share:.6e}\n", k + 7);
    }
    write_stdout(if args.common.quiet { "" } else { &text }.as_bytes())
}

fn bodies(model: &Model, args: &Pod) -> Result<Vec<usize>, CliError> {
    let chosen = match args.subset.as_slice() {
        [] => vec![true; model.bodies.len()],
        rules => select_bodies(model, rules).map_err(|e| CliError::bad_input(format!("--subset: {e}")))?,
    };
    let finite = |row: &usize| chosen[*row] && model.bodies[*row].kind == BodyKind::FiniteElement;
    let rows: Vec<usize> = (0..model.bodies.len()).filter(finite).collect();
    if rows.is_empty() {
        return Err(CliError::bad_input("there is no body of finite elements"));
    }
    Ok(rows)
}

/// The base of so many vectors, and the share of each that is not rigid in the square of the snapshots.
fn decompose(pencil: &Pencil, snapshots: &[Vec<Vec3>], number: usize) -> Result<(Base, Vec<f64>), CliError> {
    let rigid = rigid_modes(&pencil.reference, &pencil.mass);
    let root: Vec<f64> = pencil.mass.iter().map(|mass| mass.sqrt()).collect();
    let scaled =
        |x: &[Vec3]| -> Vec<f64> { x.iter().zip(&root).flat_map(|(x, r)| [x.x * r, x.y * r, x.z * r]).collect() };
    let fixed: Vec<Vec<f64>> = rigid.iter().map(|x| scaled(x)).collect();
    let mut columns: Vec<Vec<f64>> = snapshots.iter().map(|x| scaled(x)).collect();
    for column in &mut columns {
        for other in &fixed {
            let share: f64 = other.iter().zip(column.iter()).map(|(a, b)| a * b).sum();
            column.iter_mut().zip(other).for_each(|(x, other)| *x -= share * other);
        }
    }
    let matrix = DMatrix::from_fn(3 * pencil.nodes(), columns.len(), |i, j| columns[j][i]);
    let svd = matrix.svd(true, false);
    let largest = svd.singular_values.iter().copied().fold(0.0, f64::max);
    let sum: f64 = svd.singular_values.iter().map(|s| s * s).sum();
    let none = || CliError::bad_input("the bodies do not deform in these results; give a run in which they do");
    let left = svd.u.filter(|_| largest > 0.0).ok_or_else(none)?;
    let mut order: Vec<usize> = (0..svd.singular_values.len()).collect();
    order.sort_by(|a, b| svd.singular_values[*b].total_cmp(&svd.singular_values[*a]));
    order.retain(|k| svd.singular_values[*k] > NOISE * largest);
    order.truncate(number - rigid.len());
    let mut vectors: Vec<f64> = rigid.iter().flat_map(|x| flat(x).collect::<Vec<_>>()).collect();
    for &k in &order {
        vectors.extend(
            left.column(k).iter().enumerate().map(|(i, x)| if root[i / 3] > 0.0 { x / root[i / 3] } else { 0.0 }),
        );
    }
    let shares: Vec<f64> = order.iter().map(|k| svd.singular_values[*k].powi(2) / sum).collect();
    let values = std::iter::repeat_n(0.0, rigid.len()).chain(order.iter().map(|_| 0.0)).collect();
    Ok((Base::new("", values, vectors)?, shares))
}
