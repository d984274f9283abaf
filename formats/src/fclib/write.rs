//! Problems, solutions and steps → files.

use std::path::Path;

use hdf5::types::FixedAscii;
use solfec::math::Vec3;
use solfec::solver::LocalDynamics;

use super::columns::SCHEMA;
use super::export::{export, resolved};
use super::step::{analysis_name, law_numbers, FORMAT, VERSION};
use super::{Raw, Solution, Source, Sparse};
use crate::error::{Error, Result};
use crate::store::failed_write;
use crate::store::{self, Out};

/// Bytes of a text of `info`, with at least one zero at the end: readers in C take it as it is.
const INFO_BYTES: usize = 256;

/// Writes the local dynamics of a step as `path`: an FCLIB local problem with its solution, and beside it in `/solfec`
/// all that is needed to have the step back bit for bit. `runs` goes to `/provenance/runs`. Errors name a constraint
/// that FCLIB cannot hold.
pub fn write(path: &Path, step: &LocalDynamics, runs: &[String]) -> Result<()> {
    let (raw, solution) = export(step).map_err(|e| Error::Format(format!("{}: {e}", path.display())))?;
    store::create(path, SCHEMA, 0, |out| {
        problem(out, &raw)?;
        put_solution(out, &solution)?;
        put_step(out, step)?;
        head(out, FORMAT)?;
        out.put_text("", "provenance/runs", runs)
    })
}

/// Writes a problem and a solution of it as `path`.
pub fn write_problem(path: &Path, raw: &Raw, solution: &Solution) -> Result<()> {
    store::create(path, SCHEMA, 0, |out| {
        problem(out, raw)?;
        put_solution(out, solution)
    })
}

/// Makes `to`, which may be `from`: the file `from` with this `/solution`, in the order of the file; in a dump of ours
/// `/solfec` gets the same solution. `to` appears whole.
pub fn write_solution(from: &Path, to: &Path, solution: &Solution) -> Result<()> {
    let named = |e: Error| Error::Format(format!("{}: {e}", from.display()));
    let step = Source::open(from)?.step()?;
    let step = step.map(|step| resolved(&step, solution).map_err(named)).transpose()?;
    store::amend(from, to, SCHEMA, |out| {
        out.remove("solution")?;
        put_solution(out, solution)?;
        let Some(step) = &step else { return Ok(()) };
        ["solfec/U", "solfec/R", "solfec/merit"].iter().try_for_each(|path| out.remove(path))?;
        put_state(out, step)
    })
}

fn head(out: &Out, format: &str) -> Result<()> {
    let root = out.group("")?;
    for (key, value) in [
        ("format", format),
        ("format_version", VERSION),
        ("generator", concat!("Solfec tools ", env!("CARGO_PKG_VERSION"))),
        ("unit_system", "SI"),
    ] {
        out.attribute(&root, key, value)?;
    }
    Ok(())
}

fn problem(out: &mut Out, raw: &Raw) -> Result<()> {
    out.put("", "fclib_local/spacedim", &[3i32])?;
    matrix(out, "fclib_local/W", &raw.w)?;
    out.put("", "fclib_local/vectors/q", &raw.q)?;
    out.put("", "fclib_local/vectors/mu", &raw.mu)?;
    if let Some(e) = &raw.equality {
        matrix(out, "fclib_local/V", &e.v)?;
        matrix(out, "fclib_local/R", &e.r)?;
        out.put("", "fclib_local/vectors/s", &e.s)?;
    }
    let math = "u = W r + q + V l, V^T r + R l + s = 0; triples (N, T2, T1); r, l forces, u velocities";
    for (name, text) in [("title", raw.title.as_str()), ("description", &raw.description), ("math_info", math)] {
        info(out, name, text)?;
    }
    Ok(())
}

/// A scalar string of fixed length in ASCII.
fn info(out: &Out, name: &str, text: &str) -> Result<()> {
    let ascii: String = text.chars().map(|c| if c.is_ascii() && c != '\0' { c } else { '?' }).collect();
    let failed = |e: hdf5::Error| failed_write(&format!("fclib_local/info/{name}"), &e);
    let text = FixedAscii::<INFO_BYTES>::from_ascii(&ascii.as_bytes()[..ascii.len().min(INFO_BYTES - 1)]);
    let text = text.map_err(|e| failed(e.to_string().into()))?;
    let group = out.group("fclib_local/info")?;
    let set = group.new_dataset::<FixedAscii<INFO_BYTES>>().obj_track_times(false).create(name);
    let set = set.and_then(|set| set.write_scalar(&text).map(|()| set)).map_err(failed)?;
    out.attribute(&set, "units", "1")?;
    out.attribute(&set, "description", "text for people")
}

