use super::sample;
use solfec_formats::model::{from_bytes, read_file, to_bytes, write_file};

#[test]
fn a_model_comes_back_as_it_was() {
    let dir = sample::folder("model-round-trip");
    let path = dir.join("sample.sfm.h5");
    let file = sample::file();
    write_file(&path, &file).unwrap();
    assert_eq!(read_file(&path).unwrap(), file);
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1, "a temporary file is left");
}

#[test]
fn a_model_goes_through_a_pipe() {
    let file = sample::file();
    let bytes = to_bytes(&file).unwrap();
    assert_eq!(from_bytes(bytes, "(standard input)").unwrap(), file);
}

#[test]
fn equal_models_give_equal_bytes() {
    assert_eq!(to_bytes(&sample::file()).unwrap(), to_bytes(&sample::file()).unwrap());
}

/// Opens the sample for change, applies `edit`, and returns the message of reading it.
fn message_after(name: &str, edit: impl FnOnce(&hdf5::Group)) -> String {
    let path = sample::folder(name).join("sample.sfm.h5");
    write_file(&path, &sample::file()).unwrap();
    let file = hdf5::File::open_rw(&path).unwrap();
    edit(&file.group("domains/0").unwrap());
    file.close().unwrap();
    read_file(&path).unwrap_err().to_string()
}

/// Writes `value` into row `row` of a column of numbers.
fn poke<T: hdf5::H5Type + Copy>(group: &hdf5::Group, path: &str, row: usize, value: T) {
    let set = group.dataset(path).unwrap();
    let mut all = set.read_raw::<T>().unwrap();
    all[row] = value;
    set.as_writer().write_raw(&all).unwrap();
}

/// Every message names the file, the dataset, the row where there is one, the value and what is wanted.
#[test]
fn wrong_values_are_named() {
    type Edit = fn(&hdf5::Group);
    let cases: &[(&str, Edit, &str)] = &[
        (
            "nan-density",
            |g| poke(g, "materials/bulk/density", 0, f64::NAN),
            "materials/bulk/density: row 0: NaN, but it must be positive",
        ),
        ("kind", |g| poke(g, "bodies/kind", 2, 9u8), "bodies/kind: row 2: 9"),
        (
            "material",
            |g| poke(g, "bodies/material", 1, 5i64),
            "bodies/material: row 1: 5 is not a row of materials/bulk, which has 1",
        ),
        ("negative-index", |g| poke(g, "shapes/index", 0, -1i64), "shapes/index: row 0: -1 is not a row of meshes"),
        ("shape-kind", |g| poke(g, "shapes/kind", 0, 7u8), "shapes/kind: row 0: 7"),
        ("offsets", |g| poke(g, "bodies/shape_offset", 1, 9u64), "bodies/shape_offset: row 2: 3 is less"),
        ("last-offset", |g| poke(g, "bodies/shape_offset", 4, 9u64), "bodies/shape_offset: row 4: 9"),
        ("node", |g| poke(g, "meshes/conn", 3, 8i32), "meshes/conn: row 3: node 8"),
        (
            "inverted",
            |g| {
                poke(g, "meshes/conn", 0, 4i32);
                poke(g, "meshes/conn", 4, 0i32)
            },
            "meshes/elem_offset: row 0",
        ),
        ("nan-node", |g| poke(g, "meshes/nodes", 4, f64::INFINITY), "meshes/nodes: row 1"),
        ("radius", |g| poke(g, "spheres/radius", 1, 0.0), "spheres/radius: row 1: 0"),
        ("ids", |g| poke(g, "bodies/id", 1, 1u64), "bodies/id: row 1: 1, but ids ascend"),
        ("rotation", |g| poke(g, "shapes/transform", 0, 2.0), "shapes/transform: row 0"),
        ("missing", |g| g.unlink("bodies/kind").unwrap(), "bodies/kind: missing dataset"),
        (
            "short",
            |g| {
                g.unlink("bodies/kind").unwrap();
                g.new_dataset::<u8>().shape(1).create("bodies/kind").unwrap();
            },
            "bodies/kind: 1 rows, but the table has 4",
        ),
        (
            "shape",
            |g| {
                g.unlink("spheres/center").unwrap();
                g.new_dataset::<f64>().shape((2, 2)).create("spheres/center").unwrap();
            },
            "spheres/center: shape [2, 2], but [n, 3] is wanted",
        ),
        (
            "type",
            |g| {
                g.unlink("bodies/id").unwrap();
                g.new_dataset::<f64>().shape(4).create("bodies/id").unwrap();
            },
            "bodies/id: numbers are wanted",
        ),
        (
            "huge",
            |g| {
                g.unlink("bodies/id").unwrap();
                g.new_dataset::<u64>().chunk(1000).shape(1usize << 50).create("bodies/id").unwrap();
            },
            "bodies/id: damaged: shape",
        ),
        (
            "step",
            |g| {
                g.delete_attr("step").unwrap();
                g.new_attr::<f64>().create("step").unwrap().write_scalar(&-1.0).unwrap();
            },
            "@step: -1, but a positive",
        ),
    ];
    for (name, edit, wanted) in cases {
        let message = message_after(&format!("wrong-{name}"), edit);
        assert!(message.contains("sample.sfm.h5: /domains/0/"), "{name}: {message}");
        assert!(message.contains(wanted), "{name}: {message}");
    }
}

