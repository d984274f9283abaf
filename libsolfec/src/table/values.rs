//! Columns of any type behind one interface: as slices of plain numbers, of a type named by an enum.

use super::Kind;

macro_rules! kinds {
    ($($kind:ident: $type:ty),*) => {
        /// The numbers of a column, row after row.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Flat<'a> {
            $($kind(&'a [$type]),)*
            Text(&'a [String]),
        }

        /// The same, to be written to.
        #[derive(Debug, PartialEq)]
        pub enum FlatMut<'a> {
            $($kind(&'a mut [$type]),)*
            Text(&'a mut [String]),
        }

        $(
            impl Scalar for $type {
                const KIND: Kind = Kind::$kind;
                fn flat(numbers: &[Self]) -> Flat<'_> {
                    Flat::$kind(numbers)
                }
                fn flat_mut(numbers: &mut [Self]) -> FlatMut<'_> {
                    FlatMut::$kind(numbers)
                }
            }

            impl Item for $type {
                const KIND: Kind = Kind::$kind;
                const WIDTH: usize = 1;
                fn zero() -> Self {
                    Self::default()
                }
                fn flat(rows: &[Self]) -> Flat<'_> {
                    Flat::$kind(rows)
                }
                fn flat_mut(rows: &mut [Self]) -> FlatMut<'_> {
                    FlatMut::$kind(rows)
                }
            }
        )*
    };
}

/// A number that is stored as it is.
pub trait Scalar: Copy + Default {
    const KIND: Kind;
    fn flat(numbers: &[Self]) -> Flat<'_>;
    fn flat_mut(numbers: &mut [Self]) -> FlatMut<'_>;
}

/// What stands in a row of a column: a number, an array of numbers, or a text.
pub trait Item: Clone {
    const KIND: Kind;
    /// Numbers in a row.
    const WIDTH: usize;
    fn zero() -> Self;
    fn flat(rows: &[Self]) -> Flat<'_>;
    fn flat_mut(rows: &mut [Self]) -> FlatMut<'_>;
}

kinds!(U8: u8, U32: u32, U64: u64, I16: i16, I32: i32, I64: i64, F64: f64);

impl<T: Scalar, const N: usize> Item for [T; N] {
    const KIND: Kind = T::KIND;
    const WIDTH: usize = N;
    fn zero() -> Self {
        [T::default(); N]
    }
    fn flat(rows: &[Self]) -> Flat<'_> {
        T::flat(rows.as_flattened())
    }
    fn flat_mut(rows: &mut [Self]) -> FlatMut<'_> {
        T::flat_mut(rows.as_flattened_mut())
    }
}

impl Item for String {
    const KIND: Kind = Kind::Text;
    const WIDTH: usize = 1;
    fn zero() -> Self {
        String::new()
    }
    fn flat(rows: &[Self]) -> Flat<'_> {
        Flat::Text(rows)
    }
    fn flat_mut(rows: &mut [Self]) -> FlatMut<'_> {
        FlatMut::Text(rows)
    }
}

/// A column, whatever stands in its rows.
pub trait Values {
    fn rows(&self) -> usize;
    fn flat(&self) -> Flat<'_>;
    /// Makes it `rows` long, new rows zero, and gives all of it.
    fn resize(&mut self, rows: usize) -> FlatMut<'_>;
    /// Makes row `i` what row `order[i]` was.
    fn reorder(&mut self, order: &[usize]);
}

impl<T: Item> Values for Vec<T> {
    fn rows(&self) -> usize {
        self.len()
    }
    fn flat(&self) -> Flat<'_> {
        T::flat(self)
    }
    fn resize(&mut self, rows: usize) -> FlatMut<'_> {
        Vec::resize(self, rows, T::zero());
        T::flat_mut(self)
    }
    fn reorder(&mut self, order: &[usize]) {
        *self = order.iter().map(|&i| self[i].clone()).collect();
    }
}
