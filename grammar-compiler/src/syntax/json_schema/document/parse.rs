//! Values, arrays, objects and what stands between them. Open brackets are kept in a list, not on
//! the machine's stack.

use super::message::{self, Expected};
use super::reader::TextReader;
use super::{JsonNode, JsonValue, Member, NESTING};
use crate::error::Diagnostic;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::KeyedMap;
use crate::source::{Source, Span, first_line};

/// The steps that a value takes, beside those for its characters.
const VALUE_STEPS: usize = 8;

/// Keys of an object from which on they are noted, so that one that stands twice is found at once.
const MANY_KEYS: usize = 16;

/// Reads a JSON text.
///
/// # Errors
/// A text that is not JSON, has a key twice in an object, nests deeper than [`NESTING`] or is
/// longer than `limits` allow; if the deadline passes.
pub fn parse(source: &Source, limits: &Limits) -> Result<JsonNode, Diagnostic> {
    parse_within(source, Span::new(0, source.text().len()), limits)
}

/// Reads the JSON text at `place`; places of its nodes are those in the whole source.
///
/// # Errors
/// As [`parse`].
pub fn parse_within(source: &Source, place: Span, limits: &Limits) -> Result<JsonNode, Diagnostic> {
    let text = source.text().get(..place.end).unwrap_or(source.text());
    let bytes = text.len().saturating_sub(place.start);
    if bytes > limits.grammar_bytes {
        return Err(Diagnostic::from(&LimitExceeded::new(
            "grammar_bytes",
            limits.grammar_bytes,
            format!("the text has {bytes} bytes"),
        )));
    }
    // A byte order mark may be passed over (RFC 8259, section 8.1).
    let at = place.start.max(first_line(text));
    let mut reader = TextReader { text, at };
    reader.skip_blanks();
    let root = reader.root(&Deadline::start(limits))?;
    reader.skip_blanks();
    match reader.peek() {
        None => Ok(root),
        Some(_) => Err(message::after_the_value(&reader, root.span)),
    }
}

/// An array or object that is not closed yet.
struct Container {
    /// Its bracket.
    open: Span,
    content: OpenContent,
}

enum OpenContent {
    Array(Vec<JsonNode>),
    Object {
        members: Vec<Member>,
        /// The keys, once they are many.
        keys: KeyedMap<String, Span>,
        /// The key whose value comes next.
        key: (String, Span),
    },
}

impl Container {
    fn bracket(&self) -> u8 {
        match self.content {
            OpenContent::Array(_) => b']',
            OpenContent::Object { .. } => b'}',
        }
    }

    fn add(&mut self, value: JsonNode) {
        match &mut self.content {
            OpenContent::Array(items) => items.push(value),
            OpenContent::Object { members, key, .. } => {
                let (key, span) = std::mem::take(key);
                members.push(Member { key, span, value });
            }
        }
    }

    fn close(self, end: usize) -> JsonNode {
        let value = match self.content {
            OpenContent::Array(items) => JsonValue::Array(items),
            OpenContent::Object { members, .. } => JsonValue::Object(members),
        };
        let span = Span::new(self.open.start, end);
        JsonNode { value, span }
    }
}

/// Where the same key stands before. Few keys are looked at one by one.
fn first_of(
    (key, span): &(String, Span),
    members: &[Member],
    keys: &mut KeyedMap<String, Span>,
) -> Option<Span> {
    if members.len() < MANY_KEYS {
        let mut members = members.iter();
        return members
            .find(|member| member.key == *key)
            .map(|member| member.span);
    }
    if keys.is_empty() {
        let noted = members
            .iter()
            .map(|member| (member.key.clone(), member.span));
        keys.extend(noted);
    }
    keys.insert(key.clone(), *span)
}

