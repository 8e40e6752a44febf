//! From a pattern to its automaton.
//!
//! The passes, in order: the pattern becomes a tree ([`Node`]); the tree a program with
//! look-around; the program an automaton; that is trimmed, minimized and numbered.

use crate::budget::Budget;
use crate::characters;
use crate::determinize::determinize;
use crate::dfa::{Accept, TerminalDfa};
use crate::error::{Error, ErrorKind};
use crate::finish::finish;
use crate::node::Node;
use crate::operations;
use crate::pattern::Pattern;
use crate::program;
use crate::regex;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Which of the texts that a pattern spells are its matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Matching {
    /// All of them: the pattern is a language, and a lexer looks for the longest.
    ///
    /// A lazy quantifier says nothing about a language. So a pattern that has one is read as
    /// [`Matching::Preferred`]: of a union at the top only those members that have one, each for
    /// itself.
    #[default]
    Longest,
    /// The one that Python's `re.match` finds: alternatives in order, quantifiers greedy or lazy.
    ///
    /// The automaton is cut so that the last accepting state that it passes before it dies is where
    /// that match ends.
    Preferred,
}

/// How a terminal is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which of the texts that the pattern spells are its matches.
    pub matching: Matching,
    /// The most states that an automaton may have, before equal ones are joined.
    pub states: usize,
    /// Whether `.`, `[^…]` and any character also match a single byte from 0x80 to 0xff, so that
    /// texts which are no UTF-8 can be matched.
    pub invalid_utf8: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            matching: Matching::Longest,
            states: 100_000,
            invalid_utf8: false,
        }
    }
}

/// Compiles a terminal.
///
/// `clock` is asked often whether there is time left; when it says `false`, the result is an error
/// of the kind [`ErrorKind::OutOfTime`].
///
/// A look-behind, `^` and `\b` look at the text of the terminal only: before its first character
/// there is nothing, so that `^` and `\B-` match at the start of it. `$` without the flag `m` is
/// nothing at the terminal's end, and the end of all text in a look-ahead; elsewhere it is refused.
///
/// A look-ahead may look behind the terminal's end; then the match is under a condition
/// ([`Accept::If`]). Within an intersection, a complement or a shortest match, text is that of the
/// operand, and no look-ahead may look beyond it.
pub fn terminal(
    pattern: &Pattern,
    options: &Options,
    clock: &mut dyn FnMut() -> bool,
) -> Result<TerminalDfa, Error> {
    let span = first_place(pattern).unwrap_or(0..0);
    let mut compiler = PatternCompiler {
        bytes: options.invalid_utf8,
        shared: HashMap::new(),
        budget: &mut Budget::new(options.states, span.clone(), clock),
    };
    let dfa = compiler.automaton(pattern, options.matching)?;
    match dfa.states.is_empty() {
        false => Ok(dfa),
        true => Err(Error::new(
            ErrorKind::Empty,
            "this terminal matches no text at all",
            "remove it, or look for parts that exclude each other, such as a look-ahead that what \
             follows never fulfils",
            span,
        )),
    }
}

/// Where the first regular expression of the pattern stands.
fn first_place(pattern: &Pattern) -> Option<Range<usize>> {
    match pattern {
        Pattern::Regex { source, start, .. } => Some(*start..*start + source.len()),
        Pattern::Sequence(parts) | Pattern::Union(parts) | Pattern::Intersection(parts) => {
            parts.iter().find_map(first_place)
        }
        Pattern::Repeat { of, .. } | Pattern::Complement(of) | Pattern::Shortest(of) => {
            first_place(of)
        }
        Pattern::Shared(_)
        | Pattern::Text { .. }
        | Pattern::Range(..)
        | Pattern::AnyCharacter
        | Pattern::Substring(_) => None,
    }
}

struct PatternCompiler<'b, 'c> {
    bytes: bool,
    /// The trees of shared patterns, by address.
    shared: HashMap<*const Pattern, Rc<Node>>,
    budget: &'b mut Budget<'c>,
}

impl PatternCompiler<'_, '_> {
    /// The automaton of a pattern, without states if it matches nothing.
    fn automaton(&mut self, pattern: &Pattern, matching: Matching) -> Result<TerminalDfa, Error> {
        match matching {
            Matching::Preferred => {
                let node = self.node(pattern)?;
                self.groups(vec![(node, true)])
            }
            Matching::Longest => {
                let mut members = Vec::new();
                self.members(pattern, &mut members)?;
                let (lazy, plain) = members.into_iter().partition::<Vec<_>, _>(|n| n.has_lazy);
                let mut groups: Vec<_> = lazy.into_iter().map(|node| (node, true)).collect();
                if !plain.is_empty() {
                    groups.push((Node::alt(plain), false));
                }
                self.groups(groups)
            }
        }
    }

    /// The members of a union at the top.
    fn members(&mut self, pattern: &Pattern, to: &mut Vec<Node>) -> Result<(), Error> {
        match pattern {
            Pattern::Union(members) => members.iter().try_for_each(|m| self.members(m, to)),
            Pattern::Sequence(parts) if parts.len() == 1 => {
                parts.iter().try_for_each(|part| self.members(part, to))
            }
            Pattern::Shared(of) if is_union(of) => self.members(of, to),
            _ => {
                self.budget.check_nodes(to.len() as u64)?;
                to.push(self.node(pattern)?);
                Ok(())
            }
        }
    }

