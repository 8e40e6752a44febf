//! The definition of `max_tokens`, read slowly: the texts of a tag with a limit, token by token.

use serde_json::{Value, json};

/// What begins or ends a tag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    Text(&'static str),
    Token(u32),
}

use Mark::{Text, Token};

impl Mark {
    /// Whether it is the beginning of another one.
    pub fn begins(self, other: Mark) -> bool {
        match (self, other) {
            (Text(one), Text(other)) => other.starts_with(one),
            _ => self == other,
        }
    }
}

pub const OPEN: u32 = 1000;

pub const CLOSE: u32 = 1001;

/// Any number of tags with free text in them.
#[derive(Clone, Debug)]
pub struct Tags {
    pub begin: Mark,
    pub ends: Vec<Mark>,
    pub excludes: Vec<&'static str>,
    pub most: u16,
}

impl Tags {
    pub fn json(&self, names: &dyn Fn(u32) -> u32) -> Value {
        let mark = |mark: &Mark| match mark {
            Text(text) => json!(text),
            Token(id) => json!({"type": "token", "token": names(*id)}),
        };
        let content = json!({
            "type": "any_text", "max_tokens": self.most, "excludes": self.excludes,
        });
        let tag = json!({
            "type": "tag", "begin": mark(&self.begin), "content": content,
            "end": self.ends.iter().map(mark).collect::<Vec<_>>(),
        });
        json!({"type": "structural_tag", "format": {"type": "star", "content": tag}})
    }
}

/// A token: bytes, or a special one.
#[derive(Clone, Copy, Debug)]
pub enum Written<'t> {
    Bytes(&'t [u8]),
    Special(u32),
}

/// Where a text stands, by the definition.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Between two tags, or in a begin.
    Between(usize),
    /// In free text.
    Within {
        text: Vec<u8>,
        /// The tokens that ended in it.
        tokens: u16,
        /// Once it has had its tokens, the characters that it then had, one that is not whole
        /// included.
        closed: Option<usize>,
    },
}

/// The characters that begin in some bytes.
pub fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// Whether some bytes are the beginning of UTF-8.
pub fn is_text(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

impl Tags {
    pub fn entered(&self) -> Place {
        Place::Within {
            text: Vec::new(),
            tokens: 0,
            closed: (self.most == 0).then_some(0),
        }
    }

    pub fn byte(&self, place: &Place, byte: u8) -> Option<Place> {
        match place {
            Place::Between(at) => {
                let Text(begin) = self.begin else { return None };
                let is_next = begin.as_bytes().get(*at) == Some(&byte);
                is_next.then(|| match at + 1 == begin.len() {
                    true => self.entered(),
                    false => Place::Between(at + 1),
                })
            }
            Place::Within {
                text,
                tokens,
                closed,
            } => {
                let mut text = text.clone();
                text.push(byte);
                if !is_text(&text) {
                    return None;
                }
                let has = |word: &str| text.ends_with(word.as_bytes());
                let ends = self.ends.iter().filter_map(|end| match end {
                    Text(end) if has(end) => Some(end.len()),
                    _ => None,
                });
                if let Some(end) = ends.max() {
                    let before = characters(&text[..text.len() - end]);
                    let is_short = closed.is_none_or(|most| before <= most);
                    return is_short.then_some(Place::Between(0));
                }
                if self.excludes.iter().any(|word| has(word)) {
                    return None;
                }
                Some(Place::Within {
                    text,
                    tokens: *tokens,
                    closed: *closed,
                })
            }
        }
    }

    pub fn special(&self, place: &Place, id: u32) -> Option<Place> {
        match place {
            Place::Between(0) => (self.begin == Token(id)).then(|| self.entered()),
            Place::Between(_) => None,
            Place::Within { text, closed, .. } => {
                let is_whole = std::str::from_utf8(text).is_ok();
                let is_short = closed.is_none_or(|most| characters(text) <= most);
                let is_end = self.ends.contains(&Token(id));
                (is_whole && is_short && is_end).then_some(Place::Between(0))
            }
        }
    }

    pub fn token(&self, place: &Place, token: Written<'_>) -> Option<Place> {
        let mut at = place.clone();
        let mut has_left = false;
        match token {
            Written::Special(id) => at = self.special(place, id)?,
            Written::Bytes([]) => return None,
            Written::Bytes(bytes) => {
                for &byte in bytes {
                    at = self.byte(&at, byte)?;
                    has_left |= matches!(at, Place::Between(_));
                }
            }
        }
        if let Place::Within {
            text,
            tokens,
            closed: closed @ None,
        } = &mut at
            && !text.is_empty()
        {
            *tokens = match has_left {
                true => 1,
                false => *tokens + 1,
            };
            if *tokens >= self.most {
                *closed = Some(characters(text));
            }
        }
        self.can_end(&at, 0).then_some(at)
    }

    /// Whether some bytes or a token lead out of a text.
    pub fn can_end(&self, place: &Place, depth: usize) -> bool {
        let Place::Within {
            text,
            closed: Some(_),
            ..
        } = place
        else {
            return true;
        };
        let rest = |bytes: &[u8]| {
            let mut place = place.clone();
            bytes.iter().all(|&byte| match self.byte(&place, byte) {
                Some(next) => {
                    place = next;
                    true
                }
                None => false,
            }) && matches!(place, Place::Between(_))
        };
        let by_end = self.ends.iter().any(|end| match end {
            Token(id) => self.special(place, *id).is_some(),
            Text(end) => {
                let end = end.as_bytes();
                (0..end.len()).any(|done| text.ends_with(&end[..done]) && rest(&end[done..]))
            }
        });
        let is_whole = std::str::from_utf8(text).is_ok();
        by_end
            || !is_whole
                && depth < 3
                && [0x80, 0x82, 0x90, 0xA0, 0xA9, 0xAC, 0xBF]
                    .into_iter()
                    .filter_map(|byte| self.byte(place, byte))
                    .any(|next| self.can_end(&next, depth + 1))
    }
}
