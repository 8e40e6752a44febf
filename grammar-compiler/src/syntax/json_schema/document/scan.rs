//! One pass over a JSON text that finds where its values lie.
//!
//! In: JSON text. Out: an [`OutlineEntry`] for each value and key, in the order of the text;
//! nothing if [`parse`](super::parse()) would refuse the text, or if a key has an escape.

use super::NESTING;
use crate::limits::Deadline;
use crate::source::first_line;
use xxhash_rust::xxh3::xxh3_64;

/// The place of a value or key.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlineEntry {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The entry behind it and all that it holds.
    pub(super) next: u32,
}

/// The entries of a text.
pub(super) fn scan(text: &str, deadline: &Deadline) -> Option<Vec<OutlineEntry>> {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: first_line(text),
        // Requests have a value or a key in ten bytes or more.
        entries: Vec::with_capacity(text.len() / 10),
        open: Vec::new(),
        keys: Vec::new(),
    };
    scan.root(deadline)?;
    Some(scan.entries)
}

/// An array or object that is not closed yet.
struct OpenValue {
    entry: usize,
    /// Whether it is an object, and where its keys begin among those of all open objects.
    keys: Option<usize>,
}

/// A text that is being read.
struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    entries: Vec<OutlineEntry>,
    open: Vec<OpenValue>,
    /// Hashes of the keys of open objects. Equal keys have equal hashes, so no repeated key is
    /// missed; where different keys have one hash, by chance or because somebody chose them so, the
    /// text is left to the parser, which compares the keys themselves.
    keys: Vec<u64>,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The whole text.
    fn root(&mut self, deadline: &Deadline) -> Option<()> {
        self.skip_blanks();
        let mut before = self.at;
        loop {
            deadline.ticks(1 + self.at - before, "reading JSON").ok()?;
            before = self.at;
            // A value comes next.
            match self.peek()? {
                b'{' | b'[' => {
                    if self.begin()? {
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            // A value has ended.
            loop {
                self.skip_blanks();
                let Some(open) = self.open.last() else {
                    return (self.at == self.bytes.len()).then_some(());
                };
                let is_object = open.keys.is_some();
                if self.eat(b',') {
                    self.skip_blanks();
                    if is_object {
                        self.key()?;
                    }
                    break;
                }
                if !self.eat(if is_object { b'}' } else { b']' }) {
                    return None;
                }
                self.close()?;
            }
        }
    }

    /// Begins an array or object; returns whether it holds something.
    fn begin(&mut self) -> Option<bool> {
        if self.open.len() >= NESTING {
            return None;
        }
        let is_object = self.peek() == Some(b'{');
        let (entry, start) = (self.entries.len(), self.at);
        self.push(start, start);
        self.at += 1;
        self.skip_blanks();
        let keys = is_object.then_some(self.keys.len());
        self.open.push(OpenValue { entry, keys });
        if self.eat(if is_object { b'}' } else { b']' }) {
            self.close()?;
            return Some(false);
        }
        if is_object {
            self.key()?;
        }
        Some(true)
    }

    /// Ends what was opened last.
    fn close(&mut self) -> Option<()> {
        let OpenValue { entry, keys } = self.open.pop()?;
        let next = self.entries.len() as u32;
        let entry = self.entries.get_mut(entry)?;
        entry.end = self.at as u32;
        entry.next = next;
        if let Some(first) = keys {
            let are_apart = are_apart(self.keys.get_mut(first..)?);
            self.keys.truncate(first);
            return are_apart.then_some(());
        }
        Some(())
    }

    fn push(&mut self, start: usize, end: usize) {
        self.entries.push(OutlineEntry {
            start: start as u32,
            end: end as u32,
            next: self.entries.len() as u32 + 1,
        });
    }

    fn key(&mut self) -> Option<()> {
        let start = self.at;
        if self.peek()? != b'"' || self.string()? {
            return None;
        }
        self.keys.push(xxh3_64(self.bytes.get(start..self.at)?));
        self.push(start, self.at);
        self.skip_blanks();
        if !self.eat(b':') {
            return None;
        }
        self.skip_blanks();
        Some(())
    }

    /// A value without parts.
    fn scalar(&mut self) -> Option<()> {
        let start = self.at;
        match self.peek()? {
            b'"' => drop(self.string()?),
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.word(b"true")?,
            b'f' => self.word(b"false")?,
            b'n' => self.word(b"null")?,
            _ => return None,
        }
        self.push(start, self.at);
        Some(())
    }

    /// Takes `word`. The caller checks the byte behind it, as behind every value.
    fn word(&mut self, word: &[u8]) -> Option<()> {
        let is_it = self.bytes.get(self.at..)?.starts_with(word);
        self.at += word.len();
        is_it.then_some(())
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Option<()> {
        self.eat(b'-');
        let first = self.peek()?;
        let whole = self.digits();
        if whole == 0 || (whole > 1 && first == b'0') {
            return None;
        }
        if self.eat(b'.') && self.digits() == 0 {
            return None;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _sign = self.eat(b'+') || self.eat(b'-');
            if self.digits() == 0 {
                return None;
            }
        }
        Some(())
    }

    /// A string; its quote comes next. Returns whether it has escapes.
    fn string(&mut self) -> Option<bool> {
        self.at += 1;
        let mut escapes = false;
        loop {
            self.at += plain(self.bytes.get(self.at..)?);
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(escapes);
                }
                b'\\' => self.escape()?,
                _ => return None,
            }
            escapes = true;
        }
    }

    /// An escape; its backslash comes next.
    fn escape(&mut self) -> Option<()> {
        let kind = *self.bytes.get(self.at + 1)?;
        self.at += 2;
        match kind {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => return Some(()),
            b'u' => {}
            _ => return None,
        }
        match self.hex()? {
            0xD800..0xDC00 => {
                let is_pair = self.eat(b'\\') && self.eat(b'u');
                let low = self.hex().filter(|_| is_pair)?;
                (0xDC00..0xE000).contains(&low).then_some(())
            }
            0xDC00..0xE000 => None,
            _ => Some(()),
        }
    }

    /// Four hexadecimal digits.
    fn hex(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.iter().try_fold(0, |number, &digit| {
            Some(number << 4 | char::from(digit).to_digit(16)?)
        })
    }
}

/// How many bytes come before the first that ends a string, begins an escape or is a control
/// character.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The top bit of each byte that is less than `than`. Bytes above the first such one may
        // have it wrongly.
        let less = |word: u64, than: u64| word.wrapping_sub(ONES * than) & !word & TOPS;
        let is = |byte: u8| less(word ^ (ONES * u64::from(byte)), 1);
        let found = less(word, 0x20) | is(b'"') | is(b'\\');
        if found != 0 {
            return at * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |&byte: &u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    let behind = rest.iter().position(is_special).unwrap_or(rest.len());
    words.len() * 8 + behind
}

/// Whether no two hashes are equal.
fn are_apart(hashes: &mut [u64]) -> bool {
    /// Up to this number, each hash is compared with each other.
    const FEW: usize = 12;
    if hashes.len() > FEW {
        hashes.sort_unstable();
        return hashes.windows(2).all(|pair| pair[0] != pair[1]);
    }
    let mut behind = &*hashes;
    while let Some((first, rest)) = behind.split_first() {
        if rest.contains(first) {
            return false;
        }
        behind = rest;
    }
    true
}
