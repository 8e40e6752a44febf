//! What a discipline means, by its definition: a whole text, all of its cuts, no automata.

use crate::rules::{Grammar, Productions, Symbol};

/// Which cuts of a text count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// All.
    DynamicComplete,
    /// Those in which each piece is the longest match of its terminal.
    Dynamic,
    /// Those in which each piece is the longest match of all terminals that may stand there.
    Longest,
}

impl Discipline {
    /// Whether a terminal matches as a search that goes back does, and not in all ways.
    pub fn prefers(self) -> bool {
        self != Discipline::Longest
    }
}

/// Where terminals and rules lie: in a text, or in a sequence of pieces.
type Spans = Vec<Vec<Vec<bool>>>;

/// The spans of nothing.
fn no_spans(count: usize, length: usize) -> Spans {
    vec![vec![vec![false; length + 1]; length + 1]; count]
}

/// A grammar with a discipline.
pub struct Definition<'g> {
    pub grammar: &'g Grammar,
    pub productions: &'g Productions,
    pub discipline: Discipline,
}

impl Definition<'_> {
    /// Whether a text is a sentence.
    pub fn is_sentence(&self, text: &[u8]) -> bool {
        match self.discipline {
            Discipline::Longest => self.is_longest_sentence(text),
            _ => self.is_cut_sentence(text),
        }
    }

    fn skips_at_start(&self) -> bool {
        self.grammar.skips_at_start || self.discipline != Discipline::Longest
    }

    fn is_cut_sentence(&self, text: &[u8]) -> bool {
        let mut pieces = no_spans(self.grammar.terminals.len(), text.len());
        for (pieces, of) in pieces.iter_mut().zip(&self.grammar.terminals) {
            for (begin, pieces) in pieces.iter_mut().enumerate() {
                for (end, is_piece) in pieces.iter_mut().enumerate().skip(begin + 1) {
                    // All of the text counts, or what may follow the piece does not.
                    let seen = match self.discipline {
                        Discipline::Dynamic => text.len(),
                        _ => end,
                    };
                    let found = of.pattern.ends(&text[..seen], begin);
                    *is_piece = found.first() == Some(&end);
                }
            }
        }
        let terminals = self.with_ignored(&pieces, text.len());
        let spans = self.spans(&terminals, text.len());
        let before = self.skipped(&pieces, 0, text.len());
        let mut begins = (0..=text.len()).filter(|&at| at == 0 || before[at]);
        begins.any(|at| spans[0][at][text.len()])
    }

    /// Where ignored pieces that begin at `from` end.
    fn skipped(&self, pieces: &Spans, from: usize, length: usize) -> Vec<bool> {
        let mut reached = vec![false; length + 1];
        reached[from] = true;
        for at in from..length {
            for end in at + 1..=length {
                let mut ignored = self.grammar.ignored.iter();
                reached[end] |= reached[at] && ignored.any(|&one| pieces[one][at][end]);
            }
        }
        reached
    }

    /// The spans of terminals, ignored pieces behind each included.
    fn with_ignored(&self, pieces: &Spans, length: usize) -> Spans {
        let mut terminals = no_spans(pieces.len(), length);
        for (terminal, of) in pieces.iter().enumerate() {
            for (begin, ends) in of.iter().enumerate() {
                for end in (0..=length).filter(|&end| ends[end]) {
                    let after = self.skipped(pieces, end, length);
                    for (at, &is) in after.iter().enumerate() {
                        terminals[terminal][begin][at] |= is;
                    }
                }
            }
        }
        terminals
    }

    /// The spans of all nonterminals.
    fn spans(&self, terminals: &Spans, length: usize) -> Spans {
        let mut spans = no_spans(self.productions.count, length);
        loop {
            let mut grew = false;
            for (rule, symbols) in &self.productions.all {
                for begin in 0..=length {
                    let ends = through(symbols, begin, length, terminals, &spans);
                    for end in (0..=length).filter(|&end| ends[end]) {
                        grew |= !std::mem::replace(&mut spans[*rule][begin][end], true);
                    }
                }
            }
            if !grew {
                return spans;
            }
        }
    }

    /// Whether a sequence of pieces, each a set of terminals, is a sentence, or, if `is_prefix`,
    /// begins one.
    fn is_read(&self, sets: &[Vec<usize>], is_prefix: bool) -> bool {
        let length = sets.len();
        let mut pieces = no_spans(self.grammar.terminals.len(), length);
        for (at, set) in sets.iter().enumerate() {
            set.iter().for_each(|&one| pieces[one][at][at + 1] = true);
        }
        let terminals = self.with_ignored(&pieces, length);
        let spans = self.spans(&terminals, length);
        let before = match self.skips_at_start() {
            true => self.skipped(&pieces, 0, length),
            false => (0..=length).map(|at| at == 0).collect(),
        };
        let mut begins = (0..=length).filter(|&at| before[at]);
        if !is_prefix {
            return begins.any(|at| spans[0][at][length]);
        }
        // Where a rule may begin that has not ended when the pieces end.
        let mut open = vec![vec![false; length + 1]; self.productions.count];
        loop {
            let mut grew = false;
            for (rule, symbols) in &self.productions.all {
                for begin in 0..=length {
                    let is_open = (0..=symbols.len()).any(|count| {
                        let ends = through(&symbols[..count], begin, length, &terminals, &spans);
                        let rule_after = match symbols.get(count) {
                            Some(Symbol::Rule(rule)) => Some(*rule),
                            _ => None,
                        };
                        let mut ends = (0..=length).filter(|&end| ends[end]);
                        ends.any(|end| end == length || rule_after.is_some_and(|of| open[of][end]))
                    });
                    if is_open {
                        grew |= !std::mem::replace(&mut open[*rule][begin], true);
                    }
                }
            }
            if !grew {
                return begins.any(|at| open[0][at]);
            }
        }
    }

    fn is_longest_sentence(&self, text: &[u8]) -> bool {
        let mut sets: Vec<Vec<usize>> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let may_skip = !sets.is_empty() || self.skips_at_start();
            let is_allowed = |terminal: &usize| {
                if may_skip && self.grammar.ignored.contains(terminal) {
                    return true;
                }
                // With the terminal as one that is taken, and not ignored as well.
                let mut then = sets.clone();
                then.push(vec![*terminal]);
                self.is_read(&then, true)
            };
            let allowed = (0..self.grammar.terminals.len()).filter(is_allowed);
            let longest = |terminal: usize| {
                let ends = self.grammar.terminals[terminal].pattern.ends(text, at);
                ends.into_iter().max().filter(|&end| end > at)
            };
            let found: Vec<(usize, usize)> = allowed
                .filter_map(|terminal| Some((terminal, longest(terminal)?)))
                .collect();
            let Some(end) = found.iter().map(|one| one.1).max() else {
                return false;
            };
            let kept = found.iter().filter(|one| one.1 == end);
            sets.push(kept.map(|one| one.0).collect());
            at = end;
        }
        self.is_read(&sets, false)
    }
}

/// Where a sequence of symbols ends that begins at `begin`.
fn through(
    symbols: &[Symbol],
    begin: usize,
    length: usize,
    terminals: &Spans,
    rules: &Spans,
) -> Vec<bool> {
    let mut reached = vec![false; length + 1];
    reached[begin] = true;
    for &symbol in symbols {
        let mut next = vec![false; length + 1];
        for at in (begin..=length).filter(|&at| reached[at]) {
            let ends = match symbol {
                Symbol::Terminal(terminal) => &terminals[terminal][at],
                Symbol::Rule(rule) => &rules[rule][at],
            };
            next.iter_mut()
                .zip(ends)
                .for_each(|(next, &is)| *next |= is);
        }
        reached = next;
    }
    reached
}
