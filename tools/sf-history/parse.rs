//! Expressions of items: `+ - * /` with the usual precedence, brackets, functions, numbers, quantities.
//!
//! What follows `@` belongs to the bodies until a closing bracket, the bracket of a point, an operator with a space on
//! either side before an operand, or, in a function, a comma before an operand.

use super::item::{Expr, Operator};
use super::names::{is_name, is_point_item};
use super::quantity::{numbers, quantity_text};

pub const FUNCTIONS: [&str; 7] = ["sum", "abs", "cumsum", "diff", "norm", "max", "min"];

/// The expression of a whole text.
///
/// # Errors
/// What is wrong, with the number of the character.
pub fn expression(text: &str) -> Result<Expr, String> {
    let mut parser = Parser { text, at: 0, calls: 0 };
    let expr = parser.sum()?;
    match parser.next() {
        None => Ok(expr),
        Some(')') => Err(parser.wrong("there is no '(' for this ')'")),
        Some(',') => Err(parser.wrong("items are not joined by commas; write A B")),
        Some(_) if text[..parser.at].ends_with(char::is_whitespace) => {
            Err(parser.wrong("two items are two arguments: write A B without quotes around both"))
        }
        Some(c) => Err(parser.wrong(&format!("'{c}' is not understood here; write an operator or NAME@BODIES"))),
    }
}

