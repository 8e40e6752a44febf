//! `maskwright report`: the size and the make of a compiled grammar, and what compiling cost.

use crate::beside::BesideArgs;
use crate::depth::DepthArgs;
use crate::diagnostic::DiagnosticEntry;
use crate::failure::{Failure, Outcome};
use crate::input::{GrammarArgs, VocabularyArgs};
use crate::output::{self, milliseconds};
use maskwright_cli::page::{self, Page};
use maskwright_compiler::{Breakdown, Compiler, Report};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// `maskwright report`.
#[derive(clap::Args)]
pub struct ReportArgs {
    #[command(flatten)]
    vocabulary: VocabularyArgs,
    #[command(flatten)]
    beside: BesideArgs,
    #[command(flatten)]
    depth: DepthArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write a page into this file that shows the automaton, its masks, and walks texts; it needs
    /// no network.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// A text that the page walks at first.
    #[arg(long, value_name = "TEXT", requires = "html", default_value = "")]
    text: String,
    #[command(flatten)]
    grammar: GrammarArgs,
}

/// The depth that the page begins with.
const PAGE_DEPTH: usize = 32;

/// How many of the largest states are shown.
const LARGEST: usize = 10;

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
    /// The least `DEPTH` with which some text can be finished.
    least_depth: usize,
    /// The `DEPTH` with which every text can; none where texts may nest without end.
    greatest_depth: Option<usize>,
    /// The frames that one more level of nesting takes at least, where texts may nest without end.
    depth_per_level: Option<usize>,
    /// The depth that was asked about.
    depth: Option<AtDepth>,
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
    /// How many of them run over blocks of counted repetitions.
    blocks: usize,
    /// The most that writing the mask of one stack can touch: words of bitmaps, ids of lists.
    worst_mask: Option<usize>,
    /// The rules that are called, the largest first.
    rules: Vec<Rule>,
    /// The largest states.
    largest_states: Vec<State>,
    compile_ms: f64,
    /// Milliseconds of each stage.
    stage_ms: BTreeMap<&'static str, f64>,
    /// What the user should know, such as keywords that were ignored because of `--lenient`.
    warnings: Vec<DiagnosticEntry>,
}

/// A matcher of the depth that was asked about.
#[derive(Serialize)]
struct AtDepth {
    frames: usize,
    /// The bytes that they take in all stacks together.
    frame_bytes: usize,
    /// Whether no text needs more.
    is_enough_for_every_text: bool,
}

/// A rule and its share of the tables.
#[derive(Serialize)]
struct Rule {
    name: String,
    states: usize,
    bytes: usize,
}

/// A state and its share of the tables.
#[derive(Serialize)]
struct State {
    state: usize,
    bytes: usize,
    rules: Vec<String>,
}

fn rules(breakdown: &Breakdown) -> Vec<Rule> {
    let rules = breakdown.rules.iter();
    rules
        .map(|rule| Rule {
            name: rule.name.clone(),
            states: rule.states,
            bytes: rule.bytes,
        })
        .collect()
}

fn largest_states(breakdown: &Breakdown) -> Vec<State> {
    let states = breakdown.largest_states(LARGEST).into_iter();
    states
        .map(|(state, share)| State {
            state,
            bytes: share.bytes,
            rules: share.rules.clone(),
        })
        .collect()
}

impl AtDepth {
    fn new(report: &Report, frames: usize) -> Self {
        let greatest = report.height.at_most();
        AtDepth {
            frames,
            frame_bytes: size_of::<u16>() * frames * report.max_stacks,
            is_enough_for_every_text: greatest.is_some_and(|greatest| greatest <= frames),
        }
    }
}

