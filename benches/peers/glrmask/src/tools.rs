//! Calls of tools: the schema of each tool is a module that is compiled by itself and kept; a
//! grammar of the text around calls links them.
//!
//! A `oneOf` that is refused, since its alternatives may overlap, is read as `anyOf`.

use std::collections::HashMap;
use std::fmt::Write;

use glrmask::{Constraint, Grammar, Module, Vocab};
use peers_common::Tools;

/// The modules of all tools so far, by their schemas.
#[derive(Default)]
pub struct Modules(HashMap<String, Module>);

impl Modules {
    /// Compiles the tools that are not known, and links all.
    pub fn link(&mut self, tools: &Tools, vocabulary: &Vocab) -> glrmask::Result<Constraint> {
        let mut whole = Module::new(&Grammar::from_glrm(around(tools))?);
        for (index, tool) in tools.single.iter().enumerate() {
            if !self.0.contains_key(&tool.schema) {
                let grammar = Grammar::from_json_schema(&tool.schema).or_else(|_| {
                    Grammar::from_json_schema(tool.schema.replace("\"oneOf\":", "\"anyOf\":"))
                })?;
                let module = grammar.precompile(vocabulary)?;
                self.0.insert(tool.schema.clone(), module);
            }
            whole.bind(&name(index), self.0[&tool.schema].clone())?;
        }
        whole.compile(vocabulary)
    }
}

fn name(index: usize) -> String {
    format!("tool_{index}")
}

/// Free text in which a trigger begins a call. What could still become a trigger belongs to the
/// text only at its end.
fn around(tools: &Tools) -> String {
    let trigger = &tools.trigger;
    let mut text = "glrm 1;\nstart start;\n".to_owned();
    let mut calls = Vec::new();
    for (index, tool) in tools.single.iter().enumerate() {
        let name = name(index);
        let _ = writeln!(text, "extern grammar {name};");
        let begin = literal(&format!("{trigger}{}", tool.begin));
        calls.push(format!("{begin} {name} {}", literal(&tools.end)));
    }
    let begun = (1..trigger.len()).map(|length| literal(&trigger[..length]));
    let begun: Vec<String> = begun.collect();
    let begun = begun.join(" | ");
    let any = r"/(?:[\x00-\x7f]|[^\x00-\x7f])*/";
    let _ = write!(
        text,
        "t TEXT = {any} - ({any} {} {any}) - ({any} ({begun})) - \"\";\nt BEGUN = {begun};\n\
         nt call = {};\nnt start = TEXT? (call TEXT?)* BEGUN?;\n",
        literal(trigger),
        calls.join(" | ")
    );
    text
}

/// A literal of the grammar's language, which escapes quotes, backslashes and line feeds as Rust
/// does.
fn literal(text: &str) -> String {
    format!("{text:?}")
}
