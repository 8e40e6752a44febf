//! A pushdown automaton as a graph in Graphviz's language.
//!
//! In: an [`Automaton`]. Out: text for `dot`. A node is a state, labelled with the rules that its items are in.
//! An arrow is a set of bytes, where there is one a condition on the frames of the stack (`0: f3`: the top frame is
//! 3), then the stack operations. Arrows with the same ends, conditions and operations are drawn as one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::Automaton;
use crate::pda::{Alternative, Class, FrameId, Pda, StateId, Tree, TreeId};

/// Everything about an arrow but its symbols.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrow {
    from: StateId,
    /// Depth and frame of each look on the way.
    conditions: Vec<(u8, FrameId)>,
    alternative: Alternative,
}

/// Draws the automaton.
pub fn dot(automaton: &Automaton) -> String {
    let pda = &automaton.built.pda;
    let mut out = String::from(
        "digraph automaton {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n  \
         edge [fontname=\"monospace\"];\n  start [shape=point];\n",
    );
    let ends: BTreeSet<StateId> = end_states(pda);
    for state in 0..pda.states.len() as StateId {
        let shape = if ends.contains(&state) {
            ", peripheries=2"
        } else {
            ""
        };
        let rules = rules_of(automaton, state);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  s{state} [label=\"{state}\\n{rules}\"{shape}];");
    }
    let _ = writeln!(out, "  start -> s{};", pda.start);
    for (arrow, classes) in arrows(pda) {
        let label = label(pda, &arrow, &classes);
        let style = if arrow.conditions.is_empty() {
            ""
        } else {
            ", style=dashed"
        };
        let _ = writeln!(
            out,
            "  s{} -> s{} [label=\"{label}\"{style}];",
            arrow.from, arrow.alternative.next
        );
    }
    out.push_str("}\n");
    out
}

/// The states that the end of the text leads to.
fn end_states(pda: &Pda) -> BTreeSet<StateId> {
    let mut ends = BTreeSet::new();
    for edges in pda.states.iter().map(|state| &state.edges) {
        for &(_, tree) in edges.iter().filter(|edge| edge.0 == pda.classes.end()) {
            pda.leaves(tree, &mut |leaf| {
                ends.extend(leaf.iter().filter(|a| !a.again).map(|a| a.next))
            });
        }
    }
    ends
}

/// The names of the machines that a state's items are in.
fn rules_of(automaton: &Automaton, state: StateId) -> String {
    let items = automaton.built.item_sets.get(state as usize);
    let nodes = items
        .into_iter()
        .flatten()
        .filter_map(|item| automaton.built.positions.nodes.get(item.node as usize));
    let machines: BTreeSet<usize> = nodes.map(|node| node.machine as usize).collect();
    let names = machines
        .iter()
        .filter_map(|&machine| automaton.network.machines.get(machine));
    names
        .map(|machine| escape(&machine.name))
        .collect::<Vec<_>>()
        .join(" ")
}

fn arrows(pda: &Pda) -> BTreeMap<Arrow, BTreeSet<Class>> {
    let mut arrows: BTreeMap<Arrow, BTreeSet<Class>> = BTreeMap::new();
    for (from, state) in (0..).zip(&pda.states) {
        for &(class, tree) in &state.edges {
            walk(
                pda,
                tree,
                &mut Vec::new(),
                &mut |conditions, alternative| {
                    let arrow = Arrow {
                        from,
                        conditions: conditions.to_vec(),
                        alternative,
                    };
                    arrows.entry(arrow).or_default().insert(class);
                },
            );
        }
    }
    arrows
}

fn walk(
    pda: &Pda,
    tree: TreeId,
    conditions: &mut Vec<(u8, FrameId)>,
    visit: &mut impl FnMut(&[(u8, FrameId)], Alternative),
) {
    match pda.trees.get(tree as usize) {
        Some(Tree::Leaf(alternatives)) => alternatives
            .iter()
            .for_each(|&alternative| visit(conditions, alternative)),
        Some(Tree::Look { depth, branches }) => {
            for &(frame, branch) in branches {
                conditions.push((*depth, frame));
                walk(pda, branch, conditions, visit);
                conditions.pop();
            }
        }
        None => {}
    }
}

fn label(pda: &Pda, arrow: &Arrow, classes: &BTreeSet<Class>) -> String {
    let mut label = symbols(pda, classes);
    let conditions = arrow
        .conditions
        .iter()
        .map(|(depth, frame)| format!("{depth}: f{frame}"));
    let conditions = conditions.collect::<Vec<_>>().join(", ");
    if !conditions.is_empty() {
        let _ = write!(label, "\\nif {conditions}");
    }
    let Alternative {
        pop, push, again, ..
    } = arrow.alternative;
    if pop > 0 {
        let _ = write!(label, "\\npop {pop}");
    }
    if let Some(frame) = push {
        let _ = write!(label, "\\npush f{frame}");
    }
    if again {
        label.push_str("\\nread again");
    }
    label
}

/// The bytes of classes as ranges, and the end of the text.
fn symbols(pda: &Pda, classes: &BTreeSet<Class>) -> String {
    let contains = |byte: u8| classes.contains(&pda.classes.of(byte));
    let mut parts = Vec::new();
    let mut byte = 0u16;
    while byte < 256 {
        let first = byte;
        while byte < 256 && contains(byte as u8) {
            byte += 1;
        }
        match byte - first {
            0 => byte += 1,
            1 => parts.push(show(first as u8)),
            _ => parts.push(format!("{}-{}", show(first as u8), show((byte - 1) as u8))),
        }
    }
    if classes.contains(&pda.classes.end()) {
        parts.push("end".into());
    }
    parts.join(" ")
}

fn show(byte: u8) -> String {
    match byte {
        b'!'..=b'~' => escape(&char::from(byte).to_string()),
        _ => format!("{byte:02X}"),
    }
}

/// Escaped for a quoted string of Graphviz.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
