use super::sample;
use solfec_formats::model::{from_bytes, read_file, to_bytes, write_file};
use tools_testing::size::large;

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
            "second-order",
            |g| poke(g, "meshes/elem_type", 0, 10u8),
            "meshes/elem_type: row 0: 10, but 4, 5, 6 or 8 nodes are wanted (tetrahedra of second order",
        ),
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

/// The same of constraints, loads and functions.
#[test]
fn wrong_constraints_and_loads_are_named() {
    type Edit = fn(&hdf5::Group);
    let cases: &[(Edit, &str)] = &[
        (|g| poke(g, "timeseries/reading", 2, 3u8), "timeseries/reading: row 2: 3"),
        (|g| poke(g, "constraints/kind", 3, 0u8), "constraints/kind: row 3: 0 is not the number of a kind"),
        (|g| poke(g, "constraints/kind", 3, 9u8), "constraints/kind: row 3: 9 is not the number of a kind"),
        (|g| poke(g, "constraints/body1", 0, 77u64), "constraints/body1: row 0: no body has the id 77"),
        (|g| poke(g, "constraints/body2", 1, 5u64), "constraints/body2: row 1: no body has the id 5"),
        (|g| poke(g, "constraints/body2", 1, 2u64), "constraints/body2: row 1: 2 is the master already"),
        (
            |g| poke(g, "constraints/body2", 4, 1u64),
            "constraints/body2: row 4: 1, but a prescribed motion has one body",
        ),
        (|g| poke(g, "constraints/body2", 10, 0u64), "constraints/body2: row 10: 0, but a spring has two bodies"),
        (|g| poke(g, "constraints/point1", 5, f64::NAN), "constraints/point1: row 1"),
        (|g| poke(g, "constraints/point2", 0, f64::INFINITY), "constraints/point2: row 0"),
        (|g| poke(g, "constraints/dir_or_base", 18, 2.0), "constraints/dir_or_base: row 2: direction of length 2.2"),
        (|g| poke(g, "constraints/dir_or_base", 63, 2.0), "constraints/dir_or_base: row 7: |EᵀE - I|"),
        (|g| poke(g, "constraints/prescribed", 4, 3u8), "constraints/prescribed: row 4: 3"),
        (|g| poke(g, "constraints/ts", 12, 3i64), "constraints/ts: row 4: 3 is not a row of timeseries, which has 3"),
        (|g| poke(g, "constraints/ts", 12, -1i64), "constraints/ts: row 4: -1 is not a row of timeseries"),
        (|g| poke(g, "constraints/strength", 0, f64::NAN), "constraints/strength: row 0: NaN"),
        (|g| poke(g, "constraints/strength", 8, -1.0), "constraints/strength: row 8: -1"),
        (|g| poke(g, "constraints/law", 10, 3u8), "constraints/law: row 10: 3"),
        (|g| poke(g, "constraints/stiffness_damping", 21, -1.0), "constraints/stiffness_damping: row 10"),
        (|g| poke(g, "constraints/update", 11, 4u8), "constraints/update: row 11: 4"),
        (|g| poke(g, "constraints/limits", 22, 0.5), "constraints/limits: row 11: 0.5, inf"),
        (|g| poke(g, "constraints/function", 13, 4i64), "constraints/function: row 13: callbacks has no function 4"),
        (|g| poke(g, "loads/kind", 2, 8u8), "loads/kind: row 2: 8"),
        (|g| poke(g, "loads/body", 0, 9u64), "loads/body: row 0: no body has the id 9"),
        (|g| poke(g, "loads/body", 0, 1u64), "loads/body: row 0: 1 is an obstacle"),
        (|g| poke(g, "loads/body", 2, 3u64), "loads/body: row 2: 3 is not rigid"),
        (|g| poke(g, "loads/direction", 0, 0.0), "loads/direction: row 0: direction of length"),
        (|g| poke(g, "loads/point", 3, f64::NAN), "loads/point: row 1"),
        (|g| poke(g, "loads/ts", 3, 7i64), "loads/ts: row 3: 7 is not a row of timeseries"),
        (|g| poke(g, "loads/callback", 4, -1i64), "loads/callback: row 4: callbacks has no function -1"),
        (|g| poke(g, "callbacks/kind", 0, 5u8), "callbacks/kind: row 0: 5"),
        (|g| poke(g, "callbacks/number", 1, 0u32), "callbacks/number: row 1: 0 is there twice"),
        (|g| poke(g, "callbacks/number", 3, 3u32), "program/steps: row 1: callbacks has no function 9"),
    ];
    for (edit, wanted) in cases {
        let message = message_after("wrong-joint", edit);
        assert!(message.contains("sample.sfm.h5: /domains/0/") && message.contains(wanted), "{wanted}: {message}");
    }
}

