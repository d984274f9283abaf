//! Facts of the smaller files: segments, checkpoints, meshes, local dynamics, XDMF.

use std::path::Path;

use serde_json::{json, Value};
use solfec_formats::{checkpoint, fclib, mesh_cache, meshes, modes, results};

use super::facts::Facts;
use crate::cli::counted;
use crate::cli::{check_hdf5_file, require_exists, CliError};

/// Whether the name is that of an XDMF file.
pub fn is_xdmf(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "xmf" || ending == "xdmf")
}

/// Error 4 if there is nothing to read, 3 if it is no HDF5 file or a directory without results; a deck is told apart.
pub fn require_hdf5(path: &Path) -> Result<(), CliError> {
    require_exists(path)?;
    if path.extension().is_some_and(|ending| ending == "py") {
        let text = format!("{}: is a deck, a Python program; 'sf-build --list' tells what it makes", path.display());
        return Err(CliError::bad_input(text));
    }
    if path.is_dir() && !results::exists(path) {
        let text =
            format!("{}: is a directory without results; give a file, or the directory of a run", path.display());
        return Err(CliError::bad_input(text));
    }
    if path.is_file() {
        check_hdf5_file(path)?;
    }
    Ok(())
}

pub fn segment(path: &Path) -> Result<Facts, CliError> {
    let read = |e: hdf5::Error| CliError::bad_input(format!("{}: {e}", path.display()));
    let file = solfec_formats::open_options().open(path).map_err(read)?;
    let mut domains = Vec::new();
    let mut frames = 0;
    for name in file.group("domains").and_then(|group| group.member_names()).map_err(read)? {
        let times: Vec<f64> =
            file.dataset(&format!("domains/{name}/frames/time")).and_then(|d| d.read_raw()).map_err(read)?;
        frames += times.len();
        domains.push(vec![("frames", json!(times.len())), ("times", json!([times.first(), times.last()]))]);
    }
    let title = format!("segment of results, {}", counted(frames, "frame", "frames"));
    let mut facts = Facts::named(title, path);
    facts.domains = domains;
    Ok(facts)
}

pub fn checkpoint(path: &Path) -> Result<Facts, CliError> {
    let checkpoint = checkpoint::read(path)?;
    let time = checkpoint.state.clock.now;
    let mut facts = Facts::named(format!("checkpoint of domain {}, t={time:.6} s", checkpoint.domain), path);
    facts.add("steps", json!(checkpoint.steps));
    facts.add("frames", json!(checkpoint.frames));
    facts.add("runs_begun", json!(checkpoint.runs));
    facts.add("run_ends_at", json!(checkpoint.run_end));
    facts.add("run_is_over", json!(checkpoint.done));
    Ok(facts)
}

pub fn local_dynamics(path: &Path) -> Result<Facts, CliError> {
    let problem = fclib::read(path)?;
    let contacts = problem.mu.len();
    let mut facts = Facts::named(format!("local dynamics (FCLIB), {}", counted(contacts, "contact", "contacts")), path);
    let text = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
    facts.add("problem", text(&problem.title));
    facts.add("description", text(&problem.description));
    let (least, greatest) =
        problem.mu.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &mu| (a.min(mu), b.max(mu)));
    facts.add("friction", if contacts == 0 { Value::Null } else { json!([least, greatest]) });
    facts.add("equality_rows", json!(problem.equality.map_or(0, |equality| equality.s.len())));
    Ok(facts)
}

/// A mesh file of our own format; sf-mesh info tells more.
pub fn mesh(path: &Path) -> Result<Facts, CliError> {
    let (file, _) = meshes::read(path, None)?;
    let mut facts = Facts::named(format!("mesh, {}", counted(file.parts.len(), "part", "parts")), path);
    let name = |part: &meshes::Part| if part.name.is_empty() { "mesh".to_string() } else { part.name.clone() };
    let part = |part: &meshes::Part| {
        let sets: Vec<&str> = part.sets.iter().map(|set| set.name.as_str()).collect();
        json!({"name": name(part), "nodes": part.mesh.nodes.len(), "elements": part.mesh.elements.len(),
               "faces": part.mesh.faces.len(), "sets": sets})
    };
    facts.add("parts", file.parts.iter().map(part).collect());
    Ok(facts)
}

/// A mesh that TETRAHEDRALIZE keeps; sf-mesh info tells more.
pub fn mesh_cache(path: &Path) -> Result<Facts, CliError> {
    let kept = mesh_cache::read_any(path)?;
    let elements = counted(kept.mesh.elements.len(), "tetrahedron", "tetrahedra");
    let mut facts = Facts::named(format!("mesh of TETRAHEDRALIZE, {elements}"), path);
    let ids = |mut all: Vec<i32>| {
        all.sort_unstable();
        all.dedup();
        json!(all)
    };
    facts.add("nodes", json!(kept.mesh.nodes.len()));
    facts.add("elements", json!(kept.mesh.elements.len()));
    facts.add("faces", json!(kept.mesh.faces.len()));
    facts.add("surfids", ids(kept.mesh.faces.iter().map(|face| face.1).collect()));
    facts.add("regions", ids(kept.mesh.regions));
    facts.add("key", json!(kept.key));
    Ok(facts)
}

/// Modes of a body; sf-modal tells more.
pub fn modes(path: &Path) -> Result<Facts, CliError> {
    let kept = modes::read(path)?;
    let mut facts = Facts::named(format!("modes, {}", counted(kept.base.count(), "vector", "vectors")), path);
    facts.add("label", json!(kept.base.label));
    facts.add("nodes", json!(kept.base.nodes()));
    facts.add("eigenvalues", json!([kept.base.values.first(), kept.base.values.last()]));
    facts.add("mesh_hash", json!(kept.mesh_hash));
    facts.add("material_hash", json!(kept.material_hash));
    Ok(facts)
}

/// An XDMF file and the heavy files it names.
pub fn xdmf(path: &Path) -> Result<Facts, CliError> {
    let text = std::fs::read_to_string(path).map_err(|e| CliError::file(path, "read", &e))?;
    let mut times: Vec<f64> =
        text.split("<Time Value=\"").skip(1).filter_map(|rest| rest.split('"').next()?.trim().parse().ok()).collect();
    // Each family has the times once more.
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut heavy: Vec<&str> =
        text.split(['>', '<', '\n']).filter_map(|part| part.trim().split_once(".h5:")).map(|(name, _)| name).collect();
    heavy.sort_unstable();
    heavy.dedup();
    let folder = path.parent().unwrap_or(Path::new(""));
    let missing: Vec<String> =
        heavy.iter().map(|name| format!("{name}.h5")).filter(|name| !folder.join(name).exists()).collect();
    let mut facts = Facts::named(format!("XDMF, {}", counted(times.len(), "time", "times")), path);
    facts.add("times", json!([times.first(), times.last()]));
    facts.add("heavy_files", heavy.iter().map(|name| json!(format!("{name}.h5"))).collect());
    if !missing.is_empty() {
        facts.add("missing_files", json!(missing));
    }
    Ok(facts)
}
