//! The terminals of a Lark grammar as a lexer.
//!
//! In: a [`Lark`]. Out: its [`Lexer`], and which of its terminals may match the empty text: rules
//! take those as optional.

use std::cmp::Reverse;
use std::sync::Arc;

use maskwright_lark::Lark;
use maskwright_lark::grammar::Terminal;
use maskwright_regular::{Accept, ErrorKind, Matching, Options, Pattern, TerminalDfa};

use super::{DOING, LarkLexer, LarkOptions};
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::lexer::{Discipline, LexerTerminal};
use crate::grammar::{Lexer, TerminalId};
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::source::{Source, Span};

/// A lexer, and how rules take its terminals.
pub(super) struct LarkTerminals {
    pub(super) lexer: Lexer,
    /// For each terminal how rules take it.
    pub(super) taken: Vec<Taken>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// How rules take a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// As it is.
    AsIs,
    /// As optional: it matches the empty text, too.
    OrNothing,
    /// It matches nothing at all.
    Never,
}

/// Why there is no lexer.
pub(super) enum Refused {
    /// Something in the text is wrong.
    InText(Box<Diagnostic>),
    /// A limit is passed.
    Limit(LimitExceeded),
}

impl Refused {
    pub(super) fn into_error(self, source: &Source) -> Error {
        match self {
            Refused::InText(diagnostic) => Error::in_source(source, vec![*diagnostic]),
            Refused::Limit(limit) => limit.into(),
        }
    }
}

impl From<LimitExceeded> for Refused {
    fn from(limit: LimitExceeded) -> Self {
        Refused::Limit(limit)
    }
}

impl From<Diagnostic> for Refused {
    fn from(diagnostic: Diagnostic) -> Self {
        Refused::InText(Box::new(diagnostic))
    }
}

