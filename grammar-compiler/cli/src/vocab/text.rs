//! The report on a vocabulary as lines of text.

use super::{Longest, Named, Text, VocabReport, VocabToken};
use crate::diagnostic::DiagnosticEntry;
use crate::failure::Failure;
use crate::output::{self, quoted};
use maskwright_compiler::vocabulary::{FileKind, Vocabulary};

/// At most so many special and added tokens are printed; `--json` has all.
const MAX_NAMED: usize = 12;

/// Prints the report, or only the tokens and texts that were asked for.
pub fn print(
    report: &VocabReport,
    vocabulary: &Vocabulary,
    kind: Option<FileKind>,
) -> Result<(), Failure> {
    for warning in DiagnosticEntry::shown(&report.warnings) {
        output::print_line(&format!("{warning}\n"))?;
    }
    if report.ids.is_empty() && report.texts.is_empty() {
        return print_whole(report, vocabulary, kind);
    }
    for token in &report.ids {
        output::print_line(&described(token))?;
    }
    let mut lines = report.texts.iter().flat_map(|text| found(text, vocabulary));
    lines.try_for_each(|line| output::print_line(&line))
}

fn print_whole(
    report: &VocabReport,
    vocabulary: &Vocabulary,
    kind: Option<FileKind>,
) -> Result<(), Failure> {
    let mut lines = vec![format!("{:<10} {} ids", report.vocabulary, report.size)];
    if let Some(kind) = kind {
        lines.push(format!("{:<10} {}", "read as", kind.name()));
    }
    lines.push(format!("{:<10} {} tokens of text", "text", report.tokens));
    if let Some(Longest { id, bytes }) = report.longest {
        let shown = shortened(vocabulary.bytes(id));
        let bytes = output::count(bytes, "byte");
        lines.push(format!("{:<10} {bytes}: {id}  {shown}", "longest"));
    }
    for (what, tokens) in [
        ("end", &report.eos),
        ("special", &report.special),
        ("added", &report.added),
    ] {
        lines.push(format!("{what:<10} {}", listed(tokens)));
    }
    lines.push(format!("{:<10} {} ids", "unused", report.unused));
    let single = match report.single_bytes {
        256 => "all 256 are tokens".to_owned(),
        some => format!("{some} of 256 are tokens"),
    };
    lines.push(format!("{:<10} {single}", "bytes"));
    let none = ranges(&report.bytes_in_no_token);
    lines.push(format!("{:<10} {none}", "unspelled"));
    if !report.bytes_in_longer_tokens_only.is_empty() {
        let only = ranges(&report.bytes_in_longer_tokens_only);
        lines.push(format!("{:<10} {only}: in longer tokens only", ""));
    }
    lines.push(format!("{:<10} {}", "hash", report.hash));
    lines
        .into_iter()
        .try_for_each(|line| output::print_line(&line))
}

/// The number of tokens and the first of them.
fn listed(tokens: &[Named]) -> String {
    if tokens.is_empty() {
        return "none".to_owned();
    }
    let first: Vec<String> = tokens.iter().take(MAX_NAMED).map(named).collect();
    let more = match tokens.len() - first.len() {
        0 => String::new(),
        more => format!(", and {more} more, which `--json` lists"),
    };
    format!("{}: {}{more}", tokens.len(), first.join(", "))
}

fn named(token: &Named) -> String {
    match &token.name {
        Some(name) => format!("{} {}", token.id, quoted(name.as_bytes())),
        None => token.id.to_string(),
    }
}

fn described(token: &VocabToken) -> String {
    let id = token.id;
    let name = token.name.as_ref().map(|name| quoted(name.as_bytes()));
    let name = name.map(|name| format!(", {name}")).unwrap_or_default();
    match token.kind {
        "text" | "added" => {
            let bytes = output::count(token.bytes.len(), "byte");
            format!("{id:>8}  {}  ({bytes})", quoted(&token.bytes))
        }
        "end" => format!("{id:>8}  (ends a sequence{name})"),
        "special" => format!("{id:>8}  (special{name}: never text)"),
        _ => format!("{id:>8}  (unused: never text)"),
    }
}

/// What there is to say of a text.
fn found(text: &Text, vocabulary: &Vocabulary) -> Vec<String> {
    let shown = quoted(text.text.as_bytes());
    let listed = |ids: &[u32]| {
        let tokens = ids
            .iter()
            .map(|&id| format!("{id} {}", shortened(vocabulary.bytes(id))));
        tokens.collect::<Vec<_>>().join(", ")
    };
    let mut lines = Vec::new();
    match (text.ids.as_slice(), &text.spelling, text.spelled_bytes) {
        (&[id], _, _) => lines.push(format!("{id:>8}  {shown}")),
        ([first, others @ ..], _, _) => {
            let others: Vec<String> = others.iter().map(u32::to_string).collect();
            lines.push(format!("{first:>8}  {shown}, also {}", others.join(", ")));
        }
        ([], Some(ids), _) => {
            let count = output::count(ids.len(), "token");
            lines.push(format!(
                "{shown} is no token; {count} at least: {}",
                listed(ids)
            ));
        }
        ([], None, at) => {
            let at = at.unwrap_or_default();
            let (spelled, rest) = text.text.as_bytes().split_at(at);
            let byte = rest.first().map(|byte| format!("0x{byte:02x}"));
            lines.push(format!(
                "{shown} cannot be spelled: no tokens go on behind {} with the byte {}",
                quoted(spelled),
                byte.unwrap_or_default()
            ));
        }
    }
    if text.longer > 0 {
        let more = text.longer - text.first_longer.len();
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let count = output::count(text.longer, "token");
        let first = listed(&text.first_longer);
        lines.push(format!("          {count} longer: {first}{more}"));
    }
    lines
}

/// The first bytes of a token within quotes.
fn shortened(bytes: &[u8]) -> String {
    const MOST: usize = 40;
    match bytes.get(..MOST) {
        Some(first) if bytes.len() > MOST => format!("{}…", quoted(first)),
        _ => quoted(bytes),
    }
}

/// Bytes as ranges: `0xc0-0xc1, 0xf5`.
fn ranges(bytes: &[u8]) -> String {
    let runs = bytes.chunk_by(|a, b| *a + 1 == *b);
    let shown = runs.filter_map(|run| match run {
        [] => None,
        [only] => Some(format!("0x{only:02x}")),
        [first, .., last] => Some(format!("0x{first:02x}-0x{last:02x}")),
    });
    let shown: Vec<String> = shown.collect();
    match shown.is_empty() {
        true => "no byte".to_owned(),
        false => shown.join(", "),
    }
}
