//! Values of an expression, row by row, from those of its quantities.

use super::item::{Expr, Operator, Quantity};
use crate::cli::CliError;

/// Where the values of quantities come from.
pub trait Values {
    /// Number of rows.
    fn rows(&self) -> usize;

    fn quantity(&mut self, quantity: &Quantity) -> Result<Vec<f64>, CliError>;

    /// Values of an expression for each of the bodies that a pattern in it names; one list if there is no pattern.
    fn for_each_body(&mut self, expr: &Expr) -> Result<Vec<Vec<f64>>, CliError>;
}

/// The values of an expression.
pub fn derive(expr: &Expr, source: &mut dyn Values) -> Result<Vec<f64>, CliError> {
    Ok(match expr {
        Expr::Of(quantity) => source.quantity(quantity)?,
        Expr::Number(x) => vec![*x; source.rows()],
        Expr::Sum(terms) => fold(terms, 0.0, source, |sum, x| sum + x)?,
        Expr::Norm(terms) => {
            let squares = fold(terms, 0.0, source, |sum, x| sum + x * x)?;
            squares.into_iter().map(f64::sqrt).collect()
        }
        Expr::Largest(terms) => extreme(terms, source, f64::max)?,
        Expr::Least(terms) => extreme(terms, source, f64::min)?,
        Expr::Binary(operator, left, right) => {
            let (left, right) = (derive(left, source)?, derive(right, source)?);
            left.into_iter().zip(right).map(|(a, b)| operator.of(a, b)).collect()
        }
        Expr::Negative(of) => derive(of, source)?.into_iter().map(|x| -x).collect(),
        Expr::Abs(of) => derive(of, source)?.into_iter().map(f64::abs).collect(),
        Expr::Cumsum(of) => {
            let mut sum = 0.0;
            let add = |x: f64| {
                sum += if x.is_nan() { 0.0 } else { x };
                if x.is_nan() {
                    x
                } else {
                    sum
                }
            };
            derive(of, source)?.into_iter().map(add).collect()
        }
        Expr::Diff(of) => {
            let values = derive(of, source)?;
            (0..values.len()).map(|i| if i == 0 { f64::NAN } else { values[i] - values[i - 1] }).collect()
        }
    })
}

impl Operator {
    fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Operator::Plus => a + b,
            Operator::Minus => a - b,
            Operator::Times => a * b,
            Operator::Over => a / b,
        }
    }
}

fn fold(terms: &[Expr], start: f64, source: &mut dyn Values, add: fn(f64, f64) -> f64) -> Result<Vec<f64>, CliError> {
    let mut all = vec![start; source.rows()];
    for term in terms {
        all.iter_mut().zip(derive(term, source)?).for_each(|(sum, x)| *sum = add(*sum, x));
    }
    Ok(all)
}

/// Of the values that exist; NaN where there is none.
fn extreme(terms: &[Expr], source: &mut dyn Values, better: fn(f64, f64) -> f64) -> Result<Vec<f64>, CliError> {
    let mut best = vec![f64::NAN; source.rows()];
    for term in terms {
        for values in source.for_each_body(term)? {
            // f64::max and f64::min skip NaN.
            best.iter_mut().zip(values).for_each(|(best, x)| *best = better(*best, x));
        }
    }
    Ok(best)
}