#[test]
fn wrong_programs_are_named() {
    for (text, wanted) in [
        (r#"{"op":"FLY"}"#, "unknown variant `FLY`"),
        (r#"{"op":"STEP","value":1,"colour":2}"#, "unknown field `colour`"),
        (r#"{"op":"INSERT_BODIES","rows":[2,9]}"#, "rows 2 .. 9 of bodies, which has 4"),
        (r#"{"op":"SET_DAMPING","body":77,"damping":0}"#, "no body has the id 77"),
        (r#"{"op":"STEP","value":"nan"}"#, "must be positive"),
        ("not json", "not json"),
    ] {
        let message = message_after("wrong-program", |g| {
            let text: hdf5::types::VarLenUnicode = text.parse().unwrap();
            g.unlink("program/steps").unwrap();
            let set = g.new_dataset::<hdf5::types::VarLenUnicode>().shape(1).create("program/steps").unwrap();
            set.write_raw(&[text]).unwrap();
        });
        assert!(message.contains("program/steps: row 0") && message.contains(wanted), "{message}");
    }
}

fn root(name: &str, edit: impl FnOnce(&hdf5::File)) -> String {
    let path = sample::folder(name).join("sample.sfm.h5");
    write_file(&path, &sample::file()).unwrap();
    let file = hdf5::File::open_rw(&path).unwrap();
    edit(&file);
    file.close().unwrap();
    read_file(&path).unwrap_err().to_string()
}

fn set_text(file: &hdf5::File, key: &str, value: &str) {
    let text: hdf5::types::VarLenUnicode = value.parse().unwrap();
    let _ = file.delete_attr(key);
    file.new_attr::<hdf5::types::VarLenUnicode>().create(key).unwrap().write_scalar(&text).unwrap();
}

#[test]
fn newer_and_foreign_files_are_refused() {
    let message = root("newer", |f| set_text(f, "format_version", "3.1"));
    assert!(message.contains("format version 3, this program reads up to 1; use a newer"), "{message}");
    let message = root("foreign", |f| set_text(f, "format", "other"));
    assert!(message.contains("format 'other', but 'solfec-model' is wanted"), "{message}");
    let message = root("unmarked", |f| f.delete_attr("format").unwrap());
    assert!(message.contains("no root attribute 'format'"), "{message}");
    let dir = sample::folder("not-hdf5");
    std::fs::write(dir.join("text"), "from solfec import *\n").unwrap();
    let message = read_file(&dir.join("text")).unwrap_err().to_string();
    assert!(message.contains("not an HDF5 file"), "{message}");
    assert!(matches!(read_file(&dir.join("none")), Err(solfec_formats::Error::Io(_))));
    assert!(from_bytes(Vec::new(), "(standard input)").is_err());
    assert!(from_bytes(b"junk".to_vec(), "(standard input)").is_err());
    // A newer minor version, with things this program does not know, is read.
    let path = dir.join("minor.sfm.h5");
    write_file(&path, &sample::file()).unwrap();
    let file = hdf5::File::open_rw(&path).unwrap();
    set_text(&file, "format_version", "1.7");
    file.group("domains/0").unwrap().create_group("fields").unwrap();
    file.close().unwrap();
    assert_eq!(read_file(&path).unwrap(), sample::file());
}

/// A file cut anywhere is an error, never a model and never a panic.
#[test]
fn cut_files_are_errors() {
    let dir = sample::folder("cut");
    let bytes = to_bytes(&sample::file()).unwrap();
    let path = dir.join("cut.sfm.h5");
    for i in 0..60 {
        let length = bytes.len() * i / 60;
        assert!(from_bytes(bytes[..length].to_vec(), "pipe").is_err(), "{length} bytes");
        std::fs::write(&path, &bytes[..length]).unwrap();
        assert!(read_file(&path).is_err(), "{length} bytes");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let dir = sample::folder("unwritable");
    let message = write_file(&dir.join("none/sample.sfm.h5"), &sample::file()).unwrap_err().to_string();
    assert!(message.contains("none/sample.sfm.h5: cannot write"), "{message}");
}

/// ACC-13, the part of the file: 1e6 spheres below 300 MB. A tenth of it here; `SF_LARGE=1` for all.
#[test]
fn many_spheres_are_small() {
    use solfec::model::{BodyKind, BodyRow, ShapeRow};
    let n: u32 = if std::env::var_os("SF_LARGE").is_some() { 1_000_000 } else { 110_000 };
    let mut file = sample::file();
    file.domains.truncate(1);
    let m = &mut file.domains[0];
    let pattern = BodyRow { conf: vec![], velo: vec![], ..m.bodies[3].clone() };
    m.library = Vec::new();
    m.shapes = Vec::new();
    m.bodies = Vec::new();
    m.program.clear();
    m.settings.excluded_bodies.clear();
    for i in 0..n {
        // Coordinates with full mantissas: the worst case for compression.
        let center = solfec::math::Vec3::new(f64::from(i).sqrt(), f64::from(i).cbrt(), f64::from(i).sin());
        let ball = solfec::shape::Sphere { center, radius: 0.1 + f64::from(i).cos().abs(), volid: 0, surfid: 0 };
        m.library.push(std::sync::Arc::new(solfec::shape::Geometry::Sphere(ball)));
        m.shapes.push(ShapeRow {
            geometry: i,
            rotation: solfec::math::Mat3::identity(),
            shift: solfec::math::Vec3::zeros(),
        });
        m.bodies.push(BodyRow {
            id: u64::from(i) + 1,
            label: format!("ball{i}"),
            kind: BodyKind::Rigid,
            shapes: i..i + 1,
            chars: solfec::model::Characteristics { center, mass: ball.radius.exp(), ..pattern.chars },
            ..pattern.clone()
        });
    }
    let path = sample::folder("many").join("many.sfm.h5");
    let begun = std::time::Instant::now();
    write_file(&path, &file).unwrap();
    let written = begun.elapsed();
    let size = std::fs::metadata(&path).unwrap().len();
    assert_eq!(read_file(&path).unwrap(), file);
    println!("{n} spheres: {size} bytes, written in {written:?}, read by {:?}", begun.elapsed());
    assert!(size < 300 * u64::from(n), "{size} bytes");
}
