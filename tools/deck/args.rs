//! Checked arguments of a call, as the function behind a command asks for them.

use solfec::math::Vec3;

use super::fault::Fault;
use super::kinds::Arg;
use super::value::{Handle, Value};

/// Checked arguments in the order of the table; absent ones are [`Value::None`].
pub struct Args {
    pub(super) names: &'static [Arg],
    pub(super) values: Vec<Value>,
}

impl Args {
    /// The argument `name`, [`Value::None`] when absent.
    pub fn get(&self, name: &str) -> &Value {
        let row = self.names.iter().position(|a| a.name == name);
        row.map_or(&Value::None, |row| &self.values[row])
    }

    /// The handles among the arguments.
    pub fn all_handles(&self) -> impl Iterator<Item = Handle> + '_ {
        self.values.iter().filter_map(|value| match value {
            Value::Handle(handle) => Some(*handle),
            _ => None,
        })
    }

    pub fn given(&self, name: &str) -> bool {
        *self.get(name) != Value::None
    }

    /// A number, if given.
    pub fn maybe_real(&self, name: &str) -> Option<f64> {
        real(self.get(name))
    }

    pub fn real(&self, name: &str) -> Result<f64, Fault> {
        self.maybe_real(name).ok_or_else(|| lost(name))
    }

    /// A switch, if given.
    pub fn maybe_on(&self, name: &str) -> Option<bool> {
        match self.get(name) {
            Value::Bool(on) => Some(*on),
            Value::Text(word) => Some(word == "ON"),
            _ => None,
        }
    }

    pub fn maybe_int(&self, name: &str) -> Option<i64> {
        integer(self.get(name))
    }

    pub fn int(&self, name: &str) -> Result<i64, Fault> {
        self.maybe_int(name).ok_or_else(|| lost(name))
    }

    /// A surface or volume id ([`Kind::ID`]).
    pub fn id(&self, name: &str) -> Result<i32, Fault> {
        narrow(self.int(name)?).map_err(|fault| fault.about(name))
    }

    /// A count ([`Kind::COUNT`]).
    pub fn count(&self, name: &str) -> Result<u32, Fault> {
        u32::try_from(self.int(name)?).map_err(|_| lost(name))
    }

    pub fn text(&self, name: &str) -> Result<&str, Fault> {
        self.maybe_text(name).ok_or_else(|| lost(name))
    }

    pub fn maybe_text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Value::Text(t) => Some(t),
            _ => None,
        }
    }

    /// Numbers of a [`Kind::Numbers`] or [`Kind::Vector`]; empty when absent.
    pub fn reals(&self, name: &str) -> &[f64] {
        match self.get(name) {
            Value::Reals(numbers) => numbers,
            _ => &[],
        }
    }

    pub fn ints(&self, name: &str) -> &[i64] {
        match self.get(name) {
            Value::Ints(numbers) => numbers,
            _ => &[],
        }
    }

    pub fn array<const N: usize>(&self, name: &str) -> Result<[f64; N], Fault> {
        self.reals(name).try_into().map_err(|_| lost(name))
    }

    pub fn vec3(&self, name: &str) -> Result<Vec3, Fault> {
        Ok(Vec3::from(self.array::<3>(name)?))
    }

    pub fn maybe_handle(&self, name: &str) -> Option<Handle> {
        match self.get(name) {
            Value::Handle(h) => Some(*h),
            _ => None,
        }
    }

    pub fn handle(&self, name: &str) -> Result<Handle, Fault> {
        self.maybe_handle(name).ok_or_else(|| lost(name))
    }

    /// The objects of a [`Kind::Shapes`].
    pub fn handles(&self, name: &str) -> Vec<Handle> {
        let handle = |v: &Value| match v {
            Value::Handle(h) => Some(*h),
            _ => None,
        };
        match self.get(name) {
            Value::List(items) => items.iter().filter_map(handle).collect(),
            one => handle(one).into_iter().collect(),
        }
    }
}

/// A surface or volume id.
pub fn narrow(id: i64) -> Result<i32, Fault> {
    i32::try_from(id).map_err(|_| Fault::value(format!("id {id} is out of range; give a 32-bit integer")))
}

/// The table and the command disagree about `name`.
fn lost(name: &str) -> Fault {
    Fault::runtime(format!(
        "argument '{name}' was lost on its way: a bug of this program; leave it out or call another command"
    ))
}

/// A number, as Python takes it for one.
pub(super) fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Real(x) => Some(*x),
        Value::Int(i) => Some(*i as f64),
        Value::Bool(b) => Some(f64::from(u8::from(*b))),
        _ => None,
    }
}

/// An integer, or a float without fraction that is one exactly.
pub(super) fn integer(value: &Value) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    match value {
        Value::Int(i) => Some(*i),
        Value::Bool(b) => Some(i64::from(*b)),
        Value::Real(x) if x.fract() == 0.0 && x.abs() <= EXACT => Some(*x as i64),
        _ => None,
    }
}
