//! Digits without end.
//!
//! In: a grammar. Out: one warning, if some part of it takes any number of digits. Most grammars of
//! numbers do, and mean it, so this is said only to those who ask.

use super::MAX_PLACES;
use crate::error::{Code, Diagnostic};
use crate::grammar::{Expr, Grammar, Words};
use crate::limits::Deadline;
use crate::source::Span;

/// The steps that a rule takes.
const STEPS: usize = 32;

/// A warning that digits may go on without end, at the first places where they may.
pub fn unbounded_digits(grammar: &Grammar, deadline: &Deadline) -> Option<Diagnostic> {
    let mut places: Vec<Span> = Vec::new();
    for rule in &grammar.rules {
        if deadline
            .ticks(STEPS, "looking for digits without end")
            .is_err()
        {
            break;
        }
        let mut found = None;
        rule.expr.any(&mut |part| {
            let is_found = is_endless(grammar, part);
            found = is_found.then_some(part);
            is_found
        });
        let place = found.map(|part| rule.place_of(part));
        places.extend(place.filter(|place| !places.contains(place)));
        if places.len() == MAX_PLACES {
            break;
        }
    }
    let (first, others) = places.split_first()?;
    let message = "digits may go on without end";
    let mut warning = Diagnostic::warning(Code::UnboundedDigits, message).at(*first, "");
    for place in others {
        warning = warning.at(*place, "and here");
    }
    let help = "a model can run away in digits, which a mask always allows; bound them, such as \
                `[0-9]{1,15}`, or in a schema by the option `digits`";
    Some(warning.help(help))
}

/// Whether a part is a loop over digits.
fn is_endless(grammar: &Grammar, part: &Expr) -> bool {
    match part {
        Expr::Repeat {
            expr, max: None, ..
        } => is_digit(grammar, expr),
        Expr::Words(words) => has_loop_of_digits(words),
        _ => false,
    }
}

/// Whether an automaton has a state that digits, and no other bytes, lead back to.
fn has_loop_of_digits(words: &Words) -> bool {
    (0..).zip(&words.states).any(|(number, state)| {
        let mut back = state
            .edges
            .iter()
            .filter(|edge| edge.2 == number)
            .peekable();
        back.peek().is_some() && back.all(|&(low, high, _)| low >= b'0' && high <= b'9')
    })
}

/// Whether a part is one digit, by itself or as a rule.
fn is_digit(grammar: &Grammar, part: &Expr) -> bool {
    let is_class = |part: &Expr| match part {
        Expr::Class(ranges) => {
            let is_digits = |range: &(char, char)| '0' <= range.0 && range.1 <= '9';
            !ranges.is_empty() && ranges.iter().all(is_digits)
        }
        _ => false,
    };
    match part {
        Expr::Ref(id) => {
            let rule = grammar.rules.get(id.0 as usize);
            rule.is_some_and(|rule| is_class(&rule.expr))
        }
        part => is_class(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::source::Source;
    use crate::syntax::{Kind, ParseOptions, parse};

    /// The texts at the places of the warning.
    fn warned(kind: Kind, text: &str) -> Vec<String> {
        let parsed = parse(kind, &Source::new("text", text), &ParseOptions::default()).unwrap();
        let warning = unbounded_digits(&parsed.grammar, &Deadline::start(&Limits::default()));
        let labels = warning.iter().flat_map(|warning| warning.labels());
        let at = |span: Span| {
            text.get(span.start..span.end)
                .unwrap_or_default()
                .to_owned()
        };
        labels.map(|label| at(label.span)).collect()
    }

    #[test]
    fn a_loop_over_digits_is_named_where_it_stands() {
        let grammar = "root ::= [0-9]+ \".\" digit* [0-9a-f]*\ndigit ::= [1-9]\n";
        assert_eq!(warned(Kind::Ebnf, grammar), ["[0-9]+"]);
        assert_eq!(warned(Kind::Ebnf, "root ::= d*\nd ::= [0-9]\n"), ["d*"]);
        assert!(warned(Kind::Ebnf, "root ::= [0-9]{1,15} [0-9a]*\n").is_empty());
    }

    #[test]
    fn a_number_of_a_schema_is_such_a_loop_unless_its_digits_are_bounded() {
        assert_eq!(warned(Kind::JsonSchema, r#"{"type": "integer"}"#).len(), 1);
        let bounded = r#"{"type": "integer", "minimum": 0, "maximum": 9999}"#;
        assert!(warned(Kind::JsonSchema, bounded).is_empty());
        assert!(warned(Kind::JsonSchema, r#"{"type": "string"}"#).is_empty());
    }
}
