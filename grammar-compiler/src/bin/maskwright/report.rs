//! `maskwright report`: the size and the make of a compiled grammar, and what compiling cost.

use crate::check::Entry;
use crate::failure::{Failure, Outcome};
use crate::input::{GrammarArgs, VocabularyArgs};
use crate::output::{self, milliseconds};
use maskwright_compiler::Report;
use serde::Serialize;
use std::collections::BTreeMap;

/// `maskwright report`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    vocabulary: VocabularyArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The figures as they are printed.
#[derive(Serialize)]
struct Figures {
    states: usize,
    frames: usize,
    conditional_edges: usize,
    /// Frames that the deepest edge or mask looks at.
    deepest_condition: usize,
    looks_to_the_bottom: bool,
    max_stacks: usize,
    stacks_proved: bool,
    least_depth: usize,
    table_bytes: usize,
    automaton_bytes: usize,
    mask_bytes: usize,
    /// Bytes of each section of the tables.
    section_bytes: BTreeMap<&'static str, usize>,
    mask_nodes: usize,
    /// Distinct token sets by how they are stored.
    sets: BTreeMap<&'static str, usize>,
    /// States of the finite automaton of each rule that is called.
    machines: BTreeMap<String, usize>,
    compile_ms: f64,
    /// Milliseconds of each stage.
    stage_ms: BTreeMap<&'static str, f64>,
    /// What the user should know, such as keywords that were ignored because of `--lenient`.
    warnings: Vec<Entry>,
}

impl Figures {
    fn new(report: &Report, warnings: Vec<Entry>) -> Self {
        Figures {
            states: report.states,
            frames: report.frames,
            conditional_edges: report.conditional_edges,
            deepest_condition: report.deepest_condition,
            looks_to_the_bottom: report.looks_to_the_bottom,
            max_stacks: report.max_stacks,
            stacks_proved: report.stacks_proved,
            least_depth: report.least_depth,
            table_bytes: report.table_bytes,
            automaton_bytes: report.automaton_bytes,
            mask_bytes: report.mask_bytes,
            section_bytes: report.sections.iter().copied().collect(),
            mask_nodes: report.mask_nodes,
            sets: sets(report),
            machines: report.machines.iter().cloned().collect(),
            compile_ms: milliseconds(report.compile_time),
            stage_ms: report
                .stages
                .iter()
                .map(|stage| (stage.name, milliseconds(stage.time)))
                .collect(),
            warnings,
        }
    }
}

/// Numbers of sets by form.
fn sets(report: &Report) -> BTreeMap<&'static str, usize> {
    let sets = &report.sets;
    BTreeMap::from([
        ("bitmaps", sets.bitmaps),
        ("accept", sets.accept_lists),
        ("reject", sets.reject_lists),
        ("deltas", sets.deltas),
    ])
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let vocabulary = args.vocabulary.load()?;
    let loaded = args.grammar.load_and_warn()?;
    let compiled = args.grammar.compile_loaded(&loaded, &vocabulary)?;
    let report = compiled.report();
    let of_grammar = loaded.warnings.iter();
    let of_grammar = of_grammar.map(|(warning, source)| Entry::new(warning, source.as_ref()));
    let of_tables = compiled.warnings().iter();
    let of_tables = of_tables.map(|warning| Entry::new(warning, None));
    let warnings: Vec<Entry> = of_grammar.chain(of_tables).collect();
    if args.json {
        output::print_json(&Figures::new(report, warnings))?;
    } else {
        print(report, &warnings)?;
    }
    Ok(Outcome::Good)
}

fn print(report: &Report, warnings: &[Entry]) -> Result<(), Failure> {
    let proved = if report.stacks_proved {
        "proved"
    } else {
        "a cap"
    };
    let bottom = if report.looks_to_the_bottom {
        ", some masks down to the bottom"
    } else {
        ""
    };
    let mut lines = vec![
        format!("states              {:>10}", report.states),
        format!("frames              {:>10}", report.frames),
        format!("conditional edges   {:>10}", report.conditional_edges),
        format!(
            "deepest condition   {:>10}{bottom}",
            report.deepest_condition
        ),
        format!("stacks              {:>10}  ({proved})", report.max_stacks),
        format!("least DEPTH         {:>10}", report.least_depth),
        format!("tables, bytes       {:>10}", report.table_bytes),
        format!("  automaton         {:>10}", report.automaton_bytes),
        format!("  masks             {:>10}", report.mask_bytes),
    ];
    lines.extend(
        report
            .sections
            .iter()
            .map(|(name, bytes)| format!("    {name:<16}{bytes:>10}")),
    );
    lines.push(format!("mask nodes          {:>10}", report.mask_nodes));
    lines.extend(
        sets(report)
            .iter()
            .map(|(name, count)| format!("  sets as {name:<10}{count:>10}")),
    );
    lines.push(format!("machines            {:>10}", report.machines.len()));
    lines.extend(
        report
            .machines
            .iter()
            .map(|(name, states)| format!("  {name:<18}{states:>10}")),
    );
    lines.push(format!(
        "compile, ms         {:>10.3}",
        milliseconds(report.compile_time)
    ));
    lines.extend(
        report
            .stages
            .iter()
            .map(|stage| format!("  {:<18}{:>10.3}", stage.name, milliseconds(stage.time))),
    );
    lines.push(format!("warnings            {:>10}", warnings.len()));
    lines.extend(
        warnings
            .iter()
            .map(|warning| format!("  {}", warning.message)),
    );
    output::print_line(&lines.join("\n"))
}
