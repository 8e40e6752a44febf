//! Grammars as short lines.

use crate::grammar::{Embedded, Expr, Lark, Rule, Terminal};
use maskwright_regular::{Flags, Pattern};

/// The rules, then the terminals, then the ignored ones.
pub(super) fn lark(lark: &Lark) -> Vec<String> {
    let mut lines: Vec<String> = lark
        .rules
        .iter()
        .map(|rule| show_rule(lark, rule))
        .collect();
    lines.extend(
        lark.terminals
            .iter()
            .filter(|terminal| !is_plain(terminal))
            .map(show_terminal),
    );
    lines.extend(
        lark.ignored
            .iter()
            .map(|id| format!("ignore {}", lark.terminals[*id].name)),
    );
    lines
}

/// Whether a terminal is a string that rules show as itself.
fn is_plain(terminal: &Terminal) -> bool {
    terminal.string.is_some() && terminal.priority == 0
}

fn show_rule(lark: &Lark, rule: &Rule) -> String {
    let priority = match rule.priority {
        0 => String::new(),
        priority => format!(".{priority}"),
    };
    format!("{}{priority}: {}", rule.name, show_expr(lark, &rule.body))
}

fn show_expr(lark: &Lark, expr: &Expr) -> String {
    let all = |parts: &[Expr], between| {
        let parts: Vec<String> = parts.iter().map(|part| show_expr(lark, part)).collect();
        parts.join(between)
    };
    match expr {
        Expr::Terminal(id) => match &lark.terminals[*id] {
            terminal if is_plain(terminal) => format!("{:?}", terminal.string.as_deref().unwrap()),
            terminal => terminal.name.clone(),
        },
        Expr::Rule(id) => lark.rules[*id].name.clone(),
        Expr::Sequence(parts) => format!("({})", all(parts, " ")),
        Expr::Union(parts) => format!("<{}>", all(parts, " | ")),
        Expr::Repeat { of, min, max } => format!("{}{}", show_expr(lark, of), counts(*min, *max)),
        Expr::Token { token, .. } => format!("{token:?}"),
        Expr::Embedded {
            grammar: Embedded::Json(text),
            ..
        } => format!("%json {text}"),
        Expr::Embedded {
            grammar: Embedded::Lark(text),
            ..
        } => format!("%lark {text:?}"),
        Expr::Embedded {
            grammar: Embedded::Named(name),
            ..
        } => format!("@{name}"),
    }
}

fn counts(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

fn show_terminal(terminal: &Terminal) -> String {
    let priority = match terminal.priority {
        0 => String::new(),
        priority => format!(".{priority}"),
    };
    let pattern = terminal
        .pattern
        .as_ref()
        .map_or("declared".to_owned(), show_pattern);
    format!("{}{priority}: {pattern}", terminal.name)
}

fn show_pattern(pattern: &Pattern) -> String {
    let all = |parts: &[Pattern], between| {
        parts
            .iter()
            .map(show_pattern)
            .collect::<Vec<_>>()
            .join(between)
    };
    match pattern {
        Pattern::Text { text, ignore_case } => {
            format!("{text:?}{}", if *ignore_case { "i" } else { "" })
        }
        Pattern::Range(first, last) => format!("{first:?}..{last:?}"),
        Pattern::AnyCharacter => "any".to_owned(),
        Pattern::Regex { source, flags, .. } => format!("/{source}/{}", letters(*flags)),
        Pattern::Sequence(parts) => format!("({})", all(parts, " ")),
        Pattern::Union(parts) => format!("<{}>", all(parts, " | ")),
        Pattern::Repeat { of, min, max } => format!("{}{}", show_pattern(of), counts(*min, *max)),
        Pattern::Intersection(parts) => format!("<{}>", all(parts, " & ")),
        Pattern::Complement(of) => format!("~{}", show_pattern(of)),
        Pattern::Shortest(of) => format!("shortest {}", show_pattern(of)),
        Pattern::Substring(chunks) => format!("substring {chunks:?}"),
        Pattern::Shared(of) => show_pattern(of),
    }
}

fn letters(flags: Flags) -> String {
    let Flags {
        ignore_case,
        multi_line,
        dot_all,
        verbose,
        ascii,
    } = flags;
    let letters = [
        (ignore_case, 'i'),
        (multi_line, 'm'),
        (dot_all, 's'),
        (verbose, 'x'),
        (ascii, 'a'),
    ];
    letters
        .into_iter()
        .filter(|(is_set, _)| *is_set)
        .map(|(_, letter)| letter)
        .collect()
}
