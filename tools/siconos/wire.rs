//! What parent and child say to each other: a length, then so many bytes; numbers little-endian, eight bytes each.

use std::io::{self, Read, Write};

/// A frictional contact problem in the order of Siconos: components (N, T2, T1), `W` as compressed rows of 3×3 blocks,
/// each block row by row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Problem {
    pub row_offset: Vec<u64>,
    pub column: Vec<u64>,
    pub block: Vec<f64>,
    pub q: Vec<f64>,
    pub friction: Vec<f64>,
    /// The guess.
    pub r: Vec<f64>,
}

/// How Siconos shall solve it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Number of the solver in Siconos.
    pub solver: u32,
    /// Largest residual of `fc3d_compute_error`.
    pub tolerance: f64,
    pub max_iterations: u32,
    /// Siconos talks on standard error.
    pub verbose: bool,
}

/// What the child says.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The library is loaded.
    Ready,
    Refused(String),
    Solved(Solved),
}

/// What Siconos found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// 0: converged.
    pub info: i64,
    pub iterations: u64,
    /// By `fc3d_compute_error`.
    pub error: f64,
    pub r: Vec<f64>,
}

pub fn send_request(to: &mut impl Write, problem: &Problem, settings: &Settings) -> io::Result<()> {
    let mut message = Message::default();
    message.number(settings.solver.into());
    message.reals(&[settings.tolerance]);
    message.number(settings.max_iterations.into());
    message.number(settings.verbose.into());
    message.numbers(&problem.row_offset);
    message.numbers(&problem.column);
    for reals in [&problem.block, &problem.q, &problem.friction, &problem.r] {
        message.reals(reals);
    }
    message.send(to)
}

pub fn receive_request(from: &mut impl Read) -> io::Result<(Problem, Settings)> {
    let bytes = receive(from)?;
    let mut words = Words(&bytes);
    let settings = Settings {
        solver: words.small()?,
        tolerance: words.reals()?.first().copied().ok_or_else(garbled)?,
        max_iterations: words.small()?,
        verbose: words.number()? != 0,
    };
    let (row_offset, column) = (words.numbers()?, words.numbers()?);
    let problem = Problem {
        row_offset,
        column,
        block: words.reals()?,
        q: words.reals()?,
        friction: words.reals()?,
        r: words.reals()?,
    };
    Ok((problem, settings))
}

const READY: u64 = 0;
const REFUSED: u64 = 1;
const SOLVED: u64 = 2;

pub fn send_reply(to: &mut impl Write, reply: &Reply) -> io::Result<()> {
    let mut message = Message::default();
    match reply {
        Reply::Ready => message.number(READY),
        Reply::Refused(text) => {
            message.number(REFUSED);
            message.0.extend(text.as_bytes());
        }
        Reply::Solved(solved) => {
            message.number(SOLVED);
            message.number(solved.info as u64);
            message.number(solved.iterations);
            message.reals(&[solved.error]);
            message.reals(&solved.r);
        }
    }
    message.send(to)
}

pub fn receive_reply(from: &mut impl Read) -> io::Result<Reply> {
    let bytes = receive(from)?;
    let mut words = Words(&bytes);
    match words.number()? {
        READY => Ok(Reply::Ready),
        REFUSED => Ok(Reply::Refused(String::from_utf8_lossy(words.0).into_owned())),
        SOLVED => Ok(Reply::Solved(Solved {
            info: words.number()? as i64,
            iterations: words.number()?,
            error: words.reals()?.first().copied().ok_or_else(garbled)?,
            r: words.reals()?,
        })),
        _ => Err(garbled()),
    }
}

fn receive(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

fn garbled() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "garbled message")
}

/// A message being written.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn number(&mut self, x: u64) {
        self.0.extend(x.to_le_bytes());
    }

    fn numbers(&mut self, x: &[u64]) {
        self.number(x.len() as u64);
        self.0.extend(x.iter().flat_map(|x| x.to_le_bytes()));
    }

    fn reals(&mut self, x: &[f64]) {
        self.number(x.len() as u64);
        self.0.extend(x.iter().flat_map(|x| x.to_le_bytes()));
    }

    fn send(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&(self.0.len() as u64).to_le_bytes())?;
        to.write_all(&self.0)?;
        to.flush()
    }
}

/// A message being read.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn word(&mut self) -> io::Result<[u8; 8]> {
        let (word, rest) = self.0.split_first_chunk().ok_or_else(garbled)?;
        self.0 = rest;
        Ok(*word)
    }

    fn number(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.word()?))
    }

    fn small(&mut self) -> io::Result<u32> {
        u32::try_from(self.number()?).map_err(|_| garbled())
    }

    fn numbers(&mut self) -> io::Result<Vec<u64>> {
        (0..self.number()?).map(|_| self.number()).collect()
    }

    fn reals(&mut self) -> io::Result<Vec<f64>> {
        (0..self.number()?).map(|_| Ok(f64::from_le_bytes(self.word()?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_bit_for_bit() {
        let problem = Problem {
            row_offset: vec![0, 1],
            column: vec![0],
            block: (0..9).map(|k| f64::from(k).sqrt()).collect(),
            q: vec![-0.0, f64::MIN_POSITIVE, 1e300],
            friction: vec![0.3],
            r: vec![0.1, 0.2, 0.3],
        };
        let settings = Settings { solver: 500, tolerance: 1e-10, max_iterations: 7, verbose: true };
        let mut wire = Vec::new();
        send_request(&mut wire, &problem, &settings).unwrap();
        assert_eq!(receive_request(&mut &wire[..]).unwrap(), (problem, settings));

        let solved = Solved { info: -1, iterations: 3, error: 1e-5, r: vec![1.5, -0.25, 0.125] };
        for reply in [Reply::Ready, Reply::Refused("no".into()), Reply::Solved(solved)] {
            let mut wire = Vec::new();
            send_reply(&mut wire, &reply).unwrap();
            assert_eq!(receive_reply(&mut &wire[..]).unwrap(), reply);
        }
    }

    #[test]
    fn a_message_cut_short_is_an_error() {
        let mut wire = Vec::new();
        send_reply(&mut wire, &Reply::Refused("why".into())).unwrap();
        for length in 0..wire.len() {
            assert!(receive_reply(&mut &wire[..length]).is_err(), "{length} bytes");
        }
    }
}
