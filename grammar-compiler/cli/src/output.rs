//! Standard output: JSON objects, and bytes made readable.

use crate::diagnostic::DiagnosticEntry;
use crate::failure::Failure;
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// When to draw in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Where something is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// What `--color` says; set once, before anything is printed.
static COLOUR: OnceLock<Colour> = OnceLock::new();

/// Sets what `--color` says.
pub fn set_colour(colour: Colour) {
    COLOUR.get_or_init(|| colour);
}

/// Whether to draw in colour on `stream`.
pub fn colour(stream: Stream) -> bool {
    let given = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let plain = || given("NO_COLOR") || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let terminal = || match stream {
        Stream::Out => std::io::stdout().is_terminal(),
        Stream::Err => std::io::stderr().is_terminal(),
    };
    match COLOUR.get() {
        Some(Colour::Always) => true,
        Some(Colour::Never) => false,
        Some(Colour::Auto) | None => terminal() && !plain(),
    }
}

/// Prints one JSON object on a line of its own.
pub fn print_json(object: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(object).map_err(|error| stdout_failure(error.into()))?;
    print_line(&text)
}

/// A grammar that was refused, as tools read it.
#[derive(Serialize)]
struct Refused {
    ok: bool,
    errors: Vec<DiagnosticEntry>,
    warnings: Vec<DiagnosticEntry>,
}

/// The same failure, printed as one JSON object where `json` says so and a grammar is at fault.
/// Standard error shows it as well.
pub fn for_tools(json: bool) -> impl Fn(Failure) -> Failure {
    move |failure| {
        if let (true, Failure::Grammar(error)) = (json, &failure) {
            let (errors, warnings) = DiagnosticEntry::of_error(error, false);
            // The failure itself ends the command.
            let _ = print_json(&Refused {
                ok: false,
                errors,
                warnings,
            });
        }
        failure
    }
}

/// Prints a line; a reader that has gone away is no failure.
pub fn print_line(text: &str) -> Result<(), Failure> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(stdout_failure(error)),
        _ => Ok(()),
    }
}

/// Writes a file, or standard output where there is no path.
pub fn write_to(path: Option<&Path>, content: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) => std::fs::write(path, content).map_err(Failure::file(path)),
        None => std::io::stdout()
            .lock()
            .write_all(content)
            .map_err(stdout_failure),
    }
}

fn stdout_failure(error: std::io::Error) -> Failure {
    Failure::File("standard output".into(), error)
}

/// To a thousandth of a millisecond.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// So many of what `one` is the name of one of, whose plural ends in `s`.
pub fn count(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

/// Bytes as text: UTF-8 as it is, other bytes as `\xHH`.
pub fn text(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    out
}

/// Bytes as text within quotes: control characters, quotes and backslashes escaped as well.
pub fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                c if c.is_control() => out.extend(c.escape_default()),
                c => out.push(c),
            }
        }
        out.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    out.push('"');
    out
}
