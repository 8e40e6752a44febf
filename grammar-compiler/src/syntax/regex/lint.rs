//! Lints: parts of a pattern that are legal and probably not meant.
//!
//! In: a pattern that was read, and its grammar. Out: warnings at parts of the pattern. The grammar
//! shows that there is something to warn of, and the syntax tree shows where.

use crate::maps::KeyedMap;
use std::convert::Infallible;

use regex_syntax::ast::{self, Ast, RepetitionKind, RepetitionRange};

use super::{grammar, read};
use crate::error::{Code, Diagnostic, shown};
use crate::grammar::{Grammar, lint};
use crate::limits::{Deadline, Limits};
use crate::source::{Source, Span};
use crate::syntax::slashes::between_slashes;

/// Longer loops are not looked at by themselves.
const MAX_LOOP: usize = 100;

/// All warnings about `pattern`, whose grammar this is, by place.
pub fn lint(pattern: &str, grammar: &Grammar, limits: &Limits) -> Vec<Diagnostic> {
    let deadline = &Deadline::start(limits);
    let of_grammar = lint::lint(grammar, deadline);
    let has = |code| of_grammar.iter().any(|warning| warning.code() == code);
    let whole = Span::new(0, pattern.len());
    let mut found = Vec::new();
    let parts = PatternParts::of(pattern, limits);
    for &(part, first) in &parts.repeated {
        let message = "an alternative of the pattern is the same as one before it";
        found.push(
            Diagnostic::warning(Code::UnreachableAlternative, message)
                .at(part, "what it matches, the other one matches already")
                .at(first, "the other one")
                .help("remove one of them; if they should differ, one is mistyped"),
        );
    }
    if has(Code::EmptyRule) {
        let message = "the pattern matches only the empty text";
        found.push(
            Diagnostic::warning(Code::EmptyRule, message)
                .at(whole, "consumes nothing")
                .help("give it something to match"),
        );
    }
    if has(Code::UnboundedWhitespace) {
        let message = "the pattern lets blanks go on without end";
        // When the time is over, no place is looked at: `parse` says so.
        let is_blank = |place: &&Span| {
            deadline
                .ticks(MAX_LOOP, "looking for loops over blanks")
                .is_err()
                || is_endless_blank(pattern, **place, limits)
        };
        let place = parts.endless.iter().find(is_blank).unwrap_or(&whole);
        found.push(
            Diagnostic::warning(Code::UnboundedWhitespace, message)
                .at(*place, "a loop over white space only")
                .help("a model can run away in blanks, which a mask always allows; bound them, such as `\\s{0,8}`"),
        );
    }
    found.extend(parts.dot.map(dot));
    if let Some(parts) = between_slashes(pattern) {
        let message = "slashes around the pattern are text here, as the flags behind them are";
        let warning = Diagnostic::warning(Code::RegexSlashes, message);
        found.push(warning.at(whole, "").help(without_slashes(parts)));
    }
    found.sort_by_key(Diagnostic::span);
    found
}

/// The way out for a pattern between slashes.
pub fn without_slashes((inside, flags): (&str, &str)) -> String {
    // The others change nothing here: the whole text is matched, once.
    let flags: String = flags
        .chars()
        .filter(|flag| "imsx".contains(*flag))
        .collect();
    let flags = match flags.is_empty() {
        true => String::new(),
        false => format!("(?{flags})"),
    };
    format!("write `{flags}{}`", shown(inside))
}

/// A warning of a `.` that no flag says anything about.
fn dot(place: Span) -> Diagnostic {
    let message = "`.` takes every character, a line feed too";
    Diagnostic::warning(Code::DotNewline, message)
        .at(place, "")
        .help("write `[^\\n]` for a character of one line, or begin the pattern with `(?s)` if every character is meant")
}

/// Whether what stands at a place is a loop over blanks.
fn is_endless_blank(pattern: &str, place: Span, limits: &Limits) -> bool {
    let text = pattern.get(place.start..place.end);
    let grammar = text
        .filter(|text| text.len() <= MAX_LOOP)
        .and_then(|text| grammar(&Source::new("", text), limits).ok());
    let warnings = grammar
        .map(|grammar| lint::lint(&grammar, &Deadline::start(limits)))
        .unwrap_or_default();
    (warnings.iter()).any(|warning| warning.code() == Code::UnboundedWhitespace)
}

/// Parts of a pattern that there may be something to say about.
#[derive(Default)]
struct PatternParts {
    /// Alternatives that are written like one before them, which is beside them.
    repeated: Vec<(Span, Span)>,
    /// Repetitions without an upper bound, those within others first.
    endless: Vec<Span>,
    /// The first `.`, if no flag says whether it takes a line feed.
    dot: Option<Span>,
}

