//! The pages of docs/formats are the definition of the code.

use std::path::PathBuf;

use solfec_formats::schema::{page, Column};
use solfec_formats::{checkpoint, fclib, matrix_hdf5, mesh_cache, meshes, model, modes, results};

fn tables(text: &str) -> Vec<(&'static str, &'static [Column], String)> {
    [
        ("solfec_formats::model::COLUMNS", model::COLUMNS),
        ("solfec_formats::model::PROVENANCE", model::PROVENANCE),
        ("solfec_formats::results::COLUMNS", results::COLUMNS),
        ("solfec_formats::results::MASTER", results::MASTER),
        ("solfec_formats::results::TIMING", results::TIMING),
        ("solfec_formats::checkpoint::COLUMNS", checkpoint::COLUMNS),
        ("solfec_formats::fclib::COLUMNS", fclib::COLUMNS),
        ("solfec_formats::fclib::STEP", fclib::STEP),
        ("solfec_formats::meshes::COLUMNS", meshes::COLUMNS),
        ("solfec_formats::mesh_cache::COLUMNS", mesh_cache::COLUMNS),
        ("solfec_formats::modes::COLUMNS", modes::COLUMNS),
        ("solfec_formats::matrix_hdf5::COLUMNS", matrix_hdf5::COLUMNS),
    ]
    .into_iter()
    .filter_map(|(name, columns)| {
        let begin = format!("<!-- columns: {name} -->\n");
        let start = text.find(&begin)? + begin.len();
        let end = start + text[start..].find("<!-- end -->")?;
        Some((name, columns, text[start..end].to_string()))
    })
    .collect()
}

/// Every dataset with its type, shape, unit and meaning stands in the page. `SF_UPDATE_DOCS=1` writes the tables anew.
#[test]
fn every_dataset_stands_in_its_page() {
    let mut found = 0;
    let pages = ["model", "results", "checkpoint", "fclib", "mesh-cache", "meshes", "modes", "matrices"];
    for name in pages.map(|page| format!("{page}.md")) {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/formats").join(&name);
        let mut text = std::fs::read_to_string(&path).unwrap();
        for (table, columns, old) in tables(&text) {
            found += 1;
            let new = page(columns);
            if std::env::var_os("SF_UPDATE_DOCS").is_some() {
                let begin = format!("<!-- columns: {table} -->\n");
                text = text.replacen(&format!("{begin}{old}"), &format!("{begin}{new}"), 1);
                std::fs::write(&path, &text).unwrap();
            } else {
                assert_eq!(old, new, "{name}: table of {table}; run this test with SF_UPDATE_DOCS=1");
            }
        }
    }
    assert_eq!(found, 12);
}
