//! What a table is: columns of equal length, each defined by one line of [`table!`](crate::table!).
//!
//! The line gives name, type, dataset, unit and meaning of a column. From it come the field of the struct, its
//! documentation, and the [`Column`] from which files are written and read and the format pages are made. What is done
//! to whole tables (check, append, reorder, store) is done through [`Table`], so that a new column is a line and
//! nothing else.

mod bytes;
mod column;
mod define;
mod values;

pub use bytes::{put_rows, put_table, take_table};
pub use column::{column, Column, Kind};
pub use values::{Flat, FlatMut, Item, Scalar, Values};

/// Columns of equal length.
pub trait Table {
    /// What the rows are, for messages.
    fn name(&self) -> &'static str;

    /// The definition of each column, in the order of files.
    fn columns(&self) -> &'static [Column];

    /// The columns, in the same order.
    fn values(&self) -> Vec<&dyn Values>;

    /// The columns, in the same order.
    fn values_mut(&mut self) -> Vec<&mut dyn Values>;

    /// Moves the rows of `other` behind those that are here.
    fn append(&mut self, other: &mut Self)
    where
        Self: Sized;

    /// Number of rows: those of the longest column.
    fn rows(&self) -> usize {
        self.values().iter().map(|values| values.rows()).max().unwrap_or(0)
    }

    /// # Errors
    /// Columns that differ in length: their names.
    fn check(&self) -> Result<(), String> {
        let values = self.values();
        let Some(first) = values.first() else { return Ok(()) };
        match self.columns().iter().zip(&values).find(|(_, v)| v.rows() != first.rows()) {
            None => Ok(()),
            Some((column, other)) => Err(format!(
                "columns of {} differ in length: {} has {}, {} has {}",
                self.name(),
                self.columns()[0].path,
                first.rows(),
                column.path,
                other.rows()
            )),
        }
    }

    /// Makes row `i` what row `order[i]` was: a permutation, or some of the rows. Columns that were left out stay
    /// empty.
    fn reorder(&mut self, order: &[usize]) {
        for values in self.values_mut() {
            if values.rows() > 0 {
                values.reorder(order);
            }
        }
    }

    /// Makes every column `rows` long; new rows are zero.
    fn resize(&mut self, rows: usize) {
        for values in self.values_mut() {
            values.resize(rows);
        }
    }
}

/// Moves the items of `other` behind those of `own`; where there are none it takes their memory.
pub fn append<T>(own: &mut Vec<T>, other: &mut Vec<T>) {
    if own.is_empty() {
        std::mem::swap(own, other);
    } else {
        own.append(other);
    }
}

/// Bytes of a row of these columns; texts are not counted.
pub fn row_bytes(columns: &[Column]) -> usize {
    columns.iter().map(|c| c.width * c.kind.bytes()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::table! {
        /// A table that exists here only.
        struct Trees("trees", "w") row Tree {
            place: [f64; 3] = "tree/place", "m", "where it stands" .frame("spatial") .level("t");
            rings: u32 = "tree/rings", "1", "years that it has lived" .optional();
            name: String = "tree/name", "1", "its name";
        }
    }

    fn wood() -> Trees {
        let mut wood = Trees::default();
        for (k, name) in ["oak", "ash", "elm"].into_iter().enumerate() {
            wood.push(Tree { place: [k as f64; 3], rings: k as u32, name: name.into() });
        }
        wood
    }

    #[test]
    fn a_line_defines_a_column() {
        let [place, rings, name] = Trees::COLUMNS else { panic!("three columns") };
        assert_eq!((place.path, place.kind, place.width, place.rows), ("tree/place", Kind::F64, 3, "w"));
        assert_eq!((place.units, place.text, place.frame, place.level), ("m", "where it stands", "spatial", "t"));
        assert_eq!((rings.kind, rings.width, rings.optional, name.kind), (Kind::U32, 1, true, Kind::Text));
        assert_eq!(row_bytes(Trees::COLUMNS), 28);
    }

    #[test]
    fn tables_are_checked_reordered_and_appended_whole() {
        let mut wood = wood();
        assert_eq!((wood.rows(), wood.check()), (3, Ok(())));
        wood.reorder(&[2, 0]);
        assert_eq!((&wood.name[..], &wood.rings[..]), (&["elm".to_string(), "oak".into()][..], &[2, 0][..]));
        wood.append(&mut wood.clone());
        assert_eq!((wood.rows(), wood.row(3).name), (4, "oak".into()));
        wood.rings.pop();
        let text = "columns of trees differ in length: tree/place has 4, tree/rings has 3";
        assert_eq!(wood.check(), Err(text.to_string()));
    }

    #[test]
    fn tables_survive_as_bytes_and_cut_ones_are_refused() {
        let mut bytes = Vec::new();
        put_table(&wood(), &mut bytes);
        let (mut read, mut rest) = (Trees::default(), &bytes[..]);
        assert_eq!(take_table(&mut read, &mut rest), Some(()));
        assert!(read == wood() && rest.is_empty());
        for cut in 0..bytes.len() {
            assert_eq!(take_table(&mut Trees::default(), &mut &bytes[..cut]), None);
        }
    }

    #[test]
    fn some_rows_as_bytes_are_a_table_of_their_own() {
        for (rows, wanted) in [(0..2, &[0, 1][..]), (1..9, &[1, 2]), (3..4, &[]), (7..9, &[])] {
            let mut bytes = Vec::new();
            put_rows(&wood(), rows, &mut bytes);
            let mut part = Trees::default();
            assert_eq!(take_table(&mut part, &mut &bytes[..]), Some(()));
            assert_eq!((&part.rings[..], part.place.len(), part.name.len()), (wanted, wanted.len(), wanted.len()));
        }
    }

    #[test]
    fn columns_are_plain_numbers_to_those_who_store_them() {
        let mut wood = wood();
        assert_eq!(wood.values()[0].flat(), Flat::F64(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0]));
        if let FlatMut::U32(rings) = wood.values_mut()[1].resize(5) {
            rings[4] = 9;
        }
        assert_eq!(wood.rings, [0, 1, 2, 0, 9]);
    }
}
