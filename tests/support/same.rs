//! Whether two results files hold the same numbers: every dataset and attribute, byte for byte, `/timing` and
//! `/provenance` apart (docs/architecture.md, rule 3).

use std::collections::BTreeMap;
use std::path::Path;

use hdf5::types::{FixedUnicode, TypeDescriptor, VarLenUnicode};
use hdf5::{Container, Dataset, Group};

/// Clock readings, who ran what, and how the rows lie in files.
fn is_free(path: &str) -> bool {
    let inner = path.trim_start_matches("/model").trim_start_matches("/domains/").trim_start_matches(char::is_numeric);
    path.starts_with("/timing")
        || inner.starts_with("/provenance")
        || inner.starts_with("/segments")
        || inner == "/frames/segment"
        || ["/@records", "/@model_file", "/@packed", "/@complete"].contains(&path)
}

/// Nothing if the files (masters or packed files) are the same, else the first dataset or attribute that differs. Close
/// the results before: virtual datasets show zeros where this process has their segments open.
pub fn same_results(a: &Path, b: &Path) -> Option<String> {
    let (a, b) = (content(a), content(b));
    let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
    names.sort();
    names.iter().find(|name| a.get(**name) != b.get(**name)).map(|name| name.to_string())
}

/// Every dataset and attribute by its path: shape, type and bytes.
pub fn content(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut options = hdf5::File::with_options();
    options.with_fapl(|p| p.file_locking(false));
    let file = options.open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut all = BTreeMap::new();
    walk(&file, "", &mut all);
    all
}

fn walk(group: &Group, at: &str, all: &mut BTreeMap<String, Vec<u8>>) {
    for key in group.attr_names().unwrap() {
        let path = format!("{at}/@{key}");
        if !is_free(&path) {
            all.insert(path, bytes(&group.attr(&key).unwrap()));
        }
    }
    for name in group.member_names().unwrap() {
        let path = format!("{at}/{name}");
        if is_free(&path) {
            continue;
        }
        match group.group(&name) {
            Ok(inner) => walk(&inner, &path, all),
            Err(_) => {
                let set: Dataset = group.dataset(&name).unwrap();
                all.insert(path, bytes(&set));
            }
        }
    }
}

fn bytes(of: &Container) -> Vec<u8> {
    let kind = of.dtype().unwrap().to_descriptor().unwrap();
    let mut all = format!("{kind} {:?}\n", of.shape()).into_bytes();
    macro_rules! numbers {
        ($t:ty) => {
            of.read_raw::<$t>().unwrap().iter().for_each(|x| all.extend(x.to_le_bytes()))
        };
    }
    match kind {
        TypeDescriptor::Float(_) => numbers!(f64),
        TypeDescriptor::Unsigned(_) => numbers!(u64),
        TypeDescriptor::Integer(_) => numbers!(i64),
        TypeDescriptor::FixedUnicode(_) => {
            of.read_raw::<FixedUnicode<256>>().unwrap().iter().for_each(|s| all.extend(format!("{s}\0").bytes()))
        }
        _ => of.read_raw::<VarLenUnicode>().unwrap().iter().for_each(|s| all.extend(format!("{s}\0").bytes())),
    }
    all
}
