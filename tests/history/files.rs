//! Forms of the table, request files, streams; numpy and pandas read what is written.

use std::process::{Command, Stdio};

use super::*;
use tools_testing::python::python_with;
use tools_testing::skip::skipped;

/// What a Python program prints with the table as its file; `None` and a loud line without the module.
fn python(needs: &str, program: &str, folder: &Scratch) -> Option<String> {
    let interpreter = python_with(needs)?;
    let done = output(Command::new(&interpreter).args(["-c", program]).current_dir(folder));
    assert!(done.status.success(), "{}", stderr(&done));
    Some(stdout(&done))
}

fn made(args: &[&str]) -> Scratch {
    let (scratch, output) = history(args);
    assert!(output.status.success(), "{}", stderr(&output));
    std::fs::write(scratch.path("out"), &output.stdout).unwrap();
    scratch
}

const ITEMS: [&str; 3] = ["x=CX@label:LATE(-5.5,0.5,0.5)", "KINETIC@BALL", "GAP"];

#[test]
fn numpy_reads_npz() {
    let folder = made(&[&ITEMS[..], &["--format", "npz"]].concat());
    let program = "import numpy, zipfile\nassert zipfile.ZipFile('out').testzip() is None\nf = numpy.load('out')\nprint(sorted(f.files))\n\
                   print(f['time'].tolist(), f['x'].dtype, f['x'][2:].tolist(), numpy.isnan(f['x'][:2]).all())";
    let Some(told) = python("numpy", program, &folder) else { return };
    let expected = "['GAP', 'KINETIC@BALL', 'time', 'x']\n[0.0, 0.1, 0.2, 0.30000000000000004, 0.4] float64 [-5.5, -5.5, -5.5] True\n";
    assert_eq!(told, expected);
}

#[test]
fn h5py_reads_h5() {
    let folder = made(&[&ITEMS[..], &["--format", "h5"]].concat());
    let program = "import h5py\nf = h5py.File('out')\nprint(f.attrs['format'], f['names'].asstr()[...].tolist(), f['units'].asstr()[...].tolist())\n\
                   print(f['data'].shape, f['data'][4].tolist())";
    let Some(told) = python("h5py", program, &folder) else { return };
    let expected =
        "solfec-history ['time', 'x', 'KINETIC@BALL', 'GAP'] ['s', 'm', 'J', 'm']\n(5, 4) [0.4, -5.5, 0.8, -4e-05]\n";
    assert_eq!(told, expected);
}

#[test]
fn pandas_and_numpy_read_csv() {
    let folder = made(&ITEMS);
    let program = "import pandas, numpy\nt = pandas.read_csv('out')\nprint(list(t.columns), t.shape, str(t['x'].dtype), int(t['x'].isna().sum()))\n\
                   print(numpy.genfromtxt('out', delimiter=',', names=True, deletechars='')['x'].tolist()[2:])";
    let Some(told) = python("pandas", program, &folder) else { return };
    assert_eq!(told, "['time', 'x', 'KINETIC@BALL', 'GAP'] (5, 4) float64 2\n[-5.5, -5.5, -5.5]\n");
    let folder = made(&[&ITEMS[..], &["--units", "--format", "tsv"]].concat());
    let program = "import pandas\nt = pandas.read_csv('out', sep='\\t', comment='#')\nprint(t['time'].tolist()[-1])";
    assert_eq!(python("pandas", program, &folder).as_deref(), Some("0.4\n"));
}

#[test]
fn digits_and_missing_values() {
    let (_s, output) = history(&["x=CX@LATE", "t=sum(KINETIC,INTERNAL)", "--precision", "2", "--nan", ""]);
    assert_eq!(stdout(&output), "time,x,t\n0,,7\n0.1,,7.7\n0.2,-5.5,9.4\n0.3,-5.5,11\n0.4,-5.5,12\n");
    let (_s, exact) = history(&["KINETIC", "--precision", "17"]);
    let (_s, default) = history(&["KINETIC"]);
    assert_eq!(exact.stdout, default.stdout);
    for digits in ["0", "18", "x"] {
        let (_s, refused) = history(&["KINETIC", "--precision", digits]);
        assert_eq!(refused.status.code(), Some(2));
    }
}

