//! A grammar as bytes to be hashed: the same on any machine and with any compiler, different for
//! different grammars.
//!
//! In: a [`Grammar`]. Out: bytes. Every part begins with a tag and says how many parts it has, so
//! that no two grammars have the same bytes. Places in the source are left out.

use super::{Expr, Grammar, Graph, TerminalId, TokenSet, Words, lexer};

/// Writes a grammar to `out`.
pub fn write(grammar: &Grammar, out: &mut Vec<u8>) {
    number(out, grammar.root.0);
    count(out, grammar.rules.len());
    for rule in &grammar.rules {
        text(out, &rule.name);
        expr(&rule.expr, out);
    }
    if let Some(lexer) = &grammar.lexer {
        lexer::write(lexer, out);
    }
}

/// Writes an expression to `out`.
pub(super) fn expr(of: &Expr, out: &mut Vec<u8>) {
    match of {
        Expr::Literal(literal) => {
            out.push(0);
            text(out, literal);
        }
        Expr::Class(ranges) => {
            out.push(1);
            count(out, ranges.len());
            for &(low, high) in ranges {
                number(out, low.into());
                number(out, high.into());
            }
        }
        Expr::Bytes(ranges) => {
            out.push(2);
            count(out, ranges.len());
            ranges
                .iter()
                .for_each(|&(low, high)| out.extend([low, high]));
        }
        Expr::Tokens(set) => {
            out.push(9);
            tokens(out, set);
        }
        Expr::Terminal(TerminalId(id)) => {
            out.push(11);
            number(out, (*id).into());
        }
        Expr::Words(automaton) => {
            out.push(3);
            words(out, automaton);
        }
        Expr::Bounded(automaton) => {
            out.push(match automaton.core() {
                Some(_) if automaton.is_endless() => 13,
                Some(_) => 12,
                None => 10,
            });
            number(out, automaton.boundaries());
            number(out, automaton.max());
            words(out, automaton.words());
            if let Some(core) = automaton.core() {
                number(out, automaton.min());
                number(out, core.boundaries());
                words(out, core.words());
            }
        }
        Expr::Graph(automaton) => {
            out.push(4);
            graph(out, automaton);
        }
        Expr::Seq(parts) => {
            out.push(5);
            exprs(out, parts);
        }
        Expr::Alt(parts) => {
            out.push(6);
            exprs(out, parts);
        }
        Expr::Repeat { expr: of, min, max } => {
            out.push(7);
            number(out, *min);
            out.push(u8::from(max.is_some()));
            number(out, max.unwrap_or(0));
            expr(of, out);
        }
        Expr::Ref(rule) => {
            out.push(8);
            number(out, rule.0);
        }
    }
}

fn exprs(out: &mut Vec<u8>, parts: &[Expr]) {
    count(out, parts.len());
    parts.iter().for_each(|part| expr(part, out));
}

fn tokens(out: &mut Vec<u8>, set: &TokenSet) {
    match set.tokens_before() {
        Some(tokens) => {
            out.push(2);
            number(out, tokens.into());
        }
        None => out.push(u8::from(set.is_all_but())),
    }
    count(out, set.ids().len());
    set.ids().iter().for_each(|&id| number(out, id));
}

fn words(out: &mut Vec<u8>, of: &Words) {
    count(out, of.states.len());
    for state in &of.states {
        out.push(u8::from(state.is_final));
        count(out, state.edges.len());
        for &(low, high, target) in &state.edges {
            out.extend([low, high]);
            number(out, target);
        }
    }
}

fn graph(out: &mut Vec<u8>, of: &Graph) {
    count(out, of.states.len());
    for state in &of.states {
        out.push(u8::from(state.is_final));
        count(out, state.edges.len());
        for (label, target) in &state.edges {
            expr(label, out);
            number(out, *target);
        }
    }
}

fn text(out: &mut Vec<u8>, of: &str) {
    count(out, of.len());
    out.extend_from_slice(of.as_bytes());
}

fn count(out: &mut Vec<u8>, of: usize) {
    out.extend((of as u64).to_le_bytes());
}

fn number(out: &mut Vec<u8>, of: u32) {
    out.extend(of.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::grammar::{Expr, Grammar, Rule, RuleId};
    use crate::source::Span;

    fn bytes(expr: Expr) -> Vec<u8> {
        let rule = Rule {
            name: "root".to_owned(),
            expr,
            span: Span::default(),
            places: Vec::new(),
        };
        let grammar = Grammar::new(vec![rule], RuleId(0));
        let mut out = Vec::new();
        write(&grammar, &mut out);
        out
    }

    #[test]
    fn what_differs_has_other_bytes() {
        let letter = |text: &str| Expr::Literal(text.to_owned());
        let repeat = |min, max| Expr::Repeat {
            expr: Box::new(letter("a")),
            min,
            max,
        };
        let different = [
            letter("ab"),
            letter("a"),
            Expr::Seq(vec![letter("a"), letter("b")]),
            Expr::Alt(vec![letter("a"), letter("b")]),
            Expr::Seq(vec![Expr::Seq(vec![letter("a")]), letter("b")]),
            Expr::Class(vec![('a', 'b')]),
            Expr::Class(vec![('a', 'a'), ('b', 'b')]),
            Expr::Bytes(vec![(b'a', b'b')]),
            repeat(0, None),
            repeat(0, Some(0)),
            repeat(1, None),
            Expr::Ref(RuleId(0)),
        ];
        for (at, one) in different.iter().enumerate() {
            for other in &different[..at] {
                assert_ne!(
                    bytes(one.clone()),
                    bytes(other.clone()),
                    "{one:?} {other:?}"
                );
            }
            assert_eq!(bytes(one.clone()), bytes(one.clone()));
        }
    }
}
