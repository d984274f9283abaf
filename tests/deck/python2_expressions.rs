//! Expressions and statements of Python 2 made at random, with the values that Python 2 gives them.

use super::*;

/// Statements of a deck; some hundred meet every pair of constructs.
const STATEMENTS: usize = 600;

/// What the statements use: names with the values of [`NAMES`], containers, functions.
const HEAD: &str = "import sys
i, j, k, r = 3, -7, 20, 2.5
l = [5, -4, 9]
d = {1: 6}
calls = [0]
class Box: pass
box = Box()
def half(x): return x/2
def at(x):
    calls[0] += 1
    return x % 3
def get(x):
    calls[0] += 1
    return x
";

const NAMES: [(&str, Number); 4] =
    [("i", Number::Int(3)), ("j", Number::Int(-7)), ("k", Number::Int(20)), ("r", Number::Real(2.5))];

const LIST: [i64; 3] = [5, -4, 9];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Int(i64),
    Real(f64),
}

use Number::{Int, Real};

impl Number {
    fn real(self) -> f64 {
        match self {
            Int(n) => n as f64,
            Real(x) => x,
        }
    }

    /// As `repr` shows it; none where that has an exponent.
    fn shown(self) -> Option<String> {
        match self {
            Int(n) => Some(n.to_string()),
            Real(x) => (x == 0.0 || (1e-4..1e15).contains(&x.abs())).then(|| format!("{x:?}")),
        }
    }

    fn is(self, other: Number) -> bool {
        match (self, other) {
            (Int(a), Int(b)) => a == b,
            _ => self.real() == other.real(),
        }
    }

    /// The rules of Python 2: integers stay integers, and their quotients are floored.
    fn with(self, operator: &str, other: Number) -> Option<Number> {
        if let (Int(a), Int(b)) = (self, other) {
            let floor = |a: i64, b: i64| (b != 0).then(|| a.div_euclid(b) - i64::from(b < 0 && a.rem_euclid(b) != 0));
            let of = match operator {
                "+" => a.checked_add(b),
                "-" => a.checked_sub(b),
                "*" => a.checked_mul(b),
                "/" | "//" => floor(a, b),
                "%" => floor(a, b).map(|q| a - q * b),
                _ => None,
            };
            return of.filter(|n| n.abs() < 1 << 40).map(Int);
        }
        let (a, b) = (self.real(), other.real());
        let of = match operator {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "/" if b != 0.0 => a / b,
            _ => return None,
        };
        of.is_finite().then_some(Real(of))
    }
}

type Made = Option<(String, Number)>;

/// Draws numbers by a fixed rule (xorshift).
struct Maker {
    state: u64,
    /// Brackets that are open: lines may end in them.
    open: usize,
    /// Everything on one line, without quotes.
    flat: bool,
}