/// By rows.
fn matrix(out: &mut Out, base: &str, a: &Sparse) -> Result<()> {
    let narrow = |n: usize| {
        i32::try_from(n)
            .map_err(|_| Error::Format(format!("{base}: {n} entries are too many for FCLIB's 32-bit numbers")))
    };
    let all = |x: &[usize]| x.iter().map(|&n| narrow(n)).collect::<Result<Vec<i32>>>();
    let at = |name: &str| format!("{base}/{name}");
    out.put("", &at("nzmax"), &[narrow(a.value.len())?])?;
    out.put("", &at("m"), &[narrow(a.rows)?])?;
    out.put("", &at("n"), &[narrow(a.columns)?])?;
    out.put("", &at("nz"), &[-2i32])?;
    out.put("", &at("p"), &all(&a.offset)?)?;
    out.put("", &at("i"), &all(&a.column)?)?;
    out.put("", &at("x"), &a.value)
}

fn put_solution(out: &mut Out, solution: &Solution) -> Result<()> {
    out.put("", "solution/r", &solution.r)?;
    out.put("", "solution/u", &solution.u)?;
    if solution.l.is_empty() {
        return Ok(());
    }
    out.put("", "solution/l", &solution.l)
}

fn put_step(out: &mut Out, step: &LocalDynamics) -> Result<()> {
    let rows = &step.rows;
    out.put("", "solfec/id", &rows.iter().map(|r| r.id).collect::<Vec<u64>>())?;
    out.put("", "solfec/kind", &rows.iter().map(|r| r.kind).collect::<Vec<u8>>())?;
    out.put("", "solfec/bodies", &rows.iter().map(|r| [r.master, r.slave.unwrap_or(0)]).collect::<Vec<_>>())?;
    out.put_text("", "solfec/name", &rows.iter().map(|r| r.name.as_str()).collect::<Vec<_>>())?;
    out.put("", "solfec/point", &rows.iter().map(|r| r.point.into()).collect::<Vec<[f64; 3]>>())?;
    out.put("", "solfec/base", &rows.iter().map(|r| nine(&r.base)).collect::<Vec<_>>())?;
    let laws: Vec<(u8, [f64; 4])> = rows.iter().map(|r| law_numbers(&r.law)).collect();
    out.put("", "solfec/law", &laws.iter().map(|l| l.0).collect::<Vec<u8>>())?;
    out.put("", "solfec/law_data", &laws.iter().map(|l| l.1).collect::<Vec<_>>())?;
    vectors(out, "solfec/B", &step.free)?;
    vectors(out, "solfec/V", &step.previous)?;
    put_state(out, step)?;
    out.put("", "solfec/W/row_offset", &step.w.row_offset.iter().map(|&n| n as u64).collect::<Vec<u64>>())?;
    out.put("", "solfec/W/column", &step.w.column)?;
    out.put("", "solfec/W/block", &step.w.block.iter().map(nine).collect::<Vec<_>>())?;
    out.set_numbers("/solfec", "h", &[step.h])?;
    out.set_numbers("/solfec", "time", &[step.time])?;
    out.set_numbers("/solfec", "kinetic", &[step.energy])?;
    out.set_text("/solfec", "analysis", analysis_name(step.analysis))
}

/// What the solve has found.
fn put_state(out: &mut Out, step: &LocalDynamics) -> Result<()> {
    vectors(out, "solfec/U", &step.u)?;
    vectors(out, "solfec/R", &step.r)?;
    out.put("", "solfec/merit", &step.merit)
}

fn vectors(out: &mut Out, path: &str, x: &[Vec3]) -> Result<()> {
    out.put("", path, &x.iter().map(|&x| x.into()).collect::<Vec<[f64; 3]>>())
}

fn nine(m: &solfec::math::Mat3) -> [f64; 9] {
    std::array::from_fn(|k| m[(k % 3, k / 3)])
}
