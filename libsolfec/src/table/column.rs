//! The definition of a column.

/// Element type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    U8,
    U32,
    U64,
    I16,
    I32,
    I64,
    F64,
    Text,
}

impl Kind {
    /// Bytes of a value; 0 for texts.
    pub const fn bytes(self) -> usize {
        match self {
            Kind::U8 => 1,
            Kind::I16 => 2,
            Kind::U32 | Kind::I32 => 4,
            Kind::U64 | Kind::I64 | Kind::F64 => 8,
            Kind::Text => 0,
        }
    }

    /// Name used by the format pages.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::U8 => "u8",
            Kind::U32 => "u32",
            Kind::U64 => "u64",
            Kind::I16 => "i16",
            Kind::I32 => "i32",
            Kind::I64 => "i64",
            Kind::F64 => "f64",
            Kind::Text => "utf8",
        }
    }
}

/// What a column is; in a file: one dataset, one row for each item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// Path under the group of the domain (or under the root of the file, where the table says so).
    pub path: &'static str,
    pub kind: Kind,
    /// Symbol of the number of rows.
    pub rows: &'static str,
    /// Numbers in a row; 1: the dataset has one dimension.
    pub width: usize,
    pub units: &'static str,
    pub text: &'static str,
    /// "reference", "spatial", "local", or empty.
    pub frame: &'static str,
    /// "t", "t+h/2", "t+h", "[t, t+h]", or empty.
    pub level: &'static str,
    /// JSON object of name → number, or empty.
    pub names: &'static str,
    /// Readers compute it when it is absent.
    pub optional: bool,
    /// Its values repeat from row to row: files store them compressed, where they are many.
    pub packed: bool,
}

/// A column of `width` numbers per row.
pub const fn column(
    path: &'static str,
    kind: Kind,
    (rows, width): (&'static str, usize),
    units: &'static str,
    text: &'static str,
) -> Column {
    Column { path, kind, rows, width, units, text, frame: "", level: "", names: "", optional: false, packed: false }
}

impl Column {
    pub const fn frame(mut self, frame: &'static str) -> Self {
        self.frame = frame;
        self
    }

    pub const fn level(mut self, level: &'static str) -> Self {
        self.level = level;
        self
    }

    pub const fn names(mut self, names: &'static str) -> Self {
        self.names = names;
        self
    }

    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    pub const fn packed(mut self) -> Self {
        self.packed = true;
        self
    }

    /// Name of the dataset in its group.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}
