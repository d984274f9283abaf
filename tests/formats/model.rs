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