impl Figures {
    fn new(
        report: &Report,
        depth: Option<AtDepth>,
        breakdown: Option<&Breakdown>,
        warnings: Vec<DiagnosticEntry>,
    ) -> Self {
        Figures {
            states: report.states,
            frames: report.frames,
            conditional_edges: report.conditional_edges,
            deepest_condition: report.deepest_condition,
            looks_to_the_bottom: report.looks_to_the_bottom,
            max_stacks: report.max_stacks,
            stacks_proved: report.stacks_proved,
            least_depth: report.least_depth,
            greatest_depth: report.height.at_most(),
            depth_per_level: report.height.grows_by(),
            depth,
            table_bytes: report.table_bytes,
            automaton_bytes: report.automaton_bytes,
            mask_bytes: report.mask_bytes,
            section_bytes: report.sections.iter().copied().collect(),
            mask_nodes: report.mask_nodes,
            sets: sets(report),
            machines: report.machines.iter().cloned().collect(),
            blocks: report.blocks,
            worst_mask: breakdown.map(|breakdown| breakdown.worst_mask),
            rules: breakdown.map(rules).unwrap_or_default(),
            largest_states: breakdown.map(largest_states).unwrap_or_default(),
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
pub fn run(args: &ReportArgs) -> Result<Outcome, Failure> {
    if args.beside.is_given() && args.html.is_some() {
        let why =
            "the page shows tables that stand alone: leave out --beside; the masks are the same";
        return Err(Failure::Usage(why.into()));
    }
    let beside = args.beside.read()?;
    let vocabulary = args.vocabulary.load()?;
    let failed = output::for_tools(args.json);
    let loaded = args
        .grammar
        .load_and_warn(Some(&vocabulary))
        .map_err(&failed)?;
    let alone = Compiler::new(&vocabulary)
        .map_err(|error| Failure::Vocabulary(args.vocabulary.vocab.clone(), error))?;
    let other = beside.as_ref().map(|beside| beside.load(&alone));
    let other = other.transpose()?;
    let compiler = other.as_ref().map_or(&alone, |other| &other.compiler);
    let (compiled, automaton) = args
        .grammar
        .compile_and_keep(&loaded, compiler)
        .map_err(&failed)?;
    let report = compiled.report();
    let depth = args.depth.checked(report.depths()).map_err(&failed)?;
    let depth = depth.map(|frames| AtDepth::new(report, frames));
    let breakdown = match &other {
        Some(other) => Breakdown::beside(compiled.tables(), &automaton, &other.grammar),
        None => Breakdown::new(compiled.tables(), &automaton),
    };
    if let Some(path) = &args.html {
        let warnings: Vec<_> = (loaded.parsed.warnings.iter())
            .chain(compiled.warnings())
            .cloned()
            .collect();
        let origin = args.grammar.origin();
        let page = page::page(&Page {
            title: origin.trim_matches('`'),
            vocabulary_name: &args.vocabulary.vocab,
            sources: Some(&loaded.parsed.sources),
            warnings: &warnings,
            text: &args.text,
            depth: args.depth.given().unwrap_or(PAGE_DEPTH),
            compiled: &compiled,
            automaton: &automaton,
            vocabulary: &vocabulary,
        })?;
        output::write_to(Some(path), page.as_bytes())?;
    }
    let warnings = loaded.entries_with(&compiled);
    if args.json {
        output::print_json(&Figures::new(report, depth, breakdown.as_ref(), warnings))?;
    } else {
        print(report, depth.as_ref(), breakdown.as_ref(), &warnings)?;
    }
    Ok(Outcome::Good)
}

fn print(
    report: &Report,
    depth: Option<&AtDepth>,
    breakdown: Option<&Breakdown>,
    warnings: &[DiagnosticEntry],
) -> Result<(), Failure> {
    let mut lines = of_automaton(report, depth);
    lines.extend(of_tables(report));
    if let Some(breakdown) = breakdown {
        lines.extend(shares(breakdown));
    }
    lines.extend(of_compile(report));
    lines.push(format!("warnings            {:>10}", warnings.len()));
    lines.extend(
        warnings
            .iter()
            .map(|warning| format!("  {}", warning.message)),
    );
    output::print_line(&lines.join("\n"))
}

/// States, frames, stacks and depths.
fn of_automaton(report: &Report, depth: Option<&AtDepth>) -> Vec<String> {
    let proved = if report.stacks_proved {
        "proved"
    } else {
        "a graph"
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
        format!(
            "least DEPTH         {:>10}  ({})",
            report.least_depth, report.height
        ),
    ];
    lines.extend(depth.map(|depth| {
        let bytes = depth.frame_bytes;
        let enough = match depth.is_enough_for_every_text {
            true => "; enough for every text",
            false => "",
        };
        format!(
            "asked about DEPTH   {:>10}  ({bytes} bytes of frames{enough})",
            depth.frames
        )
    }));
    lines
}

/// Bytes and sets.
fn of_tables(report: &Report) -> Vec<String> {
    let mut lines = vec![
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
    lines
}

/// Machines, and the time of each stage.
fn of_compile(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    lines.push(format!("machines            {:>10}", report.machines.len()));
    lines.push(format!("  for counting      {:>10}", report.blocks));
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
    lines
}

/// The lines about whose the bytes are.
fn shares(breakdown: &Breakdown) -> Vec<String> {
    let mut lines = vec![
        format!(
            "worst mask, words   {:>10}  (each stack; at most {} frames)",
            breakdown.worst_mask,
            Breakdown::WORST_DEPTH
        ),
        format!(
            "bytes of rules, with their states {:>6}",
            breakdown.rules.len()
        ),
    ];
    lines.extend(rules(breakdown).iter().map(|rule| {
        format!(
            "  {:<18}{:>10}  {} states",
            rule.name, rule.bytes, rule.states
        )
    }));
    lines.push(format!(
        "  {:<18}{:>10}",
        "(of no state)", breakdown.fixed_bytes
    ));
    let largest = largest_states(breakdown);
    lines.push(format!("largest states      {:>10}", largest.len()));
    lines.extend(largest.iter().map(|state| {
        format!(
            "  {:<18}{:>10}  {}",
            state.state,
            state.bytes,
            state.rules.join(" ")
        )
    }));
    lines
}
