//! The grammar of a request, put together from the grammars of its parts.
//!
//! In: the grammar of the outer part, the names of its holes, and the grammars of those pieces that
//! have been read. Out: [`Composed`], the grammar of the whole request, in which the pieces that
//! have not been read are rules that nothing leads into. What holds: once those are read too, the
//! texts are those of the request compiled as a whole.
//!
//! ```text
//! outer    rules of the outer part; the token of a hole has become a call of the hole's rule
//! holes    one rule each: a name and a call of its piece, or another name …
//! pieces   one rule each: a call of the piece's own root, once that has been read
//! named    the tokens that some part names: they are no text, whichever parts have been read
//! …        the rules of pieces that have been read; the exit has become the empty text
//! names    rules of what names have in common
//! ```

use std::ops::Range;
use std::sync::Arc;

use maskwright_core::link::Names;

use crate::bits::Bits;
use crate::grammar::{Expr, Grammar, Rule, RuleId, TokenSet};
use crate::terminals::rewrite;

/// A grammar of which some pieces may be unread.
#[derive(Debug)]
pub(super) struct Composed {
    pub(super) grammar: Arc<Grammar>,
    /// The rules of pieces that have not been read.
    pub(super) unread: Bits,
    /// The rule of the first piece; those of the others follow.
    first_piece: u32,
}

impl Composed {
    /// The piece that a rule stands for, if it is the rule of a piece.
    pub(super) fn piece(&self, rule: RuleId) -> Option<u32> {
        let piece = rule.0.checked_sub(self.first_piece)?;
        self.unread.contains(rule.0 as usize).then_some(piece)
    }
}

/// The parts of a request, as far as they have been read.
pub(super) struct ReadParts<'a> {
    pub(super) outer: &'a Grammar,
    /// [`Names`] of each hole.
    pub(super) holes: Vec<Names<'a>>,
    /// The grammar of each piece, if it has been read.
    pub(super) pieces: Vec<Option<Arc<Grammar>>>,
    /// The token of the first hole, which is the exit of pieces, too. Those of further holes
    /// follow.
    pub(super) exit: u32,
    /// The tokens that some part names.
    pub(super) named: &'a [u32],
}

impl ReadParts<'_> {
    /// The grammar of the request; `None` if a name is no text, which cannot be.
    pub(super) fn compose(&self) -> Option<Composed> {
        let outer = self.outer.rules.len() as u32;
        let first_piece = outer + self.holes.len() as u32;
        let holes = 0..self.holes.len() as u32;
        let in_holes = |hole: u32| match holes.contains(&hole) {
            true => Expr::Ref(RuleId(outer + hole)),
            false => Expr::Alt(Vec::new()),
        };
        let mut rules = self.rules_of(self.outer, 0, &in_holes);
        // Their right parts come last, as these have rules of their own.
        rules.extend((self.holes.iter()).map(|_| Rule::new("hole", Expr::Alt(Vec::new()))));
        let mut unread = Bits::default();
        let named = first_piece + self.pieces.len() as u32;
        let mut behind = named + 1;
        for (rule, piece) in (first_piece..).zip(&self.pieces) {
            let expr = match piece {
                Some(piece) => Expr::Ref(RuleId(behind + piece.root.0)),
                None => {
                    unread.insert(rule as usize);
                    // Some byte. Any byte would leave none for tokens that are named.
                    Expr::Literal("a".to_owned())
                }
            };
            behind += piece.as_ref().map_or(0, |piece| piece.rules.len() as u32);
            rules.push(Rule::new("piece", expr));
        }
        let tokens = TokenSet::of(self.named.iter().copied());
        let tokens = match self.named {
            [] => Expr::Literal(String::new()),
            _ => Expr::Tokens(tokens),
        };
        rules.push(Rule::new("named", tokens));
        let ends = |_| Expr::Literal(String::new());
        for piece in self.pieces.iter().flatten() {
            let first = rules.len() as u32;
            rules.extend(self.rules_of(piece, first, &ends));
        }
        for (rule, names) in (outer as usize..).zip(&self.holes) {
            rules[rule].expr = hole(names, first_piece, &mut rules)?;
        }
        Some(Composed {
            grammar: Grammar::new(rules, self.outer.root).into(),
            unread,
            first_piece,
        })
    }

    /// The rules of a part, numbered from `first` on. `exits` stands in the place of the token of
    /// each exit.
    fn rules_of(&self, part: &Grammar, first: u32, exits: &impl Fn(u32) -> Expr) -> Vec<Rule> {
        let words = |set: &TokenSet| self.without_exits(set, exits);
        let moved = |rule: RuleId| RuleId(first + rule.0);
        let rules = part.rules.iter().map(|rule| {
            let rule = Rule::new(rule.name.clone(), rewrite(&rule.expr, &words));
            match first {
                0 => rule,
                _ => rule.renumbered(&moved),
            }
        });
        rules.collect()
    }

    /// A set of tokens, with these expressions in the place of its exits.
    fn without_exits(&self, set: &TokenSet, exits: &impl Fn(u32) -> Expr) -> Expr {
        if set.tokens_before().is_some() || set.ids().iter().all(|&id| id < self.exit) {
            return Expr::Tokens(set.clone());
        }
        let tokens = set.ids().iter().copied().filter(|&id| id < self.exit);
        if set.is_all_but() {
            return Expr::Tokens(TokenSet::all_but(tokens));
        }
        let tokens = TokenSet::of(tokens);
        let found = set.ids().iter().filter_map(|id| id.checked_sub(self.exit));
        let mut ways: Vec<Expr> = found.map(exits).collect();
        if !tokens.is_empty() {
            ways.push(Expr::Tokens(tokens));
        }
        match ways.len() {
            1 => ways.remove(0),
            _ => Expr::Alt(ways),
        }
    }
}

