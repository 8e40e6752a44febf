//! Grammars of the tests: drawn as trees, printed as Lark, read as productions.

use crate::pattern::Pattern;
use std::fmt;

/// What a rule derives.
#[derive(Clone, Debug)]
pub enum Expr {
    Terminal(usize),
    Rule(usize),
    Seq(Vec<Expr>),
    Alt(Vec<Expr>),
    Repeat(Box<Expr>, usize, Option<usize>),
}

/// A terminal.
#[derive(Clone, Debug)]
pub struct Terminal {
    pub pattern: Pattern,
    /// Whether a text stands where it is used, without a name.
    pub is_anonymous: bool,
}

/// A grammar; its first rule is the start.
#[derive(Clone, Debug)]
pub struct Grammar {
    pub rules: Vec<Expr>,
    pub terminals: Vec<Terminal>,
    /// Which terminals are ignored.
    pub ignored: Vec<usize>,
    /// Whether ignored ones may stand before the first terminal under all disciplines.
    pub skips_at_start: bool,
    /// One for each character that terminals tell apart.
    pub alphabet: Vec<char>,
}

/// A symbol of a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    Terminal(usize),
    Rule(usize),
}

/// The productions of each nonterminal; all of them can derive something. The first is the start.
#[derive(Clone, Debug)]
pub struct Productions {
    pub all: Vec<(usize, Vec<Symbol>)>,
    pub count: usize,
}

impl Productions {
    /// The productions of a grammar; `None` if it has no sentence.
    pub fn new(grammar: &Grammar) -> Option<Self> {
        let mut productions = Productions {
            all: Vec::new(),
            count: grammar.rules.len(),
        };
        let nullable = grammar.terminals.iter();
        let nullable: Vec<bool> = nullable.map(|one| one.pattern.is_nullable()).collect();
        for (rule, expr) in grammar.rules.iter().enumerate() {
            let symbols = productions.symbols(expr, &nullable);
            productions.all.push((rule, symbols));
        }
        let mut is_productive = vec![false; productions.count];
        let has_sentence = |symbols: &[Symbol], is_productive: &[bool]| {
            symbols.iter().all(|symbol| match *symbol {
                Symbol::Terminal(_) => true,
                Symbol::Rule(rule) => is_productive[rule],
            })
        };
        loop {
            let mut grew = false;
            for (rule, symbols) in &productions.all {
                if !is_productive[*rule] && has_sentence(symbols, &is_productive) {
                    is_productive[*rule] = true;
                    grew = true;
                }
            }
            if !grew {
                break;
            }
        }
        let all = &mut productions.all;
        all.retain(|(_, symbols)| has_sentence(symbols, &is_productive));
        // The compiler may refuse a rule without a sentence, which is no matter here.
        is_productive[..grammar.rules.len()]
            .iter()
            .all(|&is| is)
            .then_some(productions)
    }

    fn fresh(&mut self, alternatives: Vec<Vec<Symbol>>) -> usize {
        let fresh = self.count;
        self.count += 1;
        let alternatives = alternatives.into_iter();
        self.all
            .extend(alternatives.map(|symbols| (fresh, symbols)));
        fresh
    }

    fn symbols(&mut self, expr: &Expr, nullable: &[bool]) -> Vec<Symbol> {
        match expr {
            &Expr::Terminal(terminal) if nullable[terminal] => {
                let alternatives = vec![Vec::new(), vec![Symbol::Terminal(terminal)]];
                vec![Symbol::Rule(self.fresh(alternatives))]
            }
            &Expr::Terminal(terminal) => vec![Symbol::Terminal(terminal)],
            &Expr::Rule(rule) => vec![Symbol::Rule(rule)],
            Expr::Seq(parts) => {
                let parts = parts.iter().map(|part| self.symbols(part, nullable));
                parts.collect::<Vec<_>>().concat()
            }
            Expr::Alt(parts) => {
                let parts = parts.iter().map(|part| self.symbols(part, nullable));
                let parts = parts.collect();
                vec![Symbol::Rule(self.fresh(parts))]
            }
            Expr::Repeat(of, min, max) => {
                let of = self.symbols(of, nullable);
                let mut symbols = of.repeat(*min);
                match max {
                    None => {
                        let more = self.fresh(vec![Vec::new()]);
                        let again = [&of[..], &[Symbol::Rule(more)]].concat();
                        self.all.push((more, again));
                        symbols.push(Symbol::Rule(more));
                    }
                    Some(max) => {
                        for _ in *min..*max {
                            let once = self.fresh(vec![Vec::new(), of.clone()]);
                            symbols.push(Symbol::Rule(once));
                        }
                    }
                }
                symbols
            }
        }
    }
}

impl Grammar {
    fn write(&self, f: &mut fmt::Formatter<'_>, expr: &Expr) -> fmt::Result {
        match expr {
            &Expr::Terminal(terminal) => match &self.terminals[terminal] {
                Terminal {
                    pattern: Pattern::Text(text),
                    is_anonymous: true,
                } => write!(f, "{text:?}"),
                _ => write!(f, "T{terminal}"),
            },
            Expr::Rule(0) => f.write_str("start"),
            Expr::Rule(rule) => write!(f, "r{rule}"),
            Expr::Seq(parts) => {
                f.write_str("(")?;
                for (place, part) in parts.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { " " })?;
                    self.write(f, part)?;
                }
                f.write_str(")")
            }
            Expr::Alt(parts) => {
                f.write_str("(")?;
                for (place, part) in parts.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { " | " })?;
                    self.write(f, part)?;
                }
                f.write_str(")")
            }
            Expr::Repeat(of, min, max) => {
                f.write_str("(")?;
                self.write(f, of)?;
                match (min, max) {
                    (0, None) => f.write_str(")*"),
                    (1, None) => f.write_str(")+"),
                    (0, Some(1)) => f.write_str(")?"),
                    (min, None) => write!(f, "){{{min},}}"),
                    (min, Some(max)) => write!(f, ")~{min}..{max}"),
                }
            }
        }
    }
}

/// Writes it as Lark.
impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.skips_at_start {
            writeln!(f, "%llguidance {{\"allow_initial_skip\": true}}")?;
        }
        for (rule, expr) in self.rules.iter().enumerate() {
            match rule {
                0 => f.write_str("start: ")?,
                rule => write!(f, "r{rule}: ")?,
            }
            self.write(f, expr)?;
            writeln!(f)?;
        }
        for (place, terminal) in self.terminals.iter().enumerate() {
            match &terminal.pattern {
                Pattern::Text(_) if terminal.is_anonymous => {}
                Pattern::Text(text) => writeln!(f, "T{place}: {text:?}")?,
                pattern => writeln!(f, "T{place}: /{pattern}/")?,
            }
        }
        let ignored = self.ignored.iter();
        let mut ignored = ignored.map(|&at| (at, &self.terminals[at]));
        ignored.try_for_each(|(at, terminal)| match &terminal.pattern {
            Pattern::Text(text) if terminal.is_anonymous => writeln!(f, "%ignore {text:?}"),
            _ => writeln!(f, "%ignore T{at}"),
        })
    }
}
