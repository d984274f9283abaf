//! Finding the files of results: the master, and the committed segments of each rank.

use std::path::{Path, PathBuf};

use super::tables::FrameTable;
use super::{segment, segment_number, FORMAT, MAJOR, MASTER_SUFFIX, SEGMENTS};
use crate::error::{Error, Result};
use crate::store::In;

/// The master of the results in a directory.
pub(super) fn find_master(dir: &Path) -> Result<PathBuf> {
    let named = super::master_path(dir);
    if named.is_file() {
        return Ok(named);
    }
    let entries = std::fs::read_dir(dir).map_err(|e| Error::io(dir, "read results", &e))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.to_string_lossy().ends_with(MASTER_SUFFIX)).collect();
    found.sort();
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(Error::Format(format!("{}: no results here (no file *{MASTER_SUFFIX})", dir.display()))),
        n => Err(Error::Format(format!("{}: {n} files *{MASTER_SUFFIX}; name one", dir.display()))),
    }
}

/// A segment, or a packed file.
#[derive(Debug)]
pub(super) struct Part {
    pub file: In,
    /// Number of the segment; 0: a packed file.
    pub number: u64,
    pub records: [u64; 2],
    /// How many ranks wrote these frames.
    pub ranks: u32,
    /// Index of each domain in this file.
    pub domains: Vec<FrameTable>,
}

pub(super) fn base(domain: usize) -> String {
    format!("/domains/{domain}")
}

pub(super) fn domain_names(master: &In) -> Result<Vec<String>> {
    let members = master.members("/domains")?;
    let mut names = Vec::with_capacity(members.len());
    for (k, member) in members.iter().enumerate() {
        if *member != k.to_string() {
            let text = format!("group /domains/{member}: domains must be numbered 0, 1, …");
            return Err(Error::format(&master.name, text));
        }
        let name = master.text_attribute(&base(k), "name")?;
        names.push(name.unwrap_or_else(|| member.clone()));
    }
    Ok(names)
}

/// A packed file is its only part.
pub(super) fn itself(master: &In, domains: usize) -> Result<Vec<Vec<Part>>> {
    let domains = (0..domains).map(|k| segment::read_index(master, &base(k))).collect::<Result<_>>()?;
    Ok(vec![vec![Part { file: master.again(), number: 0, records: segment::records(master)?, ranks: 1, domains }]])
}

/// The committed segments of each rank, without parts of merged ones. A rank that has none yet has an empty list.
pub(super) fn segments(dir: &Path, master: &In, domains: usize) -> Result<Vec<Vec<Part>>> {
    let mut files = files(&dir.join(SEGMENTS))?;
    files.sort();
    let mut opened: Vec<Vec<_>> = (0..segment::rank(master)?.count).map(|_| Vec::new()).collect();
    for ((number, rank), path) in &files {
        let Some(of_rank) = opened.get_mut(*rank as usize) else {
            return Err(Error::format(
                &path.display().to_string(),
                "a segment of a rank that the master does not count",
            ));
        };
        match In::open(path, FORMAT, MAJOR) {
            Ok(file) => of_rank.push((segment::records(&file)?, *number, file)),
            // Merged away since the directory was read.
            Err(Error::Io(_)) if !path.exists() => {}
            Err(e) => return Err(e),
        }
    }
    let mut parts: Vec<Vec<Part>> = Vec::with_capacity(opened.len());
    for of_rank in opened {
        let found = chain(of_rank, dir, domains, parts.first().map_or(&[], |first| first))?;
        parts.push(found);
    }
    Ok(parts)
}

type Numbered = ((u64, u32), PathBuf);

/// Files of segments by number and rank.
fn files(folder: &Path) -> Result<Vec<Numbered>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Error::io(folder, "read", &e)),
    };
    let numbered = |e: std::io::Result<std::fs::DirEntry>| {
        let entry = e.ok()?;
        Some((segment_number(&entry.file_name().to_string_lossy())?, entry.path()))
    };
    Ok(entries.filter_map(numbered).collect())
}

/// The segments of a rank, in order. There is a gap only where fewer ranks wrote, as those of the `first` rank tell:
/// which are none for that rank itself.
fn chain(mut opened: Vec<([u64; 2], u64, In)>, dir: &Path, domains: usize, first: &[Part]) -> Result<Vec<Part>> {
    // Where two cover the same frames the longer one counts.
    opened.sort_by_key(|(r, _, _)| (r[0], std::cmp::Reverse(r[1])));
    let mut parts: Vec<Part> = Vec::with_capacity(opened.len());
    for (records, number, file) in opened {
        let end = parts.last().map_or(0, |p| p.records[1]);
        if records[1] <= end && !parts.is_empty() {
            continue;
        }
        let rank = segment::rank(&file)?;
        if records[0] != end && !may_lack(first, rank.number, [end, records[0]]) {
            let (folder, gap) = (dir.join(SEGMENTS), records[0].abs_diff(end));
            let text = format!(
                "{gap} frames and steps before it ({end} to {}, counted together) are in no segment; a file is missing \
                 in {}",
                records[0],
                folder.display()
            );
            return Err(Error::format(&file.name, text));
        }
        let domains = (0..domains).map(|k| segment::read_index(&file, &base(k))).collect::<Result<_>>()?;
        parts.push(Part { file, number, records, ranks: rank.count, domains });
    }
    Ok(parts)
}

/// Whether all of these records were written without this rank.
fn may_lack(first: &[Part], rank: u32, [from, to]: [u64; 2]) -> bool {
    let among = |part: &&Part| part.records[0] < to && part.records[1] > from;
    from < to && rank > 0 && first.iter().filter(among).all(|part| part.ranks <= rank)
}

/// Segments that the master names and that do not exist.
pub(super) fn unfound(dir: &Path, master: &In, domains: usize) -> Vec<String> {
    let named = (0..domains).filter_map(|k| master.text(&base(k), "segments/file").ok()).flatten();
    let mut lost: Vec<String> = named.filter(|file| !dir.join(file).exists()).collect();
    lost.sort();
    lost.dedup();
    lost
}