struct Parser<'a> {
    text: &'a str,
    /// Byte that comes next.
    at: usize,
    /// How many functions are open.
    calls: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character that is no space; it is not taken.
    fn next(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.next() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn wrong(&self, what: &str) -> String {
        let character = self.text[..self.at].chars().count() + 1;
        format!("{}: character {character}: {what}", self.text)
    }

    fn sum(&mut self) -> Result<Expr, String> {
        let mut left = self.product()?;
        loop {
            let operator = match () {
                () if self.take('+') => Operator::Plus,
                () if self.take('-') => Operator::Minus,
                () => return Ok(left),
            };
            left = Expr::Binary(operator, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expr, String> {
        let mut left = self.factor()?;
        loop {
            let operator = match () {
                () if self.take('*') => Operator::Times,
                () if self.take('/') => Operator::Over,
                () => return Ok(left),
            };
            left = Expr::Binary(operator, Box::new(left), Box::new(self.factor()?));
        }
    }

    fn factor(&mut self) -> Result<Expr, String> {
        if self.take('-') {
            return Ok(Expr::Negative(Box::new(self.factor()?)));
        }
        if self.take('(') {
            let inside = self.sum()?;
            return self.close().map(|()| inside);
        }
        match self.next() {
            None => Err(self.wrong("an item or a number is missing")),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if is_name_letter(c) => self.named(),
            Some(c) => Err(self.wrong(&format!("an item or a number is missing before '{c}'"))),
        }
    }

    fn close(&mut self) -> Result<(), String> {
        if self.take(')') {
            return Ok(());
        }
        Err(self.wrong("a ')' is missing"))
    }

    fn number(&mut self) -> Result<Expr, String> {
        let length = number_length(self.rest());
        let (digits, start) = (&self.rest()[..length], self.at);
        self.at += length;
        digits.parse().map(Expr::Number).map_err(|_| {
            self.at = start;
            self.wrong(&format!("'{digits}' is not a number"))
        })
    }

    /// A function or a quantity.
    fn named(&mut self) -> Result<Expr, String> {
        let start = self.at;
        let name = name_of(self.rest());
        self.at += name.len();
        if FUNCTIONS.contains(&name) && self.next() == Some('(') {
            return self.call(name, start);
        }
        self.at = start + name.len();
        if self.rest().starts_with('[') {
            let length = self.rest().find(']').ok_or_else(|| self.wrong("'[' is not closed by ']'"))?;
            self.at += length + 1;
        }
        if self.rest().starts_with('@') {
            self.at += self.target(is_point_item(name));
        }
        quantity_text(self.text[start..self.at].trim_end()).map(Expr::Of)
    }

    fn call(&mut self, name: &str, start: usize) -> Result<Expr, String> {
        self.take('(');
        if self.take(')') {
            return Err(format!("{}: {name} of what? write {name}(KINETIC)", &self.text[start..self.at]));
        }
        self.calls += 1;
        let mut args = vec![self.sum()?];
        while self.take(',') {
            args.push(self.sum()?);
        }
        self.calls -= 1;
        self.close()?;
        match name {
            "sum" => return Ok(Expr::Sum(args)),
            "norm" => return Ok(Expr::Norm(args)),
            "max" => return Ok(Expr::Largest(args)),
            "min" => return Ok(Expr::Least(args)),
            _ => {}
        }
        let (Some(arg), true) = (args.pop(), args.is_empty()) else {
            return Err(format!("{}: {name} takes one item", &self.text[start..self.at]));
        };
        Ok(match name {
            "abs" => Expr::Abs(Box::new(arg)),
            "cumsum" => Expr::Cumsum(Box::new(arg)),
            _ => Expr::Diff(Box::new(arg)),
        })
    }

    /// Length of `@BODIES` or `@BODY(x,y,z)`.
    fn target(&self, of_point: bool) -> usize {
        let text = self.rest();
        let mut opened = Vec::new();
        let (mut rule, mut commas) = (1, 0);
        for (at, c) in text.char_indices().skip(1) {
            let after = &text[at + c.len_utf8()..];
            match c {
                '(' | '[' => opened.push(at),
                ')' | ']' => {
                    let Some(open) = opened.pop() else { return at };
                    let point = of_point && opened.is_empty() && numbers::<f64, 3>(&text[open + 1..at]).is_some();
                    if point && !after.starts_with('(') {
                        return at + 1;
                    }
                }
                _ if !opened.is_empty() => {}
                ',' => {
                    let bounds = text[rule..].trim_start().starts_with("box:");
                    let of_bounds = bounds && commas < 5;
                    if self.calls > 0 && !of_bounds && begins_term(after) {
                        return at;
                    }
                    (rule, commas) = if of_bounds { (rule, commas + 1) } else { (at + 1, 0) };
                }
                '+' | '-' | '*' | '/' => {
                    let apart = text[..at].ends_with(' ') && after.starts_with(' ');
                    if apart && begins_operand(after) {
                        return at;
                    }
                }
                _ => {}
            }
        }
        text.len()
    }
}

fn is_name_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Length of a number at the beginning of a text: `1`, `.5`, `2.5e-3`.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
    let mantissa = digits(0);
    let Some(rest) = text[mantissa..].strip_prefix(['e', 'E']) else { return mantissa };
    let exponent = mantissa + 1 + usize::from(rest.starts_with(['+', '-']));
    match digits(exponent) {
        0 => mantissa,
        n => exponent + n,
    }
}

fn name_of(text: &str) -> &str {
    &text[..text.find(|c| !is_name_letter(c)).unwrap_or(text.len())]
}

/// Whether an item, a function or a bracket comes next, and not a label.
fn begins_term(text: &str) -> bool {
    let apart = text.starts_with(' ');
    let text = text.trim_start();
    let name = name_of(text);
    let after = &text[name.len()..];
    let ends = after.is_empty() || after.starts_with(['@', '[', ',', ')', ' ', '+', '-', '*', '/']);
    match text.chars().next() {
        Some('(') => true,
        Some(c) if c.is_ascii_digit() => apart,
        _ => FUNCTIONS.contains(&name) && after.starts_with('(') || is_name(name) && ends,
    }
}

/// Whether what comes after an operator can be an operand.
fn begins_operand(text: &str) -> bool {
    let inner = text.trim_start().trim_start_matches('-');
    let name = name_of(inner);
    begins_term(&format!(" {inner}")) || !name.is_empty() && inner[name.len()..].starts_with(['@', '['])
}

#[cfg(test)]
mod tests {
    use super::super::item::{Item, Quantity};
    use super::*;

    /// The tree as a text with all brackets.
    fn shape(expr: &Expr) -> String {
        let list = |terms: &[Expr]| terms.iter().map(shape).collect::<Vec<_>>().join(",");
        match expr {
            Expr::Of(quantity) => match quantity.bodies() {
                Some(who) if who.key() != "all" => format!("<{}>", who.key()),
                _ => "q".into(),
            },
            Expr::Number(x) => x.to_string(),
            Expr::Sum(terms) => format!("sum({})", list(terms)),
            Expr::Norm(terms) => format!("norm({})", list(terms)),
            Expr::Largest(terms) => format!("max({})", list(terms)),
            Expr::Least(terms) => format!("min({})", list(terms)),
            Expr::Binary(operator, a, b) => format!("({} {operator:?} {})", shape(a), shape(b)),
            Expr::Negative(of) => format!("-{}", shape(of)),
            Expr::Abs(of) => format!("abs({})", shape(of)),
            Expr::Cumsum(of) => format!("cumsum({})", shape(of)),
            Expr::Diff(of) => format!("diff({})", shape(of)),
        }
    }

    #[test]
    fn precedence_and_brackets() {
        for (text, tree) in [
            ("KINETIC+INTERNAL*2", "(q Plus (q Times 2))"),
            ("(KINETIC + INTERNAL)*2", "((q Plus q) Times 2)"),
            ("KINETIC-INTERNAL-TOTAL", "((q Minus q) Minus q)"),
            ("8/2/2", "((8 Over 2) Over 2)"),
            ("-2*-1.5e-3", "(-2 Times -0.0015)"),
            ("2e3*KINETIC", "(2000 Times q)"),
            ("KINETIC@A - INTERNAL@B*", "(<A> Minus <B*>)"),
            ("CZ@A(0,0,1)-CZ@B(0,0,1)", "(<A> Minus <B>)"),
            ("CZ@A - 0.5", "(<A> Minus 0.5)"),
            ("KINETIC@BOX-1+2", "<BOX-1+2>"),
            ("KINETIC@label:A - B", "<label:A - B>"),
            ("max(VZ@*)*2", "(max(<*>) Times 2)"),
            ("max(VZ@A*,abs(VX@B),0)", "max(<A*>,abs(<B>),0)"),
            ("max(CZ@A, 0)", "max(<A>,0)"),
            ("norm(VX@A,VY@A,VZ@A)", "norm(<A>,<A>,<A>)"),
            ("sum(KINETIC@box:0,0,0,1,1,1,INTERNAL)", "sum(<box:0,0,0,1,1,1>,q)"),
            ("sum(KINETIC@A,B,OMEGAX,INTERNAL)", "sum(<A,B>,q,q)"),
            ("KINETIC@A,INTERNAL", "<A,INTERNAL>"),
            ("R[dir=0,0,1]/CONS", "(q Over q)"),
        ] {
            // OMEGAX in a list needs a body: here it is one of the labels after all.
            match (expression(text), text.contains("OMEGAX")) {
                (Ok(expr), false) => assert_eq!(shape(&expr), tree, "{text}"),
                (Err(error), true) => assert!(error.contains("of which body"), "{error}"),
                (other, _) => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn errors_say_where() {
        for (text, says) in [
            ("KINETIC+", "KINETIC+: character 9: an item or a number is missing"),
            ("sum(CONS", "character 9: a ')' is missing"),
            ("(CONS", "character 6: a ')' is missing"),
            ("CONS)", "character 5: there is no '('"),
            ("CONS**2", "character 6: an item or a number is missing before '*'"),
            ("CONS BODS", "character 6: two items are two arguments"),
            ("1..2", "character 1: '1..2' is not a number"),
            ("kinetic", "did you mean KINETIC?"),
            ("cz@BALL", "did you mean CZ?"),
            ("KINETIC + INTERNL@BALL", "INTERNL: no such item (did you mean INTERNAL?)"),
            ("KINETIC*CONS+KINETIC/CONS+STEP", "adds or compares [J] and [s]"),
        ] {
            let error = text.parse::<Item>().expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn units_follow_the_operators() {
        for (text, unit) in [
            ("KINETIC/CONS", "J"),
            ("R*VZ@A", "W"),
            ("CZ@A - 1", "m"),
            ("1/STEP", "1/s"),
            ("norm(VX@A,VY@A)", "m/s"),
            ("OMEGAZ@A", "rad/s"),
            ("LZ", "kg m2/s"),
            ("2*3", "1"),
        ] {
            let item: Item = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(item.unit().to_string(), unit, "{text}");
        }
        let Expr::Of(Quantity::Derived { .. }) = expression("BALANCE@A").unwrap() else { panic!("no energy") };
    }
}