/// The lexer of a grammar.
pub(super) fn lexer(
    lark: &Lark,
    options: &LarkOptions,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<LarkTerminals, Refused> {
    if lark.terminals.len() > usize::from(u16::MAX) / 2 {
        return Err(Refused::Limit(LimitExceeded::new(
            "terminals",
            u64::from(u16::MAX) / 2,
            "the grammar has too many terminals",
        )));
    }
    let matching = match options.lexer {
        LarkLexer::Longest => Matching::Longest,
        _ => Matching::Preferred,
    };
    let (mut taken, mut warnings) = (Vec::new(), Vec::new());
    let mut terminals = Vec::new();
    // All terminals together have no more states than one automaton may have.
    let mut states = limits.automaton_states;
    for terminal in &lark.terminals {
        // One that is small asks no clock itself.
        deadline.check(DOING)?;
        let made = automaton(terminal, (matching, states), lark, deadline)?;
        let count = made.as_ref().map_or(0, |dfa| dfa.states.len());
        states = states.saturating_sub(count);
        let mut dfa = made.unwrap_or_else(|| {
            let message = format!("terminal `{}` matches no text", terminal.name);
            let warning = Diagnostic::warning(Code::NeverMatches, message);
            warnings.push(
                warning
                    .at(place(terminal), "defined here")
                    .help("remove it"),
            );
            nothing()
        });
        taken.push(match dfa.states.len() {
            0 => Taken::Never,
            _ => not_empty(&mut dfa, terminal, options.lexer)?,
        });
        terminals.push(LexerTerminal {
            name: terminal.name.clone(),
            span: place(terminal),
            dfa: Arc::new(dfa),
            rank: 0,
            keyword_of: Vec::new(),
            only_keyword: false,
            is_hidden: false,
            is_lazy: is_lazy(terminal),
        });
    }
    if options.lexer.has_one_winner() {
        set_order(lark, &mut terminals);
        warnings.extend(set_keywords(lark, &mut terminals, deadline)?);
    }
    let discipline = match options.lexer {
        LarkLexer::Longest => Discipline::LongestOfAll,
        LarkLexer::Dynamic => Discipline::LongestEach,
        LarkLexer::DynamicComplete => Discipline::AllCuts,
        LarkLexer::Contextual | LarkLexer::Basic => Discipline::OneWinner,
    };
    let all_compete = options.lexer == LarkLexer::Basic;
    Ok(LarkTerminals {
        lexer: Lexer::new(terminals, discipline, all_compete),
        taken,
        warnings,
    })
}

/// Whether a terminal ends at its first match: it comes from a rule that is `lazy`, or has a
/// `suffix` or `stop`.
fn is_lazy(terminal: &Terminal) -> bool {
    let mut pattern = terminal.pattern.as_ref();
    while let Some(Pattern::Shared(shared)) = pattern {
        pattern = Some(shared);
    }
    matches!(pattern, Some(Pattern::Shortest(_)))
}

fn place(terminal: &Terminal) -> Span {
    Span::new(terminal.span.start, terminal.span.end)
}

/// The automaton that matches nothing.
fn nothing() -> TerminalDfa {
    TerminalDfa {
        states: Vec::new(),
        conditions: Vec::new(),
        max_width: Some(0),
    }
}

/// The automaton of a terminal; `None` if it matches nothing.
fn automaton(
    terminal: &Terminal,
    (matching, states): (Matching, usize),
    lark: &Lark,
    deadline: &Deadline,
) -> Result<Option<TerminalDfa>, Refused> {
    let Some(pattern) = &terminal.pattern else {
        let message = format!(
            "terminal `{}` is declared and nothing says what it matches",
            terminal.name
        );
        return Err(Diagnostic::error(Code::LarkUnsupported, message)
            .at(place(terminal), "declared here")
            .help("define it by a string or a regular expression")
            .into());
    };
    let options = Options {
        matching,
        states,
        invalid_utf8: lark.settings.allow_invalid_utf8,
    };
    let mut clock = || deadline.check(DOING).is_ok();
    let made = maskwright_regular::terminal(pattern, &options, &mut clock);
    deadline.confirm(DOING)?;
    made.map(Some).or_else(|error| {
        if error.kind == ErrorKind::Empty {
            return Ok(None);
        }
        let code = match error.kind {
            ErrorKind::Syntax => Code::LarkInvalid,
            ErrorKind::Unsupported => Code::LarkUnsupported,
            _ => Code::LimitExceeded,
        };
        let span = match error.span.is_empty() {
            true => place(terminal),
            false => Span::new(error.span.start, error.span.end),
        };
        let mut diagnostic = Diagnostic::error(code, error.message).at(span, "here");
        if !error.help.is_empty() {
            diagnostic = diagnostic.help(error.help);
        }
        Err(diagnostic.into())
    })
}

/// Takes the empty text from what a terminal matches; how rules take it then.
fn not_empty(
    dfa: &mut TerminalDfa,
    terminal: &Terminal,
    lexer: LarkLexer,
) -> Result<Taken, Refused> {
    let Some(start) = dfa.states.first() else {
        return Ok(Taken::Never);
    };
    let refuse = |message: String, help: &str| {
        let diagnostic = Diagnostic::error(Code::LarkUnsupported, message);
        Err(diagnostic
            .at(place(terminal), "defined here")
            .help(help)
            .into())
    };
    match start.accept {
        Accept::Never => return Ok(Taken::AsIs),
        Accept::If(_) => {
            return refuse(
                format!(
                    "whether terminal `{}` matches the empty text depends on what follows",
                    terminal.name
                ),
                "write it so that it matches one character at least",
            );
        }
        Accept::Always if lexer.has_one_winner() => {
            return refuse(
                format!("terminal `{}` matches the empty text", terminal.name),
                "Lark's LALR lexers refuse such terminals; make it optional where it is used",
            );
        }
        Accept::Always => {}
    }
    if dfa.states.len() == 1 && start.next.is_empty() {
        *dfa = nothing();
        return Ok(Taken::OrNothing);
    }
    // Other ways may come back to the start, so it gets a copy that does not match.
    let mut copy = start.clone();
    copy.accept = Accept::Never;
    let moved = dfa.states.len() as u32;
    let comes_back = (dfa.states.iter()).any(|state| state.next.iter().any(|edge| edge.2 == 0));
    if comes_back {
        for state in &mut dfa.states {
            let edges = state.next.iter_mut().filter(|edge| edge.2 == 0);
            edges.for_each(|edge| edge.2 = moved);
        }
        copy.next
            .iter_mut()
            .filter(|edge| edge.2 == 0)
            .for_each(|edge| edge.2 = moved);
        let start = std::mem::replace(&mut dfa.states[0], copy);
        dfa.states.push(start);
    } else {
        dfa.states[0] = copy;
    }
    Ok(Taken::OrNothing)
}

/// Puts terminals into the order in which Lark's LALR lexers try them.
fn set_order(lark: &Lark, terminals: &mut [LexerTerminal]) {
    let key = |&at: &usize| {
        let terminal = &lark.terminals[at];
        (
            Reverse(terminal.priority),
            Reverse(terminal.max_width),
            Reverse(terminal.pattern_length),
            &terminal.name,
        )
    };
    let mut order: Vec<usize> = (0..terminals.len()).collect();
    order.sort_by(|one, other| key(one).cmp(&key(other)));
    for (rank, at) in order.into_iter().enumerate() {
        terminals[at].rank = rank as u32;
    }
}

/// Finds the strings that are keywords of terminals that match more, and those that an ignored
/// terminal takes: Lark leaves the text out before it looks for a keyword.
fn set_keywords(
    lark: &Lark,
    terminals: &mut [LexerTerminal],
    deadline: &Deadline,
) -> Result<Vec<Diagnostic>, Refused> {
    let mut warnings = Vec::new();
    for at in 0..terminals.len() {
        let Some((text, ignores_case)) = as_string(&lark.terminals[at]) else {
            continue;
        };
        let mut of = Vec::new();
        let mut ignored = None;
        for (other, terminal) in lark.terminals.iter().enumerate() {
            deadline.ticks(1 + text.len() + lark.ignored.len(), DOING)?;
            let is_expression = as_string(terminal).is_none();
            if is_expression
                && terminal.priority == lark.terminals[at].priority
                && matches_whole(&terminals[other].dfa, text.as_bytes())
            {
                match lark.ignored.contains(&other) {
                    true => ignored = Some(terminal),
                    false => of.push(TerminalId(other as u16)),
                }
            }
        }
        if let Some(ignored) = ignored.filter(|_| of.is_empty() && !ignores_case) {
            warnings.push(hidden(&lark.terminals[at], ignored));
        }
        terminals[at].is_hidden = ignored.is_some() && !ignores_case;
        terminals[at].only_keyword = !of.is_empty() && !ignores_case;
        terminals[at].keyword_of = of;
    }
    Ok(warnings)
}

/// The warning about a string that is never read.
fn hidden(terminal: &Terminal, ignored: &Terminal) -> Diagnostic {
    let message = format!(
        "{} is never read: {} matches it, and is ignored",
        terminal.name, ignored.name
    );
    Diagnostic::warning(Code::NeverMatches, message)
        .at(place(terminal), "used here")
        .help("give it a higher priority than what is ignored, or let that not match it")
}

/// The text of a terminal that is a single string, and whether it ignores case.
fn as_string(terminal: &Terminal) -> Option<(&str, bool)> {
    match terminal.pattern.as_ref()? {
        Pattern::Text { text, ignore_case } => Some((text, *ignore_case)),
        _ => None,
    }
}

fn matches_whole(dfa: &TerminalDfa, text: &[u8]) -> bool {
    dfa.longest(text) == Some(text.len())
}
