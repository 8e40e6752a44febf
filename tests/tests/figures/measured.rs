//! Figures where they are at home: the cells of the tables in files of results.
//!
//! In: the text of such a file. Out: [`Cell`]s, each with its value in a base unit and the words
//! that name it: those of the file, of the heading above, of its row, of its column, and of the
//! table's first cell. A unit is written in the cell, in the head of its column, or in the head of
//! the first column for all.

/// A value in its base unit: seconds, bytes, or a plain number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    pub number: f64,
    pub dimension: Dimension,
    /// Half a unit of the last digit that is written: how far the figure behind it may be away.
    pub tolerance: f64,
}

/// What a value is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    Time,
    Bytes,
    Plain,
}

/// Units and what they are worth in base units.
const UNITS: [(&str, Dimension, f64); 12] = [
    ("ns", Dimension::Time, 1e-9),
    ("nanoseconds", Dimension::Time, 1e-9),
    ("µs", Dimension::Time, 1e-6),
    ("microseconds", Dimension::Time, 1e-6),
    ("ms", Dimension::Time, 1e-3),
    ("milliseconds", Dimension::Time, 1e-3),
    ("s", Dimension::Time, 1.0),
    ("bytes", Dimension::Bytes, 1.0),
    ("KB", Dimension::Bytes, 1e3),
    ("MB", Dimension::Bytes, 1e6),
    ("GB", Dimension::Bytes, 1e9),
    ("instructions", Dimension::Plain, 1.0),
];

fn unit(word: &str) -> Option<(Dimension, f64)> {
    let mut units = UNITS.iter();
    let known = units.find(|known| known.0.eq_ignore_ascii_case(word));
    known.map(|&(_, dimension, worth)| (dimension, worth))
}

impl Value {
    /// The value that a text begins with, such as `45,476 bytes`, `**2.8 ms**` or `0.37`; a unit
    /// behind the number counts before `otherwise`.
    pub fn read(text: &str, otherwise: Option<(Dimension, f64)>) -> Option<Self> {
        let text = text.trim().trim_start_matches('*');
        let end = text.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.');
        let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
        let digits = digits.trim_end_matches([',', '.']).replace(',', "");
        let number: f64 = digits.parse().ok()?;
        let decimals = digits.split_once('.').map_or(0, |(_, after)| after.len());
        let word: String = rest
            .trim_start()
            .chars()
            .take_while(|c| c.is_alphabetic())
            .collect();
        let (dimension, worth) = unit(&word).or(otherwise).unwrap_or((Dimension::Plain, 1.0));
        Some(Value {
            number: number * worth,
            dimension,
            tolerance: 0.5 * worth / 10f64.powi(decimals as i32),
        })
    }

    /// Whether this is what `figure` comes to, rounded to as many digits as this has.
    pub fn is_rounded(self, figure: Value) -> bool {
        let slack = 1e-9 * figure.number.abs();
        self.dimension == figure.dimension
            && (self.number - figure.number).abs() <= self.tolerance + slack
    }
}

/// The words of a text: letters, digits, and what joins them in names. What stands in a comment is
/// none.
pub fn words(text: &str) -> Vec<String> {
    let text = text.split_once("<!--").map_or(text, |(before, _)| before);
    let is_part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let words = text.split(|c| !is_part(c));
    let words = words.map(|word| word.trim_matches(['.', '-']).to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

/// The cells of a table's row, if a line is one.
pub fn cells(line: &str) -> Option<Vec<&str>> {
    let line = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(line.split('|').map(str::trim).collect())
}

/// A figure of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    pub value: Value,
    /// What its row is called: the first cell.
    pub row: Vec<String>,
    /// What its column is called.
    pub column: Vec<String>,
    /// All words that name it.
    pub words: Vec<String>,
    /// Where it is, for messages.
    pub place: String,
}

/// The figures of a file that is known by `name`.
pub fn figures(name: &str, path: &str, text: &str) -> Vec<Cell> {
    let mut out = Vec::new();
    let mut heading = "";
    let mut head: Option<Vec<&str>> = None;
    for (at, line) in (1..).zip(text.lines()) {
        let Some(row) = cells(line) else {
            head = None;
            if line.starts_with('#') {
                heading = line;
            }
            continue;
        };
        let Some(head) = &head else {
            head = Some(row);
            continue;
        };
        let unit_of = |text: &str| words(text).iter().find_map(|word| unit(word));
        let of_table = unit_of(head[0]);
        for (column, cell) in row.iter().enumerate().skip(1) {
            let title = head.get(column).copied().unwrap_or("");
            let Some(value) = Value::read(cell, unit_of(title).or(of_table)) else {
                continue;
            };
            let others = row.iter().enumerate().filter(|other| other.0 != column);
            let named = [name, heading, head[0], title];
            let named = named.into_iter().chain(others.map(|other| *other.1));
            out.push(Cell {
                value,
                row: words(row[0]),
                column: words(title),
                words: named.flat_map(words).collect(),
                place: format!("{path}:{at}"),
            });
        }
    }
    out
}
