//! Changes of an HDF5 file by the library: it stays a file that the library opens, but is not what the pages say.

use std::path::Path;

use hdf5::types::{FloatSize, IntSize, TypeDescriptor, VarLenUnicode};
use hdf5::{Dataset, File, Group};

use super::random::Random;

/// Rows that a dataset claims and does not have.
const HUGE: [usize; 4] = [100_000, 100_000_000, 1 << 40, 1 << 60];
const REALS: [f64; 9] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e300, -1e300, 1e-310, 1e18];
const INTEGERS: [i64; 9] = [0, 1, -1, 255, i32::MAX as i64, i32::MIN as i64, u32::MAX as i64, i64::MAX, i64::MIN];
const TEXTS: [&str; 7] = ["", "\u{1b}[2J", "[1, 2", "{\"kind\": 3}", "../../x", "2.0", "solfec-model"];

/// Changes a file; what was done.
pub fn change(path: &Path, random: &mut Random) -> String {
    let file = solfec_formats::open_options().open_rw(path).expect("the library opens the file");
    let done = (0..20).find_map(|_| attempt(&file, random).ok());
    file.close().expect("the library closes the file");
    done.unwrap_or_else(|| "nothing".into())
}

fn attempt(file: &File, random: &mut Random) -> hdf5::Result<String> {
    let names = datasets(file)?;
    let name = random.pick(&names).as_str();
    let set = file.dataset(name)?;
    let what = match random.below(20) {
        0 => {
            file.unlink(name)?;
            "unlinked".to_string()
        }
        1 => {
            let (folder, _) = split(name);
            file.unlink(if folder.is_empty() { name } else { folder })?;
            "its group unlinked".to_string()
        }
        2..=4 => other_shape(file, name, &set, random)?,
        5 | 6 => other_type(file, name, &set, random)?,
        7..=12 => other_values(&set, random)?,
        13 => claims(file, name, random)?,
        14 | 15 => attribute(file, random)?,
        16 => linked(file, name, random)?,
        17 => {
            file.unlink(name)?;
            file.create_group(name)?;
            "became a group".to_string()
        }
        18 => {
            let other = random.pick(&names).as_str();
            let found = file.dataset(other)?;
            if other == name {
                return Err("the same".into());
            }
            file.unlink(name)?;
            found.copy_to(file, name)?;
            format!("became a copy of {other}")
        }
        _ => its_own_source(file, name, &set, random)?,
    };
    Ok(format!("{name}: {what}"))
}