impl TextReader<'_> {
    /// The value that is the whole text.
    fn root(&mut self, deadline: &Deadline) -> Result<JsonNode, Diagnostic> {
        let mut containers: Vec<Container> = Vec::new();
        let mut expected = Expected::Root;
        let mut before = self.at;
        loop {
            // A value is made of several steps, whatever its length.
            let steps = VALUE_STEPS + self.at.saturating_sub(before);
            let in_time = deadline.ticks(steps, "reading JSON");
            in_time.map_err(|limit| Diagnostic::from(&limit))?;
            before = self.at;
            let mut value = if matches!(self.peek(), Some(b'{' | b'[')) {
                let mut container = self.open(containers.len())?;
                if self.eat(container.bracket()) {
                    container.close(self.at)
                } else {
                    expected = self.element(&mut container, None)?;
                    containers.push(container);
                    continue;
                }
            } else {
                self.scalar(expected)?
            };
            expected = loop {
                let Some(mut container) = containers.pop() else {
                    return Ok(value);
                };
                container.add(value);
                self.skip_blanks();
                let comma = Span::new(self.at, self.at + 1);
                if self.eat(b',') {
                    let expected = self.element(&mut container, Some(comma))?;
                    containers.push(container);
                    break expected;
                } else if self.eat(container.bracket()) {
                    value = container.close(self.at);
                } else {
                    return Err(message::no_comma(self, container.open, container.bracket()));
                }
            };
        }
    }

    /// A value without parts.
    fn scalar(&mut self, expected: Expected) -> Result<JsonNode, Diagnostic> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'"') => JsonValue::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => JsonValue::Number(self.number()?),
            _ => self.word(expected)?,
        };
        let span = Span::new(start, self.at);
        Ok(JsonNode { value, span })
    }

    /// `null`, `true`, `false`.
    fn word(&mut self, expected: Expected) -> Result<JsonValue, Diagnostic> {
        let word = message::word(self.rest());
        let value = match word {
            "null" => JsonValue::Null,
            "true" => JsonValue::Bool(true),
            "false" => JsonValue::Bool(false),
            _ => return Err(message::no_value(self, expected)),
        };
        self.at += word.len();
        Ok(value)
    }

    /// Reads a bracket that opens an array or object, the `depth`-th.
    fn open(&mut self, depth: usize) -> Result<Container, Diagnostic> {
        let open = Span::new(self.at, self.at + 1);
        if depth >= NESTING {
            return Err(message::too_deep(open));
        }
        let content = match self.peek() {
            Some(b'[') => OpenContent::Array(Vec::new()),
            _ => OpenContent::Object {
                members: Vec::new(),
                keys: KeyedMap::default(),
                key: Default::default(),
            },
        };
        self.at += 1;
        self.skip_blanks();
        Ok(Container { open, content })
    }

    /// Reads what stands before a value in `container`: in an object the key and the colon.
    fn element(
        &mut self,
        container: &mut Container,
        comma: Option<Span>,
    ) -> Result<Expected, Diagnostic> {
        self.skip_blanks();
        let open = container.open;
        match &mut container.content {
            OpenContent::Array(_) => Ok(match comma {
                None => Expected::FirstItem(open),
                Some(comma) => Expected::Item(open, comma),
            }),
            OpenContent::Object { members, keys, key } => {
                *key = self.key(open, comma)?;
                match first_of(key, members, keys) {
                    Some(first) => Err(message::duplicate_key(&key.0, key.1, first)),
                    None => Ok(Expected::Member(key.1)),
                }
            }
        }
    }

    fn key(&mut self, open: Span, comma: Option<Span>) -> Result<(String, Span), Diagnostic> {
        if self.peek() != Some(b'"') {
            return Err(message::no_key(self, open, comma));
        }
        let start = self.at;
        let key = self.string()?;
        let span = Span::new(start, self.at);
        self.skip_blanks();
        if !self.eat(b':') {
            return Err(message::no_colon(self, span));
        }
        self.skip_blanks();
        Ok((key, span))
    }
}