/// The rules of names, which are read letter by letter: a text enters only the rules on its way, so
/// it makes no difference how many names there are.
struct Letters<'a> {
    /// The names of a hole, ascending, each with the rule of its piece.
    names: Vec<(&'a str, RuleId)>,
    rules: &'a mut Vec<Rule>,
}

/// So many names stand in one rule.
const FEW: usize = 8;
/// Names that have more bytes in common stand in one rule, too: names may be long, and each letter
/// is a call deeper here.
const MOST: usize = 64;

impl Letters<'_> {
    /// What these names can go on with behind the first bytes, which they have in common.
    fn behind(&mut self, range: Range<usize>, read: usize) -> Expr {
        let is_split = range.len() > FEW && read < MOST;
        let (mut ways, mut from) = (Vec::new(), range.start);
        while from < range.end {
            let (name, piece) = self.names[from];
            let letter = |at: usize| self.names[at].0.get(read..)?.chars().next();
            let first = letter(from).filter(|_| is_split);
            let alike = (from..range.end).take_while(|&at| letter(at) == first);
            let end = from + alike.count().max(1);
            let (read_then, then) = match first {
                Some(first) if end - from > 1 => {
                    let then = read + first.len_utf8();
                    (then, self.rule(from..end, then))
                }
                _ => (name.len(), piece),
            };
            let text = name.get(read..read_then).unwrap_or_default().to_owned();
            ways.push(Expr::Seq(vec![Expr::Literal(text), Expr::Ref(then)]));
            from = end;
        }
        Expr::Alt(ways)
    }

    /// A rule of [what these names can go on with](Self::behind).
    fn rule(&mut self, range: Range<usize>, read: usize) -> RuleId {
        let expr = self.behind(range, read);
        self.rules.push(Rule::new("names", expr));
        RuleId(self.rules.len() as u32 - 1)
    }
}

/// What a hole can be filled with: a name and its piece. Adds rules of names. `None` if a name is
/// no text, which cannot be.
fn hole(names: &Names<'_>, first_piece: u32, rules: &mut Vec<Rule>) -> Option<Expr> {
    let names = (0..names.len()).map(|at| {
        let name = str::from_utf8(names.name(at)).ok()?;
        Some((name, RuleId(first_piece + names.piece(at)?)))
    });
    let names: Vec<_> = names.collect::<Option<_>>()?;
    let all = 0..names.len();
    Some(Letters { names, rules }.behind(all, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::interpret::accepts;

    /// Names that begin like others, end within others, have letters of several bytes, or are long.
    #[test]
    fn names_that_are_read_letter_by_letter_are_all_there() {
        let mut names = vec!["get".to_owned(), "\u{e9}t\u{e9}".into(), "\u{e8}s".into()];
        for count in 0..40 {
            names.push(format!("get_{count}"));
            names.push("a".repeat(3 * count));
            names.push(format!("{}\u{e9}{count}", "\u{20ac}".repeat(30)));
        }
        names.sort();
        let mut rules = vec![Rule::new("root", Expr::Alt(Vec::new()))];
        let piece = |at: usize| Rule::new("piece", Expr::Literal(format!("!{at}")));
        rules.extend((0..names.len()).map(piece));
        let pieces = (1..).map(RuleId);
        let mut letters = Letters {
            names: names.iter().map(String::as_str).zip(pieces).collect(),
            rules: &mut rules,
        };
        let root = letters.behind(0..names.len(), 0);
        rules[0].expr = root;
        assert!(rules.len() > 3 * names.len() / 2, "names are not split");
        let grammar = Grammar::new(rules, RuleId(0));
        for (at, name) in names.iter().enumerate() {
            assert!(accepts(&grammar, &format!("{name}!{at}")), "{name}");
            let next = at + 1;
            assert!(!accepts(&grammar, &format!("{name}!{next}")), "{name}");
            assert!(!accepts(&grammar, &format!("{name}g!{at}")), "{name}");
        }
    }
}