impl Maker {
    fn draw(&mut self, below: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) as usize % below
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.draw(of.len())]
    }

    /// What may stand between two tokens.
    fn blank(&mut self) -> &'static str {
        match (self.draw(8), self.flat, self.open > 0) {
            (0, ..) => " ",
            (1, false, _) => "\t",
            (2, false, true) => "\n  ",
            (3, false, true) => " # a / b\n",
            (2, false, false) => " \\\n  ",
            _ => "",
        }
    }

    /// Something within brackets.
    fn within<T>(&mut self, make: impl FnOnce(&mut Maker) -> Option<T>) -> Option<T> {
        self.open += 1;
        let made = make(self);
        self.open -= 1;
        made
    }

    /// An expression, `a + b`.
    fn sum(&mut self, depth: usize) -> Made {
        self.chain(depth, &["+", "-"], 2, Maker::product)
    }

    /// `a / b / c`.
    fn product(&mut self, depth: usize) -> Made {
        self.chain(depth, &["/", "/", "/", "*", "//", "%"], 4, Maker::signed)
    }

    fn chain(&mut self, depth: usize, by: &[&str], most: usize, part: fn(&mut Maker, usize) -> Made) -> Made {
        let (mut text, mut value) = part(self, depth)?;
        for _ in 0..self.draw(most) {
            let operator = self.one(by);
            let before = self.blank();
            let after = self.blank();
            let (right, other) = part(self, depth)?;
            text = format!("{text}{before}{operator}{after}{right}");
            value = value.with(operator, other)?;
        }
        Some((text, value))
    }

    /// `-a`, `a**2`.
    fn signed(&mut self, depth: usize) -> Made {
        let sign = self.one(&["", "", "", "-"]);
        let (text, value) = self.atom(depth)?;
        let (text, value) = match self.draw(8) {
            0 => (format!("{text}{}**{}2", self.blank(), self.blank()), value.with("*", value)?),
            _ => (text, value),
        };
        let value = match value {
            _ if sign.is_empty() => value,
            Int(n) => Int(-n),
            Real(x) => Real(-x),
        };
        Some((format!("{sign}{text}"), value))
    }

    fn literal(&mut self) -> (String, Number) {
        let n = self.draw(64) as i64;
        match self.draw(8) {
            0 => (format!("0{n:o}"), Int(n)),
            1 => (format!("0x{n:X}"), Int(n)),
            2 => (format!("{n}L"), Int(n)),
            3 => (format!("{n}.5"), Real(n as f64 + 0.5)),
            4 => (format!("{n}."), Real(n as f64)),
            _ => (n.to_string(), Int(n)),
        }
    }

    fn atom(&mut self, depth: usize) -> Made {
        if depth == 0 {
            return Some(if self.draw(2) == 0 { self.literal() } else { self.name() });
        }
        match self.draw(16) {
            0 | 1 => Some(self.literal()),
            2 => Some(self.name()),
            3 | 4 => self.call("(", depth, ")", Some),
            5 => self.call("half(", depth, ")", |x| x.with("/", Int(2))),
            6 => self.call("[x/2 for x in [", depth, "]][0]", |x| x.with("/", Int(2))),
            7 => self.call("(lambda x,y=2:x/y/1)(", depth, ")", |x| x.with("/", Int(2))),
            8 => self.call("iter([", depth, "]).next()", Some),
            9 => self.call("max(x/2for x in(", depth, ",))", |x| x.with("/", Int(2))),
            10 => {
                let (text, value) = self.sum(depth - 1)?;
                value.shown()?;
                Some((format!("eval(`{text}`)"), value))
            }
            11 => self.call("l[(", depth, ")%3]", |x| match x {
                Int(n) => Some(Int(LIST[n.rem_euclid(3) as usize])),
                Real(_) => None,
            }),
            12 => {
                let key = self.one(&["d.keys()[0]", "d.iterkeys().next()", "d.iteritems().next()[0]"]);
                Some((key.into(), Int(1)))
            }
            13 => {
                let value = self.one(&["d.values()[0]", "d.itervalues().next()", "d.items()[0][1]", "d[d.keys()[0]]"]);
                Some((value.into(), Int(6)))
            }
            14 => self.call("(d.has_key(", depth, ")+3)", |x| Some(Int(3 + i64::from(x.is(Int(1)))))),
            _ => self.choice(depth),
        }
    }

    fn name(&mut self) -> (String, Number) {
        let (name, value) = NAMES[self.draw(NAMES.len())];
        (name.into(), value)
    }

    fn call(&mut self, before: &str, depth: usize, after: &str, rule: impl Fn(Number) -> Option<Number>) -> Made {
        let (text, value) = self.within(|maker| maker.sum(depth - 1))?;
        Some((format!("{before}{text}{after}"), rule(value)?))
    }

    /// `('ü' and a if b <> c else d)`.
    fn choice(&mut self, depth: usize) -> Made {
        let parts: Option<Vec<(String, Number)>> = self.within(|maker| (0..4).map(|_| maker.sum(depth - 1)).collect());
        let [a, b, c, d]: [(String, Number); 4] = parts?.try_into().ok()?;
        let quoted = if self.flat { "" } else { "'ü' and " };
        let value = if b.1.is(c.1) { d.1 } else { a.1 };
        Some((format!("({quoted}{} if {}<>{} else {})", a.0, b.0, c.0, d.0), value))
    }

    /// An expression, and what it shows.
    fn shown(&mut self) -> Option<(String, Number, String)> {
        let depth = self.draw(4);
        let (text, value) = self.sum(depth)?;
        Some((text, value, value.shown()?))
    }

    /// An expression on one line.
    fn on_a_line(&mut self) -> Option<(String, Number, String)> {
        self.flat = true;
        let made = self.shown();
        self.flat = false;
        made
    }

    /// A statement and the line that it prints.
    fn statement(&mut self) -> Option<(String, String)> {
        let (a, x, shown) = self.shown()?;
        let (b, y, other) = self.shown()?;
        let over = |x: Number| x.with("/", y).and_then(Number::shown);
        Some(match self.draw(12) {
            0 => (format!("print repr({a}), `{b}`"), format!("{shown} {other}")),
            1 => (format!("print`{a}`,;print`{b}`"), format!("{shown} {other}")),
            2 => (format!("print >>get(sys.stdout), `{a}`,\nprint>>sys.stdout,repr({b})"), format!("{shown} {other}")),
            3 => (format!("v = {a}\nv /= {b}\nprint repr(v)"), over(x)?),
            4 => {
                let Int(n) = x else { return None };
                let mut list = LIST.map(|n| n.to_string());
                let place = n.rem_euclid(3) as usize;
                list[place] = over(Int(LIST[place]))?;
                let text = format!("m = l[:]; calls[0] = 0\nget(m)[at({a})] /= {b}; print map(repr, m), calls[0]");
                (text, format!("['{}'] 2", list.join("', '")))
            }
            5 => (format!("box.x={a};calls[0]=0;get(box).x/={b};print`box.x`,calls[0]"), format!("{} 1", over(x)?)),
            6 => (format!("try: raise ValueError, {a}\nexcept ValueError, e: print `e.args[0]`"), shown),
            7 => {
                let (a, _, shown) = self.on_a_line()?;
                (format!("exec \"w = {a}\"; print `w`"), shown)
            }
            8 => {
                let (a, x, _) = self.on_a_line()?;
                let text = format!("print repr(eval(\"{a}\")/({b}))");
                (text, over(x)?)
            }
            9 => (format!("if 1:\n\tv={a}\n        v/={b};print`v`"), over(x)?),
            10 => (format!("if {a}<>{a}: print 'no'\nelse:v={a};v/={b};print`v`"), over(x)?),
            _ => {
                let halves = x.with("/", Int(2))?.shown()? + " " + &y.with("/", Int(2))?.shown()?;
                (format!("for q in({a},{b}):print`q/2`,\nprint"), halves)
            }
        })
    }
}

