//! Diagnostics as they are printed: drawn for people, one object each for tools. What the library
//! calls a field of `Limits`, they call the option that sets it.

use crate::limits::LimitArgs;
use clap::Args;
use maskwright_compiler::error::{Diagnostic, Error, MAX_DRAWN, MAX_DRAWN_BYTES};
use maskwright_compiler::source::{Source, Sources, Span};
use serde::Serialize;

/// A diagnostic as it is printed.
#[derive(Serialize)]
pub struct DiagnosticEntry {
    /// `error` or `warning`.
    severity: &'static str,
    code: &'static str,
    /// What is wrong.
    pub message: String,
    /// The text that the places lie in.
    file: Option<String>,
    /// The place at fault, if there is one.
    #[serde(flatten)]
    place: Place,
    /// All marked places, the one at fault first.
    labels: Vec<Label>,
    help: Option<String>,
    /// With an excerpt, for people; only the first of a list are drawn, [`MAX_DRAWN`] at most.
    #[serde(skip)]
    drawn: Option<String>,
}

#[derive(Serialize)]
struct Label {
    /// The text that it lies in, if that is another one than the diagnostic's.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(flatten)]
    place: Place,
    text: String,
}

/// A place: lines and columns in characters, from 1; the end is exclusive.
#[derive(Default, Serialize)]
struct Place {
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
}

impl Place {
    fn new(span: Option<Span>, sources: Option<&Sources>) -> Self {
        let place = sources
            .zip(span)
            .and_then(|(sources, span)| sources.locate(span));
        let Some((source, span)) = place else {
            return Place::default();
        };
        let (start, end) = (source.position(span.start), source.position(span.end));
        Place {
            line: Some(start.line),
            column: Some(start.column),
            end_line: Some(end.line),
            end_column: Some(end.column),
        }
    }
}

/// The name of the text that the place at fault lies in; of the main one if it has no place.
fn file_of(diagnostic: &Diagnostic, sources: Option<&Sources>) -> Option<String> {
    let sources = sources?;
    let located = diagnostic.span().and_then(|span| sources.locate(span));
    let source = located.map(|(source, _)| source).or(sources.main());
    source.map(|source: &Source| source.name().to_owned())
}

impl DiagnosticEntry {
    /// These diagnostics in `sources`, drawn in colour or not.
    pub fn all<'d>(
        diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
        sources: Option<&Sources>,
        colour: bool,
    ) -> Vec<Self> {
        let mut bytes = 0;
        let entry = |(at, diagnostic): (usize, &Diagnostic)| {
            let diagnostic = with_options(diagnostic.clone());
            let is_drawn = at < MAX_DRAWN && bytes < MAX_DRAWN_BYTES;
            let drawn = is_drawn.then(|| diagnostic.render(sources, colour));
            bytes += drawn.as_ref().map_or(0, String::len);
            DiagnosticEntry {
                drawn,
                ..DiagnosticEntry::new(&diagnostic, sources)
            }
        };
        diagnostics.into_iter().enumerate().map(entry).collect()
    }

    /// The drawn ones, and how many more there are.
    pub fn shown(entries: &[DiagnosticEntry]) -> Vec<String> {
        let mut shown: Vec<String> = entries.iter().filter_map(|e| e.drawn.clone()).collect();
        let more = entries.len() - shown.len();
        if more > 0 {
            shown.push(format!("and {more} more; `check --json` lists all"));
        }
        shown
    }

    fn new(diagnostic: &Diagnostic, sources: Option<&Sources>) -> Self {
        let file = file_of(diagnostic, sources);
        let name_of = |span| Some(sources?.locate(span)?.0.name().to_owned());
        let labels = diagnostic.labels().iter().map(|label| Label {
            file: name_of(label.span).filter(|name| Some(name) != file.as_ref()),
            place: Place::new(Some(label.span), sources),
            text: label.text.clone(),
        });
        DiagnosticEntry {
            severity: diagnostic.severity().name(),
            code: diagnostic.code().as_str(),
            message: diagnostic.message().to_owned(),
            file: file.clone(),
            place: Place::new(diagnostic.span(), sources),
            labels: labels.collect(),
            help: diagnostic.way_out().map(str::to_owned),
            drawn: None,
        }
    }

    /// Everything in `error`: the errors, then the warnings.
    pub fn of_error(error: &Error, colour: bool) -> (Vec<DiagnosticEntry>, Vec<DiagnosticEntry>) {
        DiagnosticEntry::all(error.diagnostics(), error.sources(), colour)
            .into_iter()
            .partition(|entry| entry.severity == "error")
    }
}

/// The error with the options of limits in its ways out.
pub fn error_with_options(error: Error) -> Error {
    let mut diagnostics = error.diagnostics().iter().cloned().map(with_options);
    match error.sources() {
        Some(sources) => Error::in_sources(sources, diagnostics.collect()),
        // Without a text there is one diagnostic.
        None => diagnostics.next_back().map_or(error.clone(), Error::from),
    }
}

/// The diagnostic with the options of limits in its way out, for those limits that have one.
fn with_options(diagnostic: Diagnostic) -> Diagnostic {
    let Some(way_out) = diagnostic.way_out().filter(|way| way.contains("`Limits::")) else {
        return diagnostic;
    };
    let command = LimitArgs::augment_args(clap::Command::new("limits"));
    let options = command.get_arguments().filter_map(clap::Arg::get_long);
    let fields = options.filter_map(|option| Some((option, option.strip_prefix("limit-")?)));
    let way_out = fields.fold(way_out.to_owned(), |way_out, (option, field)| {
        let field = format!("`Limits::{}`", field.replace('-', "_"));
        way_out.replace(&field, &format!("`--{option}`"))
    });
    diagnostic.help(way_out)
}
