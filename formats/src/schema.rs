//! What a dataset is: the one definition from which files get their attributes and the format pages their tables.

/// Element type of a dataset in a file.
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
    pub fn bytes(self) -> usize {
        match self {
            Kind::U8 => 1,
            Kind::I16 => 2,
            Kind::U32 | Kind::I32 => 4,
            Kind::U64 | Kind::I64 | Kind::F64 => 8,
            Kind::Text => 0,
        }
    }

    /// Name used by the format pages.
    pub fn name(self) -> &'static str {
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

/// A column of a table: one dataset, one row for each item.
#[derive(Debug, Clone, Copy)]
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
}

/// A column of `width` numbers per row.
pub const fn column(
    path: &'static str,
    kind: Kind,
    (rows, width): (&'static str, usize),
    units: &'static str,
    text: &'static str,
) -> Column {
    Column { path, kind, rows, width, units, text, frame: "", level: "", names: "", optional: false }
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

    /// The line of the format page.
    pub fn line(&self) -> String {
        let shape = match self.width {
            1 => format!("[{}]", self.rows),
            w => format!("[{}, {w}]", self.rows),
        };
        let mut text = self.text.to_string();
        for (what, value) in [("frame", self.frame), ("time", self.level), ("values", self.names)] {
            if !value.is_empty() {
                text += &format!("; {what}: {value}");
            }
        }
        if self.optional {
            text += " (optional)";
        }
        format!("| `{}` | {} | {shape} | {} | {text} |", self.path, self.kind.name(), self.units)
    }
}

/// The whole table of a format page.
pub fn page(columns: &[Column]) -> String {
    let mut out = String::from("| dataset | type | shape | unit | meaning |\n|---|---|---|---|---|\n");
    for c in columns {
        out += &c.line();
        out.push('\n');
    }
    out
}
