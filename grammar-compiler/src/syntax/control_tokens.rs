//! Texts of a grammar that spell a control token.
//!
//! In: rules, and the vocabulary that they are read for. Out: warnings. A tokenizer takes the names
//! of control tokens out of a text before anything else, and a model writes the token; but a
//! control token has no text, so a mask allows it only where the grammar names it. A literal such
//! as `"<|channel|>"` takes the characters of the name, which such a model never writes.

use std::ops::Range;

use super::spell::Speller;
use crate::error::{Code, Diagnostic, shown};
use crate::grammar::{Expr, Grammar, Rule};
use crate::limits::Deadline;
use crate::vocabulary::TokenNames;

/// What is being done.
const DOING: &str = "looking for control tokens in literals";
/// The steps that a literal takes.
const STEPS: usize = 16;
/// The most literals that warnings name.
const MOST: usize = 20;

/// Warnings about the literals of these rules. A vocabulary that is loaded when it is asked for is
/// asked only if a literal can hold a control token.
pub(super) fn lint(
    grammar: &Grammar,
    rules: Range<usize>,
    tokens: &TokenNames,
    deadline: &Deadline,
) -> Vec<Diagnostic> {
    let rules = grammar.rules.get(rules).unwrap_or_default();
    let may_hold =
        |part: &Expr| matches!(part, Expr::Literal(text) if text.contains(['<', '[', '|']));
    if !rules
        .iter()
        .any(|rule| rule.expr.any(&mut |part| may_hold(part)))
    {
        return Vec::new();
    }
    let speller = Speller::of_control_tokens(tokens);
    let mut found = Vec::new();
    for rule in rules {
        let mut spelling = Vec::new();
        rule.expr.any(&mut |part| {
            let text = match part {
                Expr::Literal(text) => text.as_str(),
                _ => "",
            };
            let name = speller.first_token(text);
            spelling.extend(name.map(|name| (part, name)));
            let steps = STEPS + text.len();
            found.len() + spelling.len() >= MOST || deadline.stops_after(steps, DOING)
        });
        let parts: Vec<&Expr> = spelling.iter().map(|of| of.0).collect();
        let places = rule.places_of(&parts);
        let warnings = spelling.iter().zip(places);
        found.extend(warnings.map(|(&(_, name), place)| warning(rule, name).at(place, "")));
        if found.len() >= MOST {
            break;
        }
    }
    found
}

fn warning(rule: &Rule, (name, id): (&str, u32)) -> Diagnostic {
    let (rule, shown) = (shown(&rule.name), shown(name));
    let message = format!(
        "a text of rule `{rule}` spells `{shown}`, which is the control token {id} of this vocabulary: the mask allows its characters, and never the token"
    );
    let help = match name.starts_with('<') && name.ends_with('>') {
        true => format!(
            "if the model writes the token, name it without quotation marks: `{shown}`, or `Token(\"{shown}\")`"
        ),
        false => format!("if the model writes the token, name it: `Token(\"{shown}\")`"),
    };
    Diagnostic::warning(Code::ControlToken, message).help(help)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::MOST;
    use crate::source::Source;
    use crate::syntax::{Kind, ParseOptions, parse};
    use crate::vocabulary::{TokenNames, Vocabulary};

    /// The codes of warnings, with the texts that they are at.
    fn warned(kind: Kind, text: &str) -> Vec<(String, String)> {
        let tokens = ["a", "<tag>", "", "", ""].map(|text| text.as_bytes().to_vec());
        let vocabulary = Vocabulary::from_tokens(tokens.to_vec(), vec![4])
            .with_special([
                (2, "<|call|>".to_owned()),
                (3, "[INST]".to_owned()),
                (4, "</s>".to_owned()),
            ])
            .with_added([(1, "<tag>".to_owned())]);
        let options = ParseOptions::default().tokens(TokenNames::of(Arc::new(vocabulary)));
        let parsed = parse(kind, &Source::new("text", text), &options).unwrap();
        let warnings = parsed.warnings.iter();
        let at = |span: crate::source::Span| {
            text.get(span.start..span.end)
                .unwrap_or_default()
                .to_owned()
        };
        warnings
            .map(|warning| (warning.code().to_string(), at(warning.span().unwrap())))
            .collect()
    }

    #[test]
    fn a_literal_that_spells_a_control_token_is_warned_of_where_it_stands() {
        let found = warned(
            Kind::Ebnf,
            "root ::= \"a\" x | \"x <|call|> y\"\nx ::= \"[INST]\" | \"<tag>\" | \"<|call>\"\n",
        );
        let at = |text: &str| ("control-token".to_owned(), text.to_owned());
        assert_eq!(found, [at("\"x <|call|> y\""), at("\"[INST]\"")]);
        // The token itself is not a text.
        assert_eq!(warned(Kind::Ebnf, "root ::= \"a\" <|call|>\n"), []);
        assert_eq!(warned(Kind::Regex, "a+</s>"), [at("a+</s>")]);
        assert_eq!(warned(Kind::Regex, "a+</t>"), []);
    }

    #[test]
    fn warnings_of_very_many_literals_are_bounded() {
        let alternatives: Vec<String> = (0..1000).map(|at| format!("\"{at}</s>\"")).collect();
        let found = warned(
            Kind::Ebnf,
            &format!("root ::= {}\n", alternatives.join(" | ")),
        );
        assert_eq!(found.len(), MOST);
    }
}
