//! The text dump of local dynamics of Solfec-1.0, one line for each row:
//! `KIND (point) (master, slave) [base] [W] (B) (V) (U) (R) => KIND (point) (ids) [base] [Wij] => ...`; six digits.

use std::collections::BTreeMap;

use solfec::dynamics::BlockSparse;
use solfec::math::{Mat3, Vec3};
use solfec::model::constraint_kind;

use super::side::{Place, Side};

/// A row as it stands in a line.
struct Line {
    place: Place,
    block: Mat3,
    vectors: [Vec3; 4],
    coupled: Vec<(Place, Mat3)>,
}

/// All rows; the error says which line is wrong and how.
pub fn parse(text: &str) -> Result<Side, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(k, line): (usize, &str)| row(line).map_err(|e| format!("line {}: {e}; this is no dump", k + 1));
    let rows: Vec<Line> = lines.map(read).collect::<Result<_, _>>()?;
    let vector = |k: usize| Some(rows.iter().map(|row| row.vectors[k]).collect());
    let w = matrix(&rows)?;
    Ok(Side {
        rows: rows.len(),
        rounded: true,
        w,
        free: vector(0),
        previous: vector(1),
        u: vector(2),
        r: vector(3),
        places: Some(rows.iter().map(|row| row.place.clone()).collect()),
        ..Side::default()
    })
}

/// Blocks at their columns: a coupled row is named by what is printed of it.
fn matrix(rows: &[Line]) -> Result<BlockSparse, String> {
    let mut by_name: BTreeMap<[u64; 15], Vec<usize>> = BTreeMap::new();
    for (k, row) in rows.iter().enumerate() {
        by_name.entry(name(&row.place)).or_default().push(k);
    }
    let mut w = BlockSparse { row_offset: vec![0], ..BlockSparse::default() };
    for (i, row) in rows.iter().enumerate() {
        let mut blocks = BTreeMap::from([(i, row.block)]);
        let mut met: BTreeMap<[u64; 15], usize> = BTreeMap::new();
        for (place, block) in &row.coupled {
            let same = by_name.get(&name(place)).map_or(&[][..], |rows| rows);
            // Rows that print alike are taken in their order.
            let count = met.entry(name(place)).or_default();
            let others: Vec<usize> = same.iter().copied().filter(|&j| j != i).collect();
            let column = others.get(*count).or(others.last()).copied().ok_or_else(|| {
                format!("row {}: coupled with a row at {} that is not in the file", i + 1, point_text(&place.point))
            })?;
            *count += 1;
            *blocks.entry(column).or_insert_with(Mat3::zeros) += block;
        }
        w.column.extend(blocks.keys().map(|&j| j as u32));
        w.block.extend(blocks.values());
        w.row_offset.push(w.column.len());
    }
    Ok(w)
}

pub fn point_text(x: &Vec3) -> String {
    format!("({}, {}, {})", x.x, x.y, x.z)
}

/// What a row is known by, as ordered bits.
fn name(place: &Place) -> [u64; 15] {
    let mut bits = [0; 15];
    bits[0] = u64::from(place.kind);
    bits[1] = place.master;
    bits[2] = place.slave.map_or(0, |s| s + 1);
    let numbers = place.point.iter().chain(place.base.iter());
    // -0 and 0 are one number.
    bits[3..].iter_mut().zip(numbers).for_each(|(bits, x)| *bits = (x + 0.0).to_bits());
    bits
}

fn row(line: &str) -> Result<Line, String> {
    let mut parts = line.split("=>");
    let mut own = Items(parts.next().unwrap_or_default());
    let place = own.place()?;
    let block = own.matrix()?;
    let vectors = [own.vector()?, own.vector()?, own.vector()?, own.vector()?];
    own.end()?;
    let coupled = parts.map(|part| {
        let mut items = Items(part);
        let pair = (items.place()?, items.matrix()?);
        items.end().map(|()| pair)
    });
    Ok(Line { place, block, vectors, coupled: coupled.collect::<Result<_, String>>()? })
}

/// What is left of a line.
struct Items<'a>(&'a str);

impl<'a> Items<'a> {
    /// Numbers between two brackets.
    fn numbers<const N: usize>(&mut self, open: char, close: char) -> Result<[f64; N], String> {
        let rest =
            self.0.trim_start().strip_prefix(open).ok_or_else(|| format!("'{open}' and {N} numbers are wanted"))?;
        let (inside, rest) = rest.split_once(close).ok_or_else(|| format!("'{close}' is missing"))?;
        self.0 = rest;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let numbers: Option<Vec<f64>> = inside.split(',').map(number).collect();
        let numbers = numbers.ok_or_else(|| format!("'{inside}' are not finite numbers"))?;
        let count = numbers.len();
        numbers.try_into().map_err(|_| format!("{N} numbers are wanted, not {count}"))
    }

    fn vector(&mut self) -> Result<Vec3, String> {
        self.numbers::<3>('(', ')').map(Vec3::from)
    }

    /// Column by column.
    fn matrix(&mut self) -> Result<Mat3, String> {
        self.numbers::<9>('[', ']').map(|m| Mat3::from_column_slice(&m))
    }

    fn place(&mut self) -> Result<Place, String> {
        let (word, rest) = self.0.trim_start().split_once(' ').ok_or("a kind of constraint is wanted")?;
        let kind = constraint_kind::NAMES
            .iter()
            .position(|&k| k == word)
            .ok_or_else(|| format!("'{word}' is no kind of constraint"))?;
        self.0 = rest;
        let point = self.vector()?;
        let ids = self.numbers::<2>('(', ')')?;
        let id = |x: f64| (x.fract() == 0.0 && (0.0..9e15).contains(&x)).then_some(x as u64);
        let master = id(ids[0]).ok_or_else(|| format!("{} is no body id", ids[0]))?;
        let base = self.matrix()?;
        let slave = match ids[1] {
            -1.0 => None,
            x => Some(id(x).ok_or_else(|| format!("{x} is no body id"))?),
        };
        Ok(Place { kind: kind as u8, master, slave, point, base })
    }

    fn end(&self) -> Result<(), String> {
        match self.0.trim() {
            "" => Ok(()),
            rest => Err(format!("'{}' is too much", rest.chars().take(40).collect::<String>())),
        }
    }
}