impl PatternParts {
    fn of(pattern: &str, limits: &Limits) -> Self {
        let Ok((spelled, tree)) = read(pattern, limits.nesting, limits) else {
            return PatternParts::default();
        };
        let visitor = Visitor {
            text: spelled.text(),
            repeated: Vec::new(),
            endless: Vec::new(),
            dot: None,
            has_flags: false,
            has_dot_flag: false,
        };
        let Ok(Visitor {
            mut repeated,
            endless,
            dot,
            has_flags,
            has_dot_flag,
            ..
        }) = ast::visit(&tree, visitor);
        if has_flags {
            // Under different flags, equal texts may have different meanings.
            repeated.clear();
        }
        let place = |span: &ast::Span| spelled.span(span);
        PatternParts {
            repeated: (repeated.iter())
                .map(|(part, first)| (place(part), place(first)))
                .collect(),
            endless: endless.iter().map(place).collect(),
            dot: dot.filter(|_| !has_dot_flag).as_ref().map(place),
        }
    }
}

struct Visitor<'t> {
    text: &'t str,
    repeated: Vec<(ast::Span, ast::Span)>,
    endless: Vec<ast::Span>,
    dot: Option<ast::Span>,
    has_flags: bool,
    /// Whether a flag says what `.` takes.
    has_dot_flag: bool,
}

impl Visitor<'_> {
    fn flags(&mut self, flags: &ast::Flags) {
        self.has_dot_flag |= flags.flag_state(ast::Flag::DotMatchesNewLine).is_some();
    }
}

impl ast::Visitor for Visitor<'_> {
    type Output = Self;
    type Err = Infallible;

    fn finish(self) -> Result<Self, Infallible> {
        Ok(self)
    }

    fn visit_post(&mut self, tree: &Ast) -> Result<(), Infallible> {
        match tree {
            Ast::Flags(set) => {
                self.has_flags = true;
                self.flags(&set.flags);
            }
            Ast::Group(group) => {
                if let Some(flags) = group.flags() {
                    self.flags(flags);
                }
            }
            Ast::Dot(place) => self.dot = self.dot.or(Some(**place)),
            Ast::Repetition(repetition) => {
                let is_endless = matches!(
                    repetition.op.kind,
                    RepetitionKind::ZeroOrMore
                        | RepetitionKind::OneOrMore
                        | RepetitionKind::Range(RepetitionRange::AtLeast(_))
                );
                self.endless.extend(is_endless.then_some(repetition.span));
            }
            Ast::Alternation(alternation) => {
                let mut first = KeyedMap::default();
                for part in &alternation.asts {
                    let span = part.span();
                    let text = self.text.get(span.start.offset..span.end.offset);
                    match first.get(&text) {
                        Some(&earlier) => self.repeated.push((*span, earlier)),
                        None => {
                            first.insert(text, *span);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes, with what they are at.
    fn found(pattern: &str) -> Vec<(&'static str, &str)> {
        let limits = Limits::default();
        let grammar = grammar(&Source::new("", pattern), &limits).unwrap();
        let warnings = lint(pattern, &grammar, &limits);
        let at = |warning: &Diagnostic| {
            let span = warning.span().unwrap();
            (warning.code().as_str(), &pattern[span.start..span.end])
        };
        warnings.iter().map(at).collect()
    }

    #[test]
    fn alternatives_that_are_written_twice() {
        let code = "unreachable-alternative";
        assert_eq!(found("foo|fob|foo"), [(code, "foo")]);
        assert_eq!(found("x(a|b|(?:c|c))*"), [(code, "c")]);
        assert_eq!(found("(a|)|b|"), []);
        assert_eq!(found("(|a|)"), [(code, "")]);
        // The second `a` matches `A`, too.
        assert_eq!(found("a|(?i)b|a"), []);
    }

    #[test]
    fn loops_over_blanks() {
        let code = "unbounded-whitespace";
        assert_eq!(found("a( *b)*"), [(code, " *")]);
        assert_eq!(found(r"a\s+b"), [(code, r"\s+")]);
        assert_eq!(
            found(r"a(?:[ \t]{2,3}){4,}b"),
            [(code, r"(?:[ \t]{2,3}){4,}")]
        );
        assert_eq!(found(r"a\s{0,9}[ b]*"), []);
    }

    #[test]
    fn a_dot_that_takes_a_line_feed() {
        assert_eq!(found("a.*b."), [("dot-newline", ".")]);
        for pattern in ["(?s)a.*", "(?-s)a.*", "(?s:a.*)", r"a\.[.]", r"[^\n]*"] {
            assert_eq!(found(pattern), [], "{pattern}");
        }
    }

    #[test]
    fn slashes_around_a_pattern() {
        assert_eq!(found("/abc/i"), [("regex-slashes", "/abc/i")]);
        assert_eq!(without_slashes(("abc", "gi")), "write `(?i)abc`");
        for pattern in ["/usr/bin/", "/usr/in", "a/b/i"] {
            assert_eq!(found(pattern), [], "{pattern}");
        }
        let error = grammar(&Source::new("", "/^abc$/"), &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("write `^abc$`"), "{error}");
    }

    #[test]
    fn nothing_to_match() {
        assert_eq!(found("()"), [("empty-rule", "()")]);
        assert_eq!(found("a{0}"), [("empty-rule", "a{0}")]);
    }
}
