//! Figures that documents quote.
//!
//! In: the text of a document. Out: [`Quote`]s: each figure that says where it comes from, and
//! [`bare`]: figures that do not.
//!
//! ```text
//! 2.8 ms<!--= results json cl100k_base time -->     the one figure that all of these words name
//! <!--= table peers short -->                       each figure of the table below: by these words, and its row and column
//! 60 s<!-- not measured -->                         no result: a limit, a default, an aim
//! ```

use maskwright_tests::documents::prose;

use super::measured::{Value, cells, words};

/// A figure that a document quotes, and the words that name it.
#[derive(Debug)]
pub struct Quote {
    pub value: Value,
    pub words: Vec<String>,
    /// Of a figure in a quoted table: what its row and column are called, which must be their names
    /// in the results, too.
    pub row_and_column: Option<(Vec<String>, Vec<String>)>,
    pub line: usize,
    pub text: String,
}

/// Where a reference begins.
const BEGIN: &str = "<!--=";
const END: &str = "-->";
/// Marks what looks like a figure and is none.
const NOT_MEASURED: &str = "<!-- not measured -->";
/// Units that make a number look measured. Limits are in MiB and bits.
const UNITS: [&str; 7] = ["ns", "µs", "ms", "s", "KB", "MB", "GB"];

/// The figures that say where they come from; an error for a reference that stands behind no
/// figure.
pub fn quotes(text: &str) -> Result<Vec<Quote>, String> {
    let mut out = Vec::new();
    let mut table: Option<(Vec<String>, Option<Vec<&str>>)> = None;
    for (line, content) in prose(text) {
        if let Some(named) = table_reference(content) {
            table = Some((named, None));
            continue;
        }
        match (&mut table, cells(content)) {
            (Some((named, Some(head))), Some(row)) => out.extend(of_row(named, head, &row, line)),
            (Some((_, head @ None)), Some(row)) => *head = Some(row),
            (Some((_, None)), None) => {}
            _ => table = None,
        }
        let mut rest = content;
        while let Some((before, after)) = rest.split_once(BEGIN) {
            let (named, after) = after
                .split_once(END)
                .ok_or(format!("line {line}: a reference without an end"))?;
            let figure = last_figure(before).ok_or(format!(
                "line {line}: no figure before `{BEGIN}{named}{END}`"
            ))?;
            out.push(Quote {
                value: figure.1,
                words: words(named),
                row_and_column: None,
                line,
                text: figure.0.to_owned(),
            });
            rest = after;
        }
    }
    Ok(out)
}

/// The words of a reference for the whole table below, if a line is one.
fn table_reference(line: &str) -> Option<Vec<String>> {
    let named = line.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
    let named = named.trim().strip_prefix("table ")?;
    Some(words(named))
}

fn of_row(named: &[String], head: &[&str], row: &[&str], line: usize) -> Vec<Quote> {
    let figures = row.iter().zip(head).skip(1);
    let quote = |(cell, title): (&&str, &&str)| {
        Some(Quote {
            value: Value::read(cell, None)?,
            words: named.to_vec(),
            row_and_column: Some((words(row[0]), words(title))),
            line,
            text: format!("{} / {title}: {cell}", row[0]),
        })
    };
    figures.filter_map(quote).collect()
}

/// The figure that a text ends with: a number, and a unit perhaps.
fn last_figure(text: &str) -> Option<(&str, Value)> {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let text = text.trim_end().trim_end_matches('*');
    let unit = text.trim_end_matches(|c: char| c.is_alphabetic());
    let number = unit.trim_end().trim_end_matches(is_digit);
    let figure = text[number.len()..].trim_start_matches([',', '.']);
    Some((figure, Value::read(figure, None)?))
}

/// Figures with a unit that say neither where they come from nor that they are not measured.
pub fn bare(text: &str) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    let mut is_quoted_table = false;
    for (line, content) in prose(text) {
        if table_reference(content).is_some() {
            is_quoted_table = true;
            continue;
        }
        is_quoted_table &= content.trim().is_empty() || cells(content).is_some();
        if is_quoted_table {
            continue;
        }
        let mut start = 0;
        while let Some(found) = content[start..].find(|c: char| c.is_ascii_digit()) {
            let from = start + found;
            let is_digit = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
            let number = content[from..].find(|c| !is_digit(c));
            let end = number.map_or(content.len(), |length| from + length);
            start = end;
            // A number within a name, such as `i8ns`, is none.
            let before = content[..from].chars().next_back();
            let rest = content[end..].strip_prefix(' ').unwrap_or(&content[end..]);
            let word: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            let behind = rest[word.len()..].trim_start_matches('*');
            let is_marked = behind.starts_with(BEGIN) || behind.starts_with(NOT_MEASURED);
            let is_alone = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
            if is_alone && UNITS.contains(&word.as_str()) && !is_marked {
                out.push((line, format!("{} {word}", &content[from..end])));
            }
        }
    }
    out
}