#[test]
fn random_statements_print_what_python2_prints() {
    let mut maker = Maker { state: 0x2545_f491_4f6c_dd1d, open: 0, flat: false };
    let mut made = Vec::new();
    while made.len() < STATEMENTS {
        made.extend(maker.statement());
    }
    let deck: String = made.iter().map(|(text, _)| format!("{text}\n")).collect();
    let folder = Folder::new();
    let last = "SOLFEC('DYNAMIC', 1, 'out/a')\n";
    folder.write("deck.py", &format!("# -*- coding: utf-8 -*-\n{HEAD}{deck}{last}"));
    let out = folder.build(&["-q", "--check", "deck.py"]);
    assert!(out.status.success(), "{}\n{deck}", text(&out.stderr));
    let printed = text(&out.stdout);
    for ((statement, wanted), line) in made.iter().zip(printed.lines()) {
        assert_eq!(line, wanted, "{statement}");
    }
    assert_eq!(printed.lines().count(), STATEMENTS);
    // The deck that is converted once and for all means the same.
    let converted = text(&folder.build(&["--convert-deck", "deck.py"]).stdout);
    folder.write("converted.py", &converted);
    let out = folder.build(&["-q", "--check", "--python2", "never", "converted.py"]);
    assert_eq!(text(&out.stdout), printed, "{}", text(&out.stderr));
}
