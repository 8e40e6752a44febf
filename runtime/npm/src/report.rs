//! Errors, warnings and reports as JSON.

use maskwright_compiler::error::{Diagnostic, Error, MAX_DRAWN};
use maskwright_compiler::source::{Sources, Span};
use maskwright_compiler::{Height, Report};
use serde_json::{Value, json};

use crate::objects::Failure;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let position = error.position();
        Failure(json!({
            "message": error.message(),
            "code": error.code().as_str(),
            "line": position.map(|position| position.line),
            "column": position.map(|position| position.column),
            "drawn": error.render(false),
            "diagnostics": diagnostics(error.diagnostics(), error.sources()),
        }))
    }
}

/// Diagnostics, as many as are drawn at most.
pub(crate) fn diagnostics(all: &[Diagnostic], sources: Option<&Sources>) -> Vec<Value> {
    let shown = all.iter().take(MAX_DRAWN);
    shown.map(|diagnostic| entry(diagnostic, sources)).collect()
}

fn entry(diagnostic: &Diagnostic, sources: Option<&Sources>) -> Value {
    let labels = diagnostic.labels().iter().map(|label| {
        let mut place = place(label.span, sources);
        place["text"] = json!(label.text);
        place
    });
    json!({
        "severity": diagnostic.severity().name(),
        "code": diagnostic.code().as_str(),
        "message": diagnostic.message(),
        "help": diagnostic.way_out(),
        "labels": labels.collect::<Vec<Value>>(),
        "drawn": diagnostic.render(sources, false),
    })
}

/// Line and column in characters, from 1; and where the place begins and ends in the units of
/// JavaScript's strings, if it lies in the text of the request.
fn place(span: Span, sources: Option<&Sources>) -> Value {
    let Some((sources, (source, span))) =
        sources.and_then(|sources| Some((sources, sources.locate(span)?)))
    else {
        return json!({});
    };
    let position = source.position(span.start);
    let is_main = sources
        .main()
        .is_some_and(|main| main.name() == source.name());
    let units = |end: usize| {
        source
            .text()
            .get(..end)
            .map(|text| text.encode_utf16().count())
    };
    json!({
        "line": position.line,
        "column": position.column,
        "start": units(span.start).filter(|_| is_main),
        "end": units(span.end).filter(|_| is_main),
    })
}

/// Sizes and times of a compile.
pub(crate) fn report(report: &Report) -> Value {
    let stages = report.stages.iter();
    let stages = stages.map(|stage| json!([stage.name, stage.time.as_secs_f64() * 1000.0]));
    json!({
        "states": report.states,
        "frames": report.frames,
        "conditionalEdges": report.conditional_edges,
        "maxStacks": report.max_stacks,
        "stacksProved": report.stacks_proved,
        "leastDepth": report.least_depth,
        "height": match report.height {
            Height::AtMost(frames) => json!({ "atMost": frames }),
            Height::Grows { by } => json!({ "growsBy": by }),
            _ => json!({}),
        },
        "depths": report.depths().to_string(),
        "tableBytes": report.table_bytes,
        "automatonBytes": report.automaton_bytes,
        "maskBytes": report.mask_bytes,
        "maskNodes": report.mask_nodes,
        "sections": report.sections,
        "rules": report.machines,
        "stages": stages.collect::<Vec<Value>>(),
        "milliseconds": report.compile_time.as_secs_f64() * 1000.0,
    })
}
