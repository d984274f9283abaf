//! Fields of models: tables, functions, materials that vary by them, and what is wrong with them.

use std::sync::Arc;

use solfec::material::{Field, FieldTable, FieldValues, Samples, Varying};
use solfec::model::{FunctionKind, FunctionRow};
use solfec_formats::model::{read_file, write_file, ModelFile};

use super::sample;

/// The sample with a field of each kind, a material that varies by two of them, and samples of its body of finite
/// elements.
fn varying() -> ModelFile {
    let mut file = sample::file();
    let model = &mut file.domains[0];
    let row = FunctionRow { function: 12, name: "modulus".into(), kind: FunctionKind::Field, line: 3 };
    model.functions.push(row);
    let axes = [vec![0.0, 1.0, 3.0], vec![0.0], vec![0.0], vec![0.0, 2.0]];
    let table = FieldTable::new(axes, (1..7).map(f64::from).collect()).expect("a table");
    let field = |label: &str, values| Field { label: label.into(), values };
    model.fields.push(field("table", FieldValues::Table(table)));
    model.fields.push(field("function", FieldValues::Function { function: 12 }));
    model.fields.push(field("steady", FieldValues::Steady));
    let varies = Varying { young: Some(1), poisson: None, density: Some(0) };
    let mut own = model.bulk[0].clone();
    (own.label, own.varying) = ("VARIES".into(), varies);
    model.bulk.push(own);
    let material = model.bulk.len() as u32 - 1;
    let body = model.bodies.iter_mut().find(|body| body.kind.deforms()).expect("a body that deforms");
    body.material = material;
    let samples = Samples { young: vec![1e6, 2e6], poisson: vec![0.1, 0.2], density: vec![1e3, 2e3] };
    body.samples = Some(Arc::new(samples));
    file
}

#[test]
fn fields_and_samples_come_back_as_they_were() {
    let path = sample::folder("fields").join("sample.sfm.h5");
    write_file(&path, &varying()).expect("written");
    assert_eq!(read_file(&path).expect("read"), varying());
}

#[test]
fn wrong_fields_are_named() {
    fn poke<T: hdf5::H5Type + Copy>(group: &hdf5::Group, path: &str, row: usize, value: T) {
        let set = group.dataset(path).unwrap();
        let mut all = set.read_raw::<T>().unwrap();
        all[row] = value;
        set.as_writer().write_raw(&all).unwrap();
    }
    type Edit = fn(&hdf5::Group);
    let cases: [(Edit, &str); 7] = [
        (|g| poke(g, "fields/kind", 0, 7u8), "fields/kind: row 0: 7 is not the number of a kind of field"),
        (|g| poke(g, "fields/function", 1, 8i64), "fields/function: row 1: callbacks has no function 8"),
        (|g| poke(g, "fields/axis", 1, -1.0), "axis x must hold finite numbers that increase"),
        (|g| poke(g, "fields/value", 5, f64::NAN), "value 5 is NaN"),
        (|g| poke(g, "materials/varying/field", 0, 3i64), "materials/varying/field: row 0: 3 is not a row of fields"),
        (|g| poke(g, "materials/varying/quantity", 1, 3u8), "3 is not the number of a quantity"),
        (|g| poke(g, "bodies/samples/offset", 0, 1u64), "bodies/samples/offset: row 0: 1, but offsets start with 0"),
    ];
    for (edit, wanted) in cases {
        let path = sample::folder("wrong-fields").join("sample.sfm.h5");
        write_file(&path, &varying()).unwrap();
        let file = hdf5::File::open_rw(&path).unwrap();
        edit(&file.group("domains/0").unwrap());
        file.close().unwrap();
        let message = read_file(&path).unwrap_err().to_string();
        assert!(message.contains(wanted), "{wanted}: {message}");
    }
}
