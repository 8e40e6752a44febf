//! Draws a diagnostic with the lines it is about.

use super::{Diagnostic, Severity};
use crate::source::{Source, Span, first_line};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};

/// Lines shown before and after a marked place.
const CONTEXT_LINES: usize = 1;

/// The drawn diagnostic, without a newline at the end.
pub(super) fn render(diagnostic: &Diagnostic, source: Option<&Source>, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = normalize_untrusted_str(&diagnostic.message);
    let texts: Vec<String> = diagnostic
        .labels
        .iter()
        .map(|label| normalize_untrusted_str(&label.text))
        .collect();
    let help = diagnostic.help.as_deref().map(normalize_untrusted_str);

    let title = level.primary_title(message).id(diagnostic.code);
    let mut group = Group::with_title(title);
    if let (Some(source), false) = (source, diagnostic.labels.is_empty()) {
        group = group.element(excerpt(diagnostic, source, &texts));
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

fn excerpt<'a>(
    diagnostic: &Diagnostic,
    source: &'a Source,
    texts: &'a [String],
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let window = window(diagnostic, source);
    let mut snippet = Snippet::source(source.slice(window))
        .path(source.name())
        .line_start(source.position(window.start).line);
    let mut kind = AnnotationKind::Primary;
    for (label, text) in diagnostic.labels.iter().zip(texts) {
        let span = source.clamp(label.span);
        let mut annotation = kind.span(span.start - window.start..span.end - window.start);
        if !text.is_empty() {
            annotation = annotation.label(text.as_str());
        }
        snippet = snippet.annotation(annotation);
        kind = AnnotationKind::Context;
    }
    snippet
}

/// The whole lines around the marked places.
fn window(diagnostic: &Diagnostic, source: &Source) -> Span {
    let text = source.text();
    let spans = diagnostic
        .labels
        .iter()
        .map(|label| source.clamp(label.span));
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
