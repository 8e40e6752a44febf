//! Draws a diagnostic with the lines it is about.

use super::{Diagnostic, Severity};
use crate::source::{Source, Sources, Span, first_line};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str,
};

/// The longest excerpt that is drawn, in bytes. Of longer lines, or places further apart, the
/// position is told: drawing takes far longer than reading.
const MAX_EXCERPT: usize = 1 << 16;

/// The longest line that is drawn, in bytes.
const MAX_LINE: usize = 2000;

/// Lines shown before and after a marked place.
const CONTEXT_LINES: usize = 1;

/// The drawn diagnostic, without a newline at the end.
pub(super) fn render(diagnostic: &Diagnostic, sources: Option<&Sources>, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = normalize_untrusted_str(&diagnostic.message);
    let help = diagnostic.help.as_deref().map(normalize_untrusted_str);
    let marked = sources.map_or_else(Vec::new, |sources| marked(diagnostic, sources));

    let title = level.primary_title(message).id(diagnostic.code.as_str());
    let mut group = Group::with_title(title);
    let told: Vec<Vec<String>> = marked.iter().map(MarkedText::told).collect();
    for (marked, told) in marked.iter().zip(&told) {
        if told.is_empty() {
            group = group.element(marked.excerpt());
            continue;
        }
        group = group.element(marked.origin());
        for place in told {
            group = group.element(Level::NOTE.message(place));
        }
    }
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.decor_style(DecorStyle::Ascii).render(&[group])
}

/// A text and the places in it that are marked.
struct MarkedText<'s> {
    source: &'s Source,
    /// Which of the places is the one at fault, if it lies in this text.
    primary: bool,
    /// Each place, within the text, and what is said of it.
    labels: Vec<(Span, String)>,
}

/// The marked places by text, in the order of the texts' first places.
fn marked<'s>(diagnostic: &Diagnostic, sources: &'s Sources) -> Vec<MarkedText<'s>> {
    let mut texts: Vec<MarkedText<'s>> = Vec::new();
    for label in &diagnostic.labels {
        let Some((source, span)) = sources.locate(label.span) else {
            continue;
        };
        let place = (source.clamp(span), normalize_untrusted_str(&label.text));
        match texts.iter_mut().find(|of| std::ptr::eq(of.source, source)) {
            Some(of) => of.labels.push(place),
            None => texts.push(MarkedText {
                source,
                primary: texts.is_empty(),
                labels: vec![place],
            }),
        }
    }
    texts
}

impl MarkedText<'_> {
    fn excerpt(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let source = self.source;
        let window = self.window();
        let mut snippet = Snippet::source(source.slice(window))
            .path(source.name())
            .line_start(source.position(window.start).line);
        let mut kind = match self.primary {
            true => AnnotationKind::Primary,
            false => AnnotationKind::Context,
        };
        for (span, text) in &self.labels {
            let mut annotation = kind.span(span.start - window.start..span.end - window.start);
            if !text.is_empty() {
                annotation = annotation.label(text.as_str());
            }
            snippet = snippet.annotation(annotation);
            kind = AnnotationKind::Context;
        }
        snippet
    }

    /// Where the first marked place is.
    fn origin(&self) -> Origin<'_> {
        let first = self.labels.first().map_or(0, |(span, _)| span.start);
        let position = self.source.position(first);
        let origin = Origin::path(self.source.name()).line(position.line);
        origin.char_column(position.column)
    }

    /// The marked places in words, if an excerpt would be too long.
    fn told(&self) -> Vec<String> {
        let window = self.window();
        let is_long = |line: &str| line.len() > MAX_LINE;
        if window.end - window.start <= MAX_EXCERPT
            && !self.source.slice(window).lines().any(is_long)
        {
            return Vec::new();
        }
        let place = |(span, text): &(Span, String)| {
            let position = self.source.position(span.start);
            match text.as_str() {
                "" => format!("at {position}, in a long line"),
                text => format!("at {position}, in a long line: {text}"),
            }
        };
        self.labels.iter().map(place).collect()
    }

    /// The whole lines around the marked places.
    fn window(&self) -> Span {
        let text = self.source.text();
        let spans = self.labels.iter().map(|(span, _)| *span);
        let Some(covered) = spans.reduce(Span::to) else {
            return Span::new(0, 0);
        };
        let mut start = covered.start;
        for _ in 0..=CONTEXT_LINES {
            start = text[..start].rfind('\n').unwrap_or(0);
        }
        if start > 0 {
            start += 1;
        } else {
            start = first_line(text);
        }
        let mut end = covered.end;
        for _ in 0..=CONTEXT_LINES {
            end += text[end..]
                .find('\n')
                .map_or(text.len() - end, |newline| newline + 1);
        }
        Span::new(start.min(covered.start), end)
    }
}

#[cfg(test)]
mod tests {
    use crate::error::{Code, Error};
    use crate::source::{Source, Span};

    #[test]
    fn of_long_lines_the_position_is_told() {
        let text = format!("root ::= a {}\n", "b ".repeat(super::MAX_LINE));
        let source = Source::new("long.ebnf", text);
        let diagnostic = super::Diagnostic::error(Code::UndefinedRule, "rule `a` is not defined")
            .at(Span::new(9, 10), "used here")
            .help("add a rule");
        let drawn = Error::in_source(&source, vec![diagnostic]).to_string();
        assert!(drawn.len() < 300, "{drawn}");
        assert!(drawn.contains("long.ebnf:1:10"), "{drawn}");
        assert!(
            drawn.contains("at 1:10, in a long line: used here"),
            "{drawn}"
        );
        assert!(drawn.contains("help: add a rule"), "{drawn}");
    }

    #[test]
    fn many_diagnostics_are_short_together() {
        let line = format!("{}\n", "b ".repeat(super::MAX_LINE / 2 - 1));
        let source = Source::new("long.ebnf", line.repeat(100));
        let diagnostic = |at: usize| {
            let begin = at * line.len();
            super::Diagnostic::error(Code::UndefinedRule, "a".repeat(10_000))
                .at(Span::new(begin, begin + 1), "b".repeat(10_000))
                .help("c".repeat(10_000))
        };
        let all: Vec<_> = (0..100).map(diagnostic).collect();
        let drawn = Error::in_source(&source, all).to_string();
        assert!(drawn.len() < 100_000, "{}", drawn.len());
        assert!(drawn.ends_with(" more"), "{drawn}");
    }
}
