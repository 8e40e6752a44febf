//! The LALR(1) parser of a Lark grammar.
//!
//! In: a [`Lark`] and its lexer. Out: the lexer with the parser's tables.

use maskwright_lalr::{ErrorKind, Expr, Grammar, Options, Rule};
use maskwright_lark::Lark;
use maskwright_lark::grammar as read;

use super::terminals::{LarkTerminals, Refused, Taken};
use crate::error::{Code, Diagnostic};
use crate::grammar::TerminalId;
use crate::limits::{Deadline, Limits};
use crate::source::Span;

/// The stage, as a passed limit names it.
const DOING: &str = "making LALR tables";

/// The lexer with the tables of Lark's parser.
pub(super) fn with_tables(
    lark: &Lark,
    terminals: LarkTerminals,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<LarkTerminals, Refused> {
    let mut rules = Vec::with_capacity(lark.rules.len());
    for rule in &lark.rules {
        deadline.check(DOING)?;
        rules.push(Rule {
            name: rule.name.clone(),
            body: expr(&rule.body, &terminals.taken)?,
            priority: rule.priority,
        });
    }
    let grammar = Grammar {
        rules,
        starts: lark.starts.clone(),
    };
    let options = Options {
        states: limits.states,
        ..Options::default()
    };
    let mut clock = || deadline.check(DOING).is_ok();
    let tables = maskwright_lalr::tables(&grammar, &options, &mut clock);
    deadline.confirm(DOING)?;
    let tables = tables.map_err(|error| refuse(lark, &grammar, &error))?;
    let ignored = lark.ignored.iter().map(|&id| TerminalId(id as u16));
    Ok(LarkTerminals {
        lexer: terminals.lexer.with_tables(tables, ignored.collect()),
        ..terminals
    })
}

/// A right part as the tables are made of.
fn expr(of: &read::Expr, taken: &[Taken]) -> Result<Expr, Refused> {
    let all = |parts: &[read::Expr]| -> Result<Vec<Expr>, Refused> {
        parts.iter().map(|part| expr(part, taken)).collect()
    };
    Ok(match of {
        read::Expr::Terminal(id) => match taken[*id] {
            Taken::AsIs => Expr::Terminal(*id as u32),
            Taken::OrNothing => Expr::Repeat {
                of: Box::new(Expr::Terminal(*id as u32)),
                min: 0,
                max: Some(1),
            },
            Taken::Never => Expr::Union(Vec::new()),
        },
        read::Expr::Rule(id) => Expr::Rule(*id),
        read::Expr::Sequence(parts) => Expr::Sequence(all(parts)?),
        read::Expr::Union(parts) => Expr::Union(all(parts)?),
        read::Expr::Repeat { of, min, max } => Expr::Repeat {
            of: Box::new(expr(of, taken)?),
            min: *min,
            max: *max,
        },
        read::Expr::Token { span, .. } | read::Expr::Embedded { span, .. } => {
            let message = "an LALR parser takes terminals only";
            return Err(Diagnostic::error(Code::LarkUnsupported, message)
                .at(Span::new(span.start, span.end), "this is none")
                .help("let all readings count: the parser `earley`")
                .into());
        }
    })
}

/// An error of the tables in our terms.
fn refuse(lark: &Lark, grammar: &Grammar, error: &maskwright_lalr::Error) -> Refused {
    let name = |terminal: u32| match lark.terminals.get(terminal as usize) {
        Some(terminal) => terminal.name.clone(),
        None => "the end of the text".to_owned(),
    };
    let code = match error.kind {
        ErrorKind::TooLarge | ErrorKind::OutOfTime => Code::LimitExceeded,
        _ => Code::LarkUnsupported,
    };
    let mut diagnostic = Diagnostic::error(code, error.message_with(grammar, &name));
    if let Some(rule) = error.rule.and_then(|rule| lark.rules.get(rule)) {
        diagnostic = diagnostic.at(Span::new(rule.span.start, rule.span.end), "this rule");
    }
    if !error.help.is_empty() {
        diagnostic = diagnostic.help(&error.help);
    }
    diagnostic.into()
}
