//! The macro that defines tables.

/// Defines a table: a struct of columns, each on one line:
///
/// ```
/// solfec::table! {
///     /// Trees of a wood.
///     pub struct Trees("trees", "w") {
///         place: [f64; 3] = "tree/place", "m", "where it stands" .frame("spatial");
///         rings: u32 = "tree/rings", "1", "years that it has lived";
///     }
/// }
/// use solfec::table::Table;
/// let wood = Trees { place: vec![[0.0; 3]; 2], rings: vec![7, 9] };
/// assert_eq!((wood.rows(), Trees::COLUMNS[1].path, wood.check()), (2, "tree/rings", Ok(())));
/// ```
///
/// The head gives what the rows are, and the symbol that counts them in format pages. A column: name, type of a row
/// ([`Item`](crate::table::Item)), dataset, unit, meaning, and calls of [`Column`](crate::table::Column).
/// `row Name` after the head also defines a struct of one row.
#[macro_export]
macro_rules! table {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($what:literal, $symbol:literal) {
        $($field:ident: $type:ty = $path:literal, $unit:literal, $text:literal $(.$call:ident($($arg:expr),*))*;)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default)]
        $vis struct $name {
            $(#[doc = concat!($text, " (", $unit, ")")] pub $field: Vec<$type>,)*
        }

        impl $name {
            /// One for each field, in the order of files.
            pub const COLUMNS: &'static [$crate::table::Column] = &[$(
                $crate::table::column(
                    $path,
                    <$type as $crate::table::Item>::KIND,
                    ($symbol, <$type as $crate::table::Item>::WIDTH),
                    $unit,
                    $text,
                )$(.$call($($arg),*))*,
            )*];
        }

        impl $crate::table::Table for $name {
            fn name(&self) -> &'static str {
                $what
            }
            fn columns(&self) -> &'static [$crate::table::Column] {
                Self::COLUMNS
            }
            fn values(&self) -> Vec<&dyn $crate::table::Values> {
                vec![$(&self.$field),*]
            }
            fn values_mut(&mut self) -> Vec<&mut dyn $crate::table::Values> {
                vec![$(&mut self.$field),*]
            }
            fn append(&mut self, other: &mut Self) {
                $($crate::table::append(&mut self.$field, &mut other.$field);)*
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident($what:literal, $symbol:literal) row $(#[$row_meta:meta])* $row:ident {
        $($field:ident: $type:ty = $path:literal, $unit:literal, $text:literal $(.$call:ident($($arg:expr),*))*;)*
    }) => {
        $crate::table! {
            $(#[$meta])*
            $vis struct $name($what, $symbol) {
                $($field: $type = $path, $unit, $text $(.$call($($arg),*))*;)*
            }
        }

        #[doc = concat!("One row of [`", stringify!($name), "`].")]
        $(#[$row_meta])*
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $row {
            $(#[doc = concat!($text, " (", $unit, ")")] pub $field: $type,)*
        }

        impl $name {
            pub fn push(&mut self, row: $row) {
                $(self.$field.push(row.$field);)*
            }

            /// Row `i`, which must be there.
            pub fn row(&self, i: usize) -> $row {
                $row { $($field: self.$field[i].clone(),)* }
            }
        }
    };
}