/// A writer that knows only the columns it needs: what is left out has its default.
#[test]
fn few_columns_are_enough() {
    use solfec::model::{Joint, LoadKind};
    let path = sample::folder("few-columns").join("sample.sfm.h5");
    let mut file = sample::file();
    let m = &mut file.domains[0];
    m.constraints.retain(|c| matches!(c.joint, Joint::FixPoint { strength } if strength.is_infinite()));
    m.loads.retain(|l| matches!(l.kind, LoadKind::Function { .. }));
    m.constraints[0].line = 0;
    m.constraints[0].points[1] = m.constraints[0].points[0];
    m.program.clear();
    write_file(&path, &file).unwrap();
    let raw = hdf5::File::open_rw(&path).unwrap();
    for (group, keep) in
        [("constraints", &["kind", "body1", "point1"][..]), ("loads", &["kind", "body", "callback", "source_line"])]
    {
        let group = raw.group(&format!("domains/0/{group}")).unwrap();
        for name in group.member_names().unwrap().iter().filter(|name| !keep.contains(&name.as_str())) {
            group.unlink(name).unwrap();
        }
    }
    raw.close().unwrap();
    assert_eq!(read_file(&path).unwrap(), file);
}

/// A model with functions says so in the file.
#[test]
fn functions_require_live_execution() {
    let mut file = sample::file();
    file.provenance.requires_live = false;
    assert!(from_bytes(to_bytes(&file).unwrap(), "pipe").unwrap().provenance.requires_live);
}

/// The content hash covers every column.
#[test]
fn the_content_hash_sees_constraints_and_loads() {
    let hash = |file: &solfec_formats::model::ModelFile| {
        let path = sample::folder("hash").join("sample.sfm.h5");
        write_file(&path, file).unwrap();
        let file = hdf5::File::open(&path).unwrap();
        let text = file.attr("content_hash").unwrap().read_scalar::<hdf5::types::VarLenUnicode>().unwrap();
        text.to_string()
    };
    let first = hash(&sample::file());
    for change in 0..3 {
        let mut file = sample::file();
        let m = &mut file.domains[0];
        match change {
            0 => m.constraints[0].points[0].x += 1e-16,
            1 => m.loads[1].line = 0,
            _ => m.functions[0].name.push('x'),
        }
        assert_ne!(hash(&file), first, "{change}");
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
        (r#"{"op":"DELETE_BODY","body":9}"#, "no body has the id 9"),
        (r#"{"op":"DELETE_CONSTRAINT","row":14}"#, "row 14 of constraints, which has 14"),
        (r#"{"op":"INSERT_CONSTRAINTS","rows":[3,15]}"#, "rows 3 .. 15 of constraints, which has 14"),
        (r#"{"op":"INSERT_LOADS","rows":[3,2]}"#, "rows 3 .. 2 of loads, which has 5"),
        (r#"{"op":"CALLBACK","interval":0,"function":4}"#, "interval is 0, but it must be positive"),
        (r#"{"op":"CALLBACK","interval":1,"function":5}"#, "callbacks has no function 5"),
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
fn other_versions_and_foreign_files_are_refused() {
    let message = root("newer", |f| set_text(f, "format_version", "3.1"));
    assert!(message.contains("format version 3.1, this program reads 2.x; use a newer"), "{message}");
    let message = root("older", |f| set_text(f, "format_version", "1.0"));
    assert!(message.contains("format version 1.0, this program reads 2.x; make the file again"), "{message}");
    let message = root("foreign", |f| set_text(f, "format", "other"));
    assert!(message.contains("is of format 'other'; a file of format 'solfec-model' is wanted"), "{message}");
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
    set_text(&file, "format_version", "2.7");
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

/// Size of a model file: 1e6 spheres below 300 MB. A tenth of it here; `SF_LARGE=1` for all.
#[test]
fn many_spheres_are_small() {
    use solfec::model::{BodyKind, BodyRow, ShapeRow};
    let n: u32 = if large() { 1_000_000 } else { 110_000 };
    let mut file = sample::file();
    file.domains.truncate(1);
    let m = &mut file.domains[0];
    let pattern = BodyRow { conf: vec![], velo: vec![], ..m.bodies[3].clone() };
    m.library = Vec::new();
    m.shapes = Vec::new();
    m.bodies = Vec::new();
    m.program.clear();
    m.settings.excluded_bodies.clear();
    m.settings.excluded_objects.clear();
    (m.constraints, m.loads) = (Vec::new(), Vec::new());
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
