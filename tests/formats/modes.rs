//! Files of modes: round trips, files of Solfec-1.0, damage.

use solfec::model::Base;
use solfec_formats::modes::{is_one, read, write, Kept};
use tools_testing::scratch::Scratch;

fn kept() -> Kept {
    let vectors = (0..24).map(|k| (k as f64).sin() / 3.0).collect();
    Kept {
        base: Base::new("BAR", vec![0.0, 1.0 / 3.0], vectors).expect("a base"),
        residuals: vec![0.0, 1e-12],
        mesh_hash: "12ab".into(),
        material_hash: "34cd".into(),
        abstol: 1e-11,
    }
}

#[test]
fn modes_come_back_bit_for_bit() {
    let folder = Scratch::new();
    let path = folder.path("new/modes.h5");
    write(&path, &kept()).expect("written");
    assert_eq!(read(&path).expect("read"), kept());
    assert!(is_one(&path));
    assert!(solfec_formats::check_file(&path).expect("checked").is_empty());
    let mut bytes = std::fs::read(&path).expect("bytes");
    let wanted = kept().base.vectors[5].to_le_bytes();
    let at = bytes.windows(8).position(|x| x == wanted).expect("a number of the vectors");
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).expect("damaged");
    assert!(read(&path).expect_err("damage").to_string().contains("checksum"));
}

/// Solfec-1.0 kept rows and number of modes as integers `i`, values and vectors as numbers `d`.
#[test]
fn modes_of_the_original_are_read() {
    let folder = Scratch::new();
    let path = folder.path("old.h5");
    let write_old = |sizes: [i32; 2], numbers: &[f64]| {
        let file = hdf5::File::create(&path).expect("a file");
        file.new_dataset_builder().with_data(&sizes).create("i").expect("sizes");
        file.new_dataset_builder().with_data(numbers).create("d").expect("numbers");
    };
    let Base { values, vectors, .. } = kept().base;
    write_old([12, 2], &[values.clone(), vectors.clone()].concat());
    let found = read(&path).expect("read");
    assert_eq!((&found.base.values, &found.base.vectors, found.base.nodes()), (&values, &vectors, 4));
    assert!(is_one(&path) && found.mesh_hash.is_empty() && found.abstol.is_nan());
    write_old([12, 3], &[values, vectors].concat());
    assert!(read(&path).expect_err("too few numbers").to_string().contains("26 numbers, but 3 values"));
    std::fs::write(&path, "no file of modes").expect("text");
    assert!(!is_one(&path) && read(&path).is_err());
}
