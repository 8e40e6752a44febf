//! `maskwright formats`: the formats of tool calls, and what one looks like.

use crate::failure::{Failure, Outcome};
use crate::output;
use maskwright_compiler::file;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::similar;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::tools::format::OpenedBy;
use maskwright_compiler::syntax::tools::{FormatSource, ToolFormat};
use serde::Serialize;
use std::path::Path;

/// `maskwright formats`.
#[derive(clap::Args)]
pub struct FormatsArgs {
    /// The name of a format, or a file that ends with `.json`; all formats are listed if it is left
    /// out.
    #[arg(value_name = "NAME|FILE")]
    format: Option<String>,
    /// Print the text of the format: a beginning for one of your own.
    #[arg(long, requires = "format", conflicts_with = "json")]
    text: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct FormatsReport {
    formats: Vec<FormatEntry>,
}

#[derive(Serialize)]
struct FormatEntry {
    name: String,
    aliases: Vec<String>,
    /// The models that write so.
    about: String,
    /// The style of arguments.
    arguments: &'static str,
    reasoning: bool,
    /// Who opens reasoning: `prompt`, `model` or `either`.
    #[serde(skip_serializing_if = "Option::is_none")]
    opened_by: Option<&'static str>,
    stop_tokens: Vec<String>,
    /// A call of a tool `get_weather`.
    example: String,
}

/// Runs the command.
pub fn run(args: &FormatsArgs) -> Result<Outcome, Failure> {
    let limits = Limits::default();
    let named: Vec<(String, ToolFormat)> = match &args.format {
        Some(name) => vec![(name.clone(), load(name, &limits)?)],
        None => {
            let mut all = Vec::new();
            for name in ToolFormat::names() {
                let format = ToolFormat::named(name, &limits)?;
                all.extend(format.map(|format| (name.to_owned(), format)));
            }
            all
        }
    };
    if let (true, [(_, format)]) = (args.text, named.as_slice()) {
        output::write_to(None, format.source().text().as_bytes())?;
        return Ok(Outcome::Good);
    }
    let formats: Vec<FormatEntry> = named
        .iter()
        .map(|(name, format)| entry(name, format))
        .collect();
    if args.json {
        output::print_json(&FormatsReport { formats })?;
    } else if args.format.is_some() {
        formats.iter().try_for_each(show)?;
    } else {
        list(&formats)?;
    }
    Ok(Outcome::Good)
}

fn load(name: &str, limits: &Limits) -> Result<ToolFormat, Failure> {
    match FormatSource::of(name) {
        FormatSource::File(path) => {
            let text = read(&path, limits)?;
            let source = Source::new(path.display().to_string(), text);
            Ok(ToolFormat::parse(&source, limits)?)
        }
        _ => ToolFormat::named(name, limits)?.ok_or_else(|| {
            let way_out = match similar::closest(name, ToolFormat::names()) {
                Some(close) => format!("did you mean `{close}`?"),
                None => "`maskwright formats` lists them".to_owned(),
            };
            Failure::Usage(format!("there is no format `{name}`; {way_out}"))
        }),
    }
}

fn read(path: &Path, limits: &Limits) -> Result<String, Failure> {
    let content = file::read_any(path, file::most_of_grammar(limits));
    content.and_then(file::text).map_err(Failure::file(path))
}

fn entry(name: &str, format: &ToolFormat) -> FormatEntry {
    FormatEntry {
        name: name.to_owned(),
        aliases: format.aliases().to_vec(),
        about: format.about().to_owned(),
        arguments: format.arguments().name(),
        reasoning: format.has_reasoning(),
        opened_by: format.opened_by().map(OpenedBy::name),
        stop_tokens: format.stop_tokens().to_vec(),
        example: format.example(),
    }
}

fn list(formats: &[FormatEntry]) -> Result<(), Failure> {
    let names = formats.iter().map(|format| format.name.len());
    let width = names.max().unwrap_or(0);
    for format in formats {
        let FormatEntry {
            name,
            aliases,
            about,
            ..
        } = format;
        let aliases = match aliases.as_slice() {
            [] => String::new(),
            aliases => format!(" (also `{}`)", aliases.join("`, `")),
        };
        output::print_line(&format!("{name:width$}  {about}{aliases}"))?;
    }
    Ok(())
}

fn show(format: &FormatEntry) -> Result<(), Failure> {
    let reasoning = match format.opened_by {
        None => "no",
        Some("prompt") => "yes, opened by the prompt",
        Some("model") => "yes, opened by the model",
        Some(_) => "yes, opened by the prompt or by the model",
    };
    let mut lines = vec![
        format!("{}: {}", format.name, format.about),
        format!("arguments: {}", format.arguments),
        format!("reasoning: {reasoning}"),
    ];
    if !format.stop_tokens.is_empty() {
        let stop = format.stop_tokens.join(" ");
        lines.push(format!("the model stops after: {stop}"));
    }
    lines.push(format!("\na call:\n{}", format.example));
    output::print_line(&lines.join("\n"))
}
