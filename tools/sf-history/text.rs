//! Items as text: `[name=]ITEM`, where ITEM is an expression of `NAME[options]@TARGET`.
//!
//! ```text
//! KINETIC   KINETIC@BOX*   tip=DZ@label:BEAM(0,0,1)   CX@id:12   R[dir=0,0,1;pair=1,2]@BOX1,BOX2   sum(abs(DX@A),diff(STEP))
//! ```

use super::item::{Expr, Item};
use super::parse::expression;

impl std::str::FromStr for Item {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("an item is empty; see sf-history --help for what there is".into());
        }
        let (title, body) = split_title(text);
        if title.is_empty() {
            return Err(format!("{text}: empty column name before '='"));
        }
        if body.is_empty() {
            return Err(format!("{text}: no item after '='; see sf-history --help for what there is"));
        }
        Item::titled(title, expression(body)?)
    }
}

impl Item {
    /// An item with its title.
    ///
    /// # Errors
    /// Terms of a sum have different units.
    pub fn titled(title: &str, expr: Expr) -> Result<Item, String> {
        expr.unit().map_err(|wrong| format!("{title}: {wrong}"))?;
        Ok(Item { title: title.into(), expr })
    }
}

/// `name=ITEM`; an `=` after `@`, `[` or `(` belongs to the item.
fn split_title(text: &str) -> (&str, &str) {
    match text.find(['=', '@', '[', '(']) {
        Some(at) if text.as_bytes()[at] == b'=' => (text[..at].trim(), text[at + 1..].trim()),
        _ => (text.trim(), text.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::item::{Field, Measure, Quantity, Who};

    fn item(text: &str) -> Item {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn texts(who: &Who) -> Vec<&str> {
        match who {
            Who::All => vec!["all"],
            Who::Rules(rules) => rules.iter().map(|(text, _)| text.as_str()).collect(),
        }
    }

    #[test]
    fn points_are_read() {
        let tip = item("tip=DZ@label:BEAM (A)(0,-1e-3,1)");
        assert_eq!((tip.title.as_str(), tip.unit().to_string().as_str()), ("tip", "m"));
        let Expr::Of(Quantity::Point { field, body, reference }) = &tip.expr else { panic!("not a point") };
        assert_eq!((*field, *reference), (Field::Displacement(2), Some([0.0, -1e-3, 1.0])));
        assert_eq!(texts(body), ["label:BEAM (A)"]);
        let center = item("SXY@label:BEAM (A)");
        let Expr::Of(Quantity::Point { field, body, reference }) = &center.expr else { panic!("not a point") };
        assert_eq!((*field, *reference, texts(body)), (Field::Stress(3), None, vec!["label:BEAM (A)"]));
    }

    #[test]
    fn labels_of_points_may_hold_anything() {
        for (text, label, at) in [
            ("CX@label:A,B(1,2,3)", "label:A,B", Some([1.0, 2.0, 3.0])),
            ("CX@label:BOX(12)", "label:BOX(12)", None),
            ("CX@label:BOX(12)(1,2,3)", "label:BOX(12)", Some([1.0, 2.0, 3.0])),
        ] {
            let Expr::Of(Quantity::Point { body, reference, .. }) = item(text).expr else { panic!("{text}") };
            assert_eq!((texts(&body), reference), (vec![label], at), "{text}");
        }
    }

    #[test]
    fn constraints_are_read() {
        let up = item("R[dir=0,0,2;pair=1,2;on=bodies]@BOX1,BOX2");
        assert_eq!(up.title, "R[dir=0,0,2;pair=1,2;on=bodies]@BOX1,BOX2");
        let Expr::Of(Quantity::AtConstraints(at)) = &up.expr else { panic!("not at constraints") };
        assert_eq!((at.direction, at.pair), (Some(([0.0, 0.0, 1.0], 2.0)), Some([1, 2])));
        assert!(at.on_bodies && !at.contacts_only);
        assert_eq!(texts(&at.bodies), ["BOX1", "BOX2"]);
        let Expr::Of(Quantity::AtConstraints(at)) = &item("CUY").expr else { panic!("not at constraints") };
        assert_eq!((at.direction, at.measure), (Some(([0.0, 1.0, 0.0], 1.0)), Measure::Velocity));
        assert!(at.contacts_only && matches!(at.bodies, Who::All));
        let Expr::Of(Quantity::AtConstraints(at)) = &item("GAP[dir=0,0,0;pair=1,2;on=bodies]@BOX1").expr else {
            panic!("not at constraints")
        };
        assert_eq!((at.direction, at.pair, at.on_bodies), (None, Some([1, 2]), false));
        let lists = item("GAP@box:0,0,0,1,1,1,re:^A,B$");
        let Expr::Of(Quantity::AtConstraints(at)) = &lists.expr else { panic!("not at constraints") };
        assert_eq!(texts(&at.bodies), ["box:0,0,0,1,1,1", "re:^A,B$"]);
    }

    #[test]
    fn functions_are_read() {
        let Expr::Sum(terms) = &item("all=sum(DX@A(0,0,1),abs(DY@B), CX@C)").expr else { panic!("not a sum") };
        assert_eq!(terms.len(), 3);
        assert!(matches!(terms[1], Expr::Abs(_)));
        let Expr::Sum(terms) = &item("sum(KINETIC@BOX1,BOX2,INTERNAL)").expr else { panic!("not a sum") };
        let Expr::Of(Quantity::Energy { bodies, .. }) = &terms[0] else { panic!("not an energy") };
        assert_eq!((terms.len(), texts(bodies)), (2, vec!["BOX1", "BOX2"]));
        assert!(matches!(item("diff(cumsum(CONS))").expr, Expr::Diff(_)));
    }

    #[test]
    fn titles_default_to_the_item() {
        assert_eq!(item("KINETIC@label:a=b").title, "KINETIC@label:a=b");
        assert_eq!(item("e=KINETIC@label:a=b").title, "e");
        assert_eq!(item("RZ[on=master]").title, "RZ[on=master]");
    }

    #[test]
    fn wrong_items_say_what_to_write() {
        for (text, expected) in [
            ("", "is empty"),
            ("KINETIK", "no such item"),
            ("=KINETIC", "empty column name"),
            ("a=", "no item after"),
            ("DZ", "of which point"),
            ("DZ@BOX(1,2)", "not a point of a body"),
            ("DZ@BOX(1,2,x)", "not a point of a body"),
            ("DZ@BOX(1,2,inf)", "not a point of a body"),
            ("STEP@BOX", "leave out the bodies"),
            ("KINETIC@id:x", "write id:7"),
            ("KINETIC@", "no bodies after"),
            ("KINETIC[dir=0,0,1]", "takes no direction"),
            ("RX[dir=0,0,1]", "has a direction already"),
            ("R[dir=0,0,0]", "has no length"),
            ("R[dir=0,0]", "no option"),
            ("R[dir=0,0,1", "not closed"),
            ("R[up]", "no option"),
            ("sum(KINETIC,STEP)", "combine quantities of one unit"),
            ("abs(STEP,CONS)", "takes one item"),
            ("cumsum(KINETIK)", "no such item"),
        ] {
            let error = text.parse::<Item>().expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
