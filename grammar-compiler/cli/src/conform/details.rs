//! What each grammar cost, written as soon as it is known: a run that is ended tells how far it
//! came.

use super::cases::Group;
use super::judge::Judgement;
use crate::failure::Failure;
use serde::Serialize;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// A file of one JSON object a line.
pub struct Details(Mutex<File>);

#[derive(Serialize)]
struct Detail<'a> {
    /// The line of the grammar's first row, from 1.
    line: usize,
    /// Where the row says it is from.
    source: &'a str,
    /// The code of the error, if it was refused.
    refused: Option<&'a str>,
    /// Reading and compiling, or until it was refused.
    compile_ms: f64,
    table_bytes: Option<usize>,
    states: Option<usize>,
    /// Whether the stacks are a graph.
    graph: Option<bool>,
}

impl Details {
    /// Makes the file.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let file = File::create(path).map_err(Failure::file(path))?;
        Ok(Details(Mutex::new(file)))
    }

    /// Writes what became of a group.
    pub fn write(&self, group: &Group, judgement: &Judgement) {
        let mut detail = Detail {
            line: group.line,
            source: &group.source,
            refused: None,
            compile_ms: 0.0,
            table_bytes: None,
            states: None,
            graph: None,
        };
        match judgement {
            Judgement::Refused {
                code, compile_ms, ..
            } => {
                detail.refused = Some(code);
                detail.compile_ms = *compile_ms;
            }
            Judgement::Compiled(compiled) => {
                detail.compile_ms = compiled.compile_ms;
                detail.table_bytes = Some(compiled.tables.len());
                detail.states = Some(compiled.states);
                detail.graph = Some(compiled.has_graph);
            }
        }
        if let Ok(text) = serde_json::to_string(&detail) {
            let mut file = self
                .0
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            // The verdicts do not depend on it.
            let _ = writeln!(file, "{text}");
        }
    }
}