#[test]
fn request_files() {
    let scratch = Scratch::new();
    let results = scratch.path("synthetic");
    write_results(&results);
    let (results, wanted) = (results.to_str().unwrap(), "time,KINETIC,z,BODS\n");
    let ask = |name: &str, text: &str, rest: &[&str]| {
        let file = scratch.path(name);
        std::fs::write(&file, text).unwrap();
        tool("sf-history", &[&[results, "-r", file.to_str().unwrap()], rest].concat())
    };
    for (name, text) in [
        ("a.toml", "items = [\"KINETIC\"]\n[[item]]\nname = \"z\"\nitem = \"CZ@label:BALL(3,0,2)\"\n"),
        ("a.json", r#"["KINETIC", {"name": "z", "item": "CZ@label:BALL(3,0,2)"}]"#),
        ("b.json", r#"{"items": ["KINETIC", "z=CZ@BALL(3,0,2)"]}"#),
        ("a.csv", "name,item\n,KINETIC\nz,\"CZ@label:BALL(3,0,2)\"\n"),
    ] {
        let output = ask(name, text, &["BODS"]);
        assert!(stdout(&output).starts_with(wanted), "{name}: {}{}", stdout(&output), stderr(&output));
        assert_eq!(
            stdout(&ask(name, text, &["BODS"])).lines().last(),
            Some("0.4,4.800000000000001,1.2151999999999998,6"),
            "{name}"
        );
    }
    for (name, text, code, told) in [
        ("c.toml", "items = [\"KINETIK\"]", 3, "no such item"),
        ("c.toml", "things = []", 3, "means nothing here"),
        ("c.toml", "items = [", 3, "c.toml"),
        ("c.json", "[]", 3, "holds no items"),
        ("c.csv", "what\nKINETIC\n", 3, "means nothing here"),
        ("c.txt", "KINETIC", 2, "name it .toml, .json or .csv"),
    ] {
        let output = ask(name, text, &[]);
        assert_eq!(output.status.code(), Some(code), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(told) && stderr(&output).lines().count() == 1, "{name}: {}", stderr(&output));
    }
    let missing = tool("sf-history", &[results, "-r", "/nonexistent.toml"]);
    assert_eq!(missing.status.code(), Some(4));
}

#[test]
fn closed_pipes_and_full_devices() {
    let scratch = Scratch::new();
    let results = scratch.path("synthetic");
    write_results(&results);
    for format in ["csv", "npz", "h5"] {
        let command = format!("{} {} KINETIC --format {format}", binary("sf-history"), results.display());
        let head =
            output(Command::new("bash").args(["-o", "pipefail", "-c", &format!("{command} | head -c 1 | wc -c")]));
        assert_eq!((head.status.code(), stdout(&head).trim()), (Some(0), "1"), "{}", stderr(&head));
        if !std::path::Path::new("/dev/full").exists() {
            skipped("no /dev/full");
            continue;
        }
        let full = output(Command::new("bash").args(["-c", &format!("{command} > /dev/full")]).stdin(Stdio::null()));
        assert_eq!(full.status.code(), Some(4));
        assert!(stderr(&full).contains("standard output: cannot write: no space left"), "{}", stderr(&full));
    }
}

/// What is misspelled in a request file is named, and guessed.
#[test]
fn mistakes_in_request_files_are_guessed() {
    let scratch = Scratch::new();
    let dir = scratch.path("synthetic");
    write_results(&dir);
    let results = dir.display().to_string();
    for (name, text, says) in [
        ("a.toml", "items = [\"KINETICS\"]", "KINETICS: no such item (did you mean KINETIC?)"),
        ("b.toml", "# energies\nitmes = [\"KINETIC\"]", "'itmes' means nothing here (did you mean items?)"),
        ("c.toml", "items = [\"KINETIC\"]\nKINETIC\n", "line 2: "),
        ("d.toml", "[[item]]\nnam = \"x\"\nitem = \"KINETIC\"", "'nam' means nothing here (did you mean name?)"),
        ("e.json", "{\"itmes\": []}", "'itmes' means nothing here (did you mean items?); there are items and item"),
        ("f.json", "[{\"name\": \"x\"}]", "'x' has no 'item'"),
        ("g.json", "[3]", "3 is no item: write a text, or name and item"),
        ("h.json", "{\"items\": \"KINETIC\"}", "'items' is no list: write [...]"),
        ("i.json", "[\"KINETIC\"", "EOF while parsing a list at line 1"),
        ("j.csv", "name,itme\na,KINETIC\n", "'itme' means nothing here (did you mean item?)"),
        ("k.csv", "name;item\na;KINETIC\n", "'name;item' means nothing here"),
        ("l.csv", "name,item\na,CZ@BOXX\n", "(did you mean BOX?)"),
    ] {
        let path = scratch.write(name, text).display().to_string();
        let output = tool("sf-history", &[&results, "-r", &path]);
        assert_eq!(output.status.code(), Some(3), "{text}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{text}: {}", stderr(&output));
    }
}