    /// The automaton of groups of threads.
    fn groups(&mut self, groups: Vec<(Node, bool)>) -> Result<TerminalDfa, Error> {
        let program = program::compile(&groups, self.bytes, self.budget)?;
        let widest = |most: u32, group: &(Node, bool)| Some(most.max(group.0.width?));
        let max_width = groups.iter().try_fold(0, widest);
        let dfa = determinize(&program, self.budget)?;
        finish(TerminalDfa { max_width, ..dfa }, self.budget)
    }

    fn node(&mut self, pattern: &Pattern) -> Result<Node, Error> {
        self.budget.work(1)?;
        Ok(match pattern {
            Pattern::Text { text, ignore_case } => self.text(text, *ignore_case)?,
            &Pattern::Range(first, last) => {
                Node::class(characters::normalize(vec![(first, last)]), false)
            }
            Pattern::AnyCharacter => self.any(),
            &Pattern::Regex {
                ref source,
                flags,
                start,
            } => regex::parse(source, flags, start, self.bytes, self.budget)?,
            Pattern::Sequence(parts) => Node::seq(self.nodes(parts)?),
            Pattern::Union(parts) => Node::alt(self.nodes(parts)?),
            Pattern::Repeat { of, min, max } => {
                let node = self.node(of)?;
                match max.is_some_and(|max| max < *min) {
                    true => Node::alt(Vec::new()),
                    false => Node::repeat(node, *min, *max, false),
                }
            }
            Pattern::Intersection(parts) => Node::dfa(self.intersection(parts)?),
            Pattern::Complement(of) => {
                let dfa = self.language(of)?;
                let all = self.all_texts()?;
                let rest = operations::difference(&all, &dfa, self.budget)?;
                Node::dfa(finish(rest, self.budget)?)
            }
            Pattern::Shortest(of) => {
                let dfa = operations::shortest(self.language(of)?);
                Node::dfa(finish(dfa, self.budget)?)
            }
            Pattern::Substring(texts) => {
                let node = Node::substring(texts);
                Node::dfa(self.groups(vec![(node, false)])?)
            }
            Pattern::Shared(of) => Node::shared(&self.shared(of)?),
        })
    }

    fn nodes(&mut self, parts: &[Pattern]) -> Result<Vec<Node>, Error> {
        parts.iter().map(|part| self.node(part)).collect()
    }

    fn shared(&mut self, of: &Arc<Pattern>) -> Result<Rc<Node>, Error> {
        if let Some(node) = self.shared.get(&Arc::as_ptr(of)) {
            return Ok(node.clone());
        }
        let node = Rc::new(self.node(of)?);
        self.shared.insert(Arc::as_ptr(of), node.clone());
        Ok(node)
    }

    fn text(&mut self, text: &str, ignore_case: bool) -> Result<Node, Error> {
        let mut parts = Vec::new();
        for c in text.chars() {
            self.budget.work(4)?;
            parts.push(match ignore_case {
                true => Node::class(characters::fold_case(vec![(c, c)], false), false),
                false => Node::char(c),
            });
        }
        Ok(Node::seq(parts))
    }

    fn any(&self) -> Node {
        Node::class(vec![characters::ALL], self.bytes)
    }

    fn all_texts(&mut self) -> Result<TerminalDfa, Error> {
        let node = Node::repeat(self.any(), 0, None, false);
        self.groups(vec![(node, false)])
    }

    fn intersection(&mut self, parts: &[Pattern]) -> Result<TerminalDfa, Error> {
        let mut all: Option<TerminalDfa> = None;
        for part in parts {
            let dfa = self.language(part)?;
            all = Some(match all {
                None => dfa,
                Some(before) => {
                    let both = operations::intersection(&before, &dfa, self.budget)?;
                    let narrower = match (before.max_width, dfa.max_width) {
                        (Some(one), Some(other)) => Some(one.min(other)),
                        (one, other) => one.or(other),
                    };
                    finish(
                        TerminalDfa {
                            max_width: narrower,
                            ..both
                        },
                        self.budget,
                    )?
                }
            });
        }
        match all {
            Some(dfa) => Ok(dfa),
            None => self.all_texts(),
        }
    }

    /// The automaton of an operand, which must have no conditions.
    fn language(&mut self, pattern: &Pattern) -> Result<TerminalDfa, Error> {
        let dfa = self.automaton(pattern, Matching::Longest)?;
        let is_open = |accept: Accept| matches!(accept, Accept::If(_));
        match dfa.states.iter().any(|state| is_open(state.accept)) {
            false => Ok(dfa),
            true => Err(Error::new(
                ErrorKind::Unsupported,
                "a look-ahead in an operand of `&` or `~`, or in a shortest match, looks beyond \
                 the operand's end",
                "move the look-ahead out of the operand, behind it",
                first_place(pattern).unwrap_or_else(|| self.budget.span()),
            )),
        }
    }
}

/// Whether the pattern is a union, perhaps a shared one.
fn is_union(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Union(_) => true,
        Pattern::Sequence(parts) => parts.len() == 1 && parts.iter().all(is_union),
        Pattern::Shared(of) => is_union(of),
        _ => false,
    }
}
