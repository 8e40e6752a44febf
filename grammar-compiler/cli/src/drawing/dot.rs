//! A drawing in Graphviz's language.

use std::fmt::Write;

use super::Drawing;

/// Text for `dot`.
pub fn dot(drawing: &Drawing) -> String {
    let mut out = String::from(
        "digraph automaton {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n  \
         edge [fontname=\"monospace\"];\n  start [shape=point];\n",
    );
    // Writing to a string cannot fail.
    for (state, node) in drawing.nodes.iter().enumerate() {
        let shape = if node.is_end { ", peripheries=2" } else { "" };
        let rules = escape(&node.rules.join(" "));
        let _ = writeln!(out, "  s{state} [label=\"{state}\\n{rules}\"{shape}];");
    }
    let _ = writeln!(out, "  start -> s{};", drawing.start.number());
    for arrow in &drawing.arrows {
        let operations = arrow.to_string();
        let symbols = escape(&arrow.symbols);
        let label = if operations.is_empty() {
            symbols
        } else {
            format!("{symbols}\\n{operations}")
        };
        let style = if arrow.conditions.is_empty() {
            ""
        } else {
            ", style=dashed"
        };
        let (from, to) = (arrow.from.number(), arrow.to.number());
        let _ = writeln!(out, "  s{from} -> s{to} [label=\"{label}\"{style}];");
    }
    out.push_str("}\n");
    out
}

/// Escaped for a quoted string.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
