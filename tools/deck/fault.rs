//! How a command fails: as a Python exception of one of these types.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    Type,
    Value,
    Runtime,
    Solver,
    Penetration,
    /// The deck needs live execution.
    Live,
    /// The run was asked to end, and the deck with it.
    Stop,
    /// A file cannot be read or written.
    System,
    /// A function of the deck raised an exception, which the deck has kept.
    Raised,
}

impl FaultKind {
    /// Name of the Python exception.
    pub fn exception(self) -> &'static str {
        match self {
            FaultKind::Type => "TypeError",
            FaultKind::Value => "ValueError",
            FaultKind::Runtime => "RuntimeError",
            FaultKind::Solver => "SolverError",
            FaultKind::Penetration => "PenetrationError",
            FaultKind::Live => "LiveError",
            FaultKind::Stop => "Stop",
            FaultKind::System => "OSError",
            FaultKind::Raised => "RuntimeError",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub text: String,
}

impl Fault {
    pub fn wrong_type(text: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Type, text)
    }

    pub fn value(text: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Value, text)
    }

    pub fn runtime(text: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Runtime, text)
    }

    /// A function of the deck raised an exception.
    pub fn raised(text: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Raised, text)
    }

    /// What cannot be recorded, with the advice to run the deck.
    pub fn live(text: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Live, format!("{}; use: sf-run deck.py", text.into()))
    }

    pub fn new(kind: FaultKind, text: impl Into<String>) -> Fault {
        Fault { kind, text: text.into() }
    }

    /// Puts `what: ` before the text.
    pub fn about(mut self, what: &str) -> Fault {
        self.text = format!("{what}: {}", self.text);
        self
    }
}

impl From<solfec::Error> for Fault {
    fn from(error: solfec::Error) -> Fault {
        let kind = match error {
            solfec::Error::Input(_) => FaultKind::Value,
            solfec::Error::Solver(_) | solfec::Error::NotFinite(_) => FaultKind::Solver,
            solfec::Error::Penetration(_) => FaultKind::Penetration,
        };
        Fault::new(kind, error.to_string())
    }
}