/// Paths of all datasets.
pub fn datasets(file: &File) -> hdf5::Result<Vec<String>> {
    // A group may contain itself.
    const DEEPEST: usize = 6;
    fn walk(group: &Group, base: &str, found: &mut Vec<String>) -> hdf5::Result<()> {
        for name in group.member_names()? {
            let path = if base.is_empty() { name.clone() } else { format!("{base}/{name}") };
            match group.group(&name) {
                // A link to the model, which is a file of its own.
                Ok(inner) if inner.filename() == group.filename() && path.matches('/').count() < DEEPEST => {
                    walk(&inner, &path, found)?
                }
                Ok(_) => {}
                Err(_) => found.push(path),
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    walk(&file.as_group()?, "", &mut found)?;
    Ok(found)
}

fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// Rows fewer or more, none, one dimension more, or a scalar.
fn other_shape(file: &File, name: &str, set: &Dataset, random: &mut Random) -> hdf5::Result<String> {
    let old = set.shape();
    let mut shape = old.clone();
    let first = shape.first().copied().unwrap_or(1);
    match random.below(6) {
        0 => shape = [&[first.saturating_sub(1)], shape.get(1..).unwrap_or(&[])].concat(),
        1 => shape = [&[first + 1], shape.get(1..).unwrap_or(&[])].concat(),
        2 => shape = [&[0], shape.get(1..).unwrap_or(&[])].concat(),
        3 => shape.push(3),
        4 => shape.clear(),
        _ => shape.reverse(),
    }
    let kind = set.dtype()?.to_descriptor()?;
    let keep: Vec<f64> = if is_text(&kind) { Vec::new() } else { set.read_raw()? };
    file.unlink(name)?;
    if is_text(&kind) {
        let texts: Vec<VarLenUnicode> = vec!["x".parse().unwrap_or_default(); shape.iter().product()];
        write(&file.new_dataset::<VarLenUnicode>().shape(shape.clone()).create(name)?, &texts)?;
    } else {
        let count = shape.iter().product();
        let numbers: Vec<f64> = keep.into_iter().chain(std::iter::repeat(1.0)).take(count).collect();
        write_as(file, name, &kind, &shape, &numbers)?;
    }
    Ok(format!("shape {old:?} became {shape:?}"))
}

/// The same numbers in another type, or text for numbers, numbers for text.
fn other_type(file: &File, name: &str, set: &Dataset, random: &mut Random) -> hdf5::Result<String> {
    let kind = set.dtype()?.to_descriptor()?;
    let shape = set.shape();
    let count: usize = shape.iter().product();
    let numbers = if is_text(&kind) { vec![1.0; count] } else { set.read_raw::<f64>()? };
    let to = match random.below(6) {
        0 => TypeDescriptor::Float(FloatSize::U4),
        1 => TypeDescriptor::Float(FloatSize::U8),
        2 => TypeDescriptor::Integer(IntSize::U8),
        3 => TypeDescriptor::Unsigned(IntSize::U1),
        4 => TypeDescriptor::Integer(IntSize::U4),
        _ => TypeDescriptor::VarLenUnicode,
    };
    if to == kind {
        return Err("the same type".into());
    }
    file.unlink(name)?;
    if is_text(&to) {
        let texts = numbers.iter().map(|x| x.to_string().parse().unwrap_or_default());
        let texts: Vec<VarLenUnicode> = texts.collect();
        write(&file.new_dataset::<VarLenUnicode>().shape(shape).create(name)?, &texts)?;
    } else {
        write_as(file, name, &to, &shape, &numbers)?;
    }
    Ok(format!("type {kind} became {to}"))
}

/// One value or all of them.
fn other_values(set: &Dataset, random: &mut Random) -> hdf5::Result<String> {
    let kind = set.dtype()?.to_descriptor()?;
    let count = set.size();
    if count == 0 {
        return Err("no values".into());
    }
    let (at, all) = (random.below(count), random.once_in(4));
    let hit = |k: usize| all || k == at;
    let told = |value: String| format!("{} became {value}", if all { "all".to_string() } else { format!("[{at}]") });
    if is_text(&kind) {
        let mut texts: Vec<VarLenUnicode> = set.read_raw()?;
        let long = "long ".repeat(4000);
        let value = if random.once_in(6) { long.as_str() } else { *random.pick(&TEXTS) };
        let text: VarLenUnicode = value.parse().map_err(|_| "no text")?;
        texts.iter_mut().enumerate().filter(|(k, _)| hit(*k)).for_each(|(_, old)| *old = text.clone());
        write(set, &texts)?;
        return Ok(told(format!("{:?}", value.get(..20).unwrap_or(value))));
    }
    if matches!(kind, TypeDescriptor::Float(_)) {
        let mut numbers: Vec<f64> = set.read_raw()?;
        let value = if random.once_in(4) { f64::from_bits(random.bits()) } else { *random.pick(&REALS) };
        numbers.iter_mut().enumerate().filter(|(k, _)| hit(*k)).for_each(|(_, old)| *old = value);
        write(set, &numbers)?;
        return Ok(told(value.to_string()));
    }
    let mut numbers: Vec<i64> = set.read_raw()?;
    let value = match random.below(3) {
        0 => numbers[at].wrapping_add(1),
        1 => numbers[random.below(count)],
        _ => *random.pick(&INTEGERS),
    };
    numbers.iter_mut().enumerate().filter(|(k, _)| hit(*k)).for_each(|(_, old)| *old = value);
    write(set, &numbers)?;
    Ok(told(value.to_string()))
}

/// A dataset in chunks of which none is stored.
fn claims(file: &File, name: &str, random: &mut Random) -> hdf5::Result<String> {
    let rows = *random.pick(&HUGE);
    let width = file.dataset(name)?.shape().get(1).copied();
    file.unlink(name)?;
    let builder = file.new_dataset::<f64>();
    match width {
        Some(width) => builder.chunk([1, width]).shape([rows, width]).create(name)?,
        None => builder.chunk([1]).shape([rows]).create(name)?,
    };
    Ok(format!("claims {rows} rows"))
}

/// An attribute of the root or a group of domains: gone, of another type, or another text.
fn attribute(file: &File, random: &mut Random) -> hdf5::Result<String> {
    let places = ["/", "domains", "domains/0", "fclib_local", "fclib_local/W", "fclib_global"];
    let there: Vec<Group> = places.iter().filter_map(|place| file.group(place).ok()).collect();
    let group = random.pick(&there);
    let names = group.attr_names()?;
    if names.is_empty() {
        return Err("no attributes".into());
    }
    let name = random.pick(&names);
    group.delete_attr(name)?;
    let what = match random.below(4) {
        0 => "gone".to_string(),
        1 => {
            let value = *random.pick(&INTEGERS);
            group.new_attr::<i64>().create(name.as_str())?.write_scalar(&value)?;
            value.to_string()
        }
        2 => {
            let values = vec![f64::NAN; random.below(4)];
            group.new_attr::<f64>().shape(values.len()).create(name.as_str())?.write_raw(&values)?;
            format!("{values:?}")
        }
        _ => {
            let text: VarLenUnicode = random.pick(&TEXTS).parse().map_err(|_| "no text")?;
            group.new_attr::<VarLenUnicode>().create(name.as_str())?.write_scalar(&text)?;
            format!("{:?}", text.as_str())
        }
    };
    Ok(format!("attribute {name}: {what}"))
}

/// A link that leads nowhere, in a circle, or out of the file.
fn linked(file: &File, name: &str, random: &mut Random) -> hdf5::Result<String> {
    file.unlink(name)?;
    let told = match random.below(4) {
        0 => file.link_soft("/nowhere", name).map(|()| "a link to nothing"),
        1 => file.link_soft(name, name).map(|()| "a link to itself"),
        2 => file.link_hard("/", name).map(|()| "the root again"),
        _ => file.link_external("nothing.h5", "/", name).map(|()| "in a file that is not there"),
    };
    told.map(String::from)
}

/// A virtual dataset whose source is itself, or rows of a file that is not there.
fn its_own_source(file: &File, name: &str, set: &Dataset, random: &mut Random) -> hdf5::Result<String> {
    let shape = set.shape();
    let source = if random.once_in(2) { "." } else { "nothing.h5" };
    file.unlink(name)?;
    let builder = file.new_dataset::<f64>();
    let whole = hdf5::Selection::All;
    let virtual_set = builder.virtual_map(source, name, shape.clone(), whole.clone(), shape.clone(), whole);
    virtual_set.shape(shape).create(name)?;
    Ok(format!("virtual, from {source}"))
}

fn is_text(kind: &TypeDescriptor) -> bool {
    use TypeDescriptor::{FixedAscii, FixedUnicode, VarLenAscii, VarLenUnicode};
    matches!(kind, FixedAscii(_) | FixedUnicode(_) | VarLenAscii | VarLenUnicode)
}

fn write<T: hdf5::H5Type>(set: &Dataset, values: &[T]) -> hdf5::Result<()> {
    if values.is_empty() {
        return Ok(());
    }
    set.write_raw(values)
}

/// Makes a dataset of numbers of the type `kind`.
fn write_as(file: &File, name: &str, kind: &TypeDescriptor, shape: &[usize], numbers: &[f64]) -> hdf5::Result<()> {
    let set = match kind {
        TypeDescriptor::Float(FloatSize::U4) => file.new_dataset::<f32>().shape(shape.to_vec()).create(name)?,
        TypeDescriptor::Integer(IntSize::U8) => file.new_dataset::<i64>().shape(shape.to_vec()).create(name)?,
        TypeDescriptor::Integer(IntSize::U2) => file.new_dataset::<i16>().shape(shape.to_vec()).create(name)?,
        TypeDescriptor::Integer(_) => file.new_dataset::<i32>().shape(shape.to_vec()).create(name)?,
        TypeDescriptor::Unsigned(IntSize::U1) => file.new_dataset::<u8>().shape(shape.to_vec()).create(name)?,
        TypeDescriptor::Unsigned(IntSize::U4) => file.new_dataset::<u32>().shape(shape.to_vec()).create(name)?,
        TypeDescriptor::Unsigned(_) => file.new_dataset::<u64>().shape(shape.to_vec()).create(name)?,
        _ => file.new_dataset::<f64>().shape(shape.to_vec()).create(name)?,
    };
    write(&set, numbers)
}
