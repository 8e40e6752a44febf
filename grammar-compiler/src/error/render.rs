//! Draws a diagnostic with the lines it is about.

use super::{Diagnostic, Severity};
use crate::source::{Source, Sources, Span, first_line};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};

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
    for marked in &marked {
        group = group.element(marked.excerpt());
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
