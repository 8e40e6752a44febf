//! Structural tags read slowly: which texts, and which strings of tokens, a format takes, straight
//! from its JSON.
//!
//! In: a format, and a text or tokens. Out: whether it takes them. No automaton, no grammar,
//! nothing of the compiler's: free text is tried character by character, and at each one every
//! delimiter is compared with what the text ends with.
//!
//! ```text
//! ends(format, i, around) = all j such that text[i..j] is a text of the format, with one of the exits behind it if there are some
//! ```
//!
//! - `written`: what is read, character by character or token by token;
//! - `free`: free text of characters and of tokens;
//! - [`opaque`]: schemas, grammars and patterns.

mod free;
pub mod opaque;
mod written;

pub use written::{Delimiter, TagSymbol, WrittenTokens};

use free::Free;
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;
use written::Written;

type Ends = BTreeSet<usize>;

/// Whether `text` is a text of `format`.
pub fn accepts(format: &Value, text: &str) -> bool {
    accepts_written(format, Written::text(text), &WrittenTokens::default())
}

/// Whether these tokens are a text of `format`, each as it can be read: as its text, if the format
/// does not name it, or as a token.
pub fn accepts_tokens(format: &Value, ids: &[u32], tokens: &WrittenTokens) -> bool {
    let mut named = BTreeSet::new();
    tokens.named(format, &mut named);
    accepts_written(format, Written::tokens(ids, tokens, &named), tokens)
}

fn accepts_written(format: &Value, text: Written, tokens: &WrittenTokens) -> bool {
    let len = text.len();
    let reader = TagReader { text, tokens };
    reader.ends(format, 0, &Around::default()).contains(&len)
}

/// An end that comes right behind a format, and the ends of which one comes behind that.
#[derive(Clone)]
struct Exit {
    end: Delimiter,
    after: Rc<Vec<Exit>>,
}

#[derive(Clone, Default)]
struct Around {
    exits: Rc<Vec<Exit>>,
    forbidden: Vec<Delimiter>,
}

impl Around {
    fn inner(&self) -> Around {
        let exits = self.exits.iter().map(|exit| exit.end.clone());
        Around {
            exits: Rc::default(),
            forbidden: self.forbidden.iter().cloned().chain(exits).collect(),
        }
    }
}

/// What a delimiter does.
#[derive(Clone)]
enum Then<'f> {
    Never,
    /// One of these ends, if there are some.
    Exit(Rc<Vec<Exit>>),
    /// The format; then free text again, or nothing.
    Format(&'f Value),
    /// These symbols of a begin, and the rest of its tag; then free text again, or nothing.
    Tag(Vec<TagSymbol>, &'f Value),
}

struct TagReader<'t> {
    text: Written,
    tokens: &'t WrittenTokens,
}

fn list<'f>(format: &'f Value, name: &str) -> &'f [Value] {
    format[name].as_array().map_or(&[], Vec::as_slice)
}

fn flag(format: &Value, name: &str) -> bool {
    format[name].as_bool().unwrap_or(false)
}

impl TagReader<'_> {
    /// Behind a delimiter at `at`.
    fn delimiter(&self, at: usize, delimiter: &Delimiter) -> Option<usize> {
        self.text.behind(at, &self.tokens.words(delimiter).0)
    }

    /// Behind a constant text at `at`.
    fn constant(&self, at: usize, text: &Value) -> Option<usize> {
        let text = text.as_str().unwrap_or_default();
        self.text.behind(at, &self.tokens.symbols(text))
    }

    /// Behind a token at `at` that `is_one`.
    fn token(&self, at: usize, is_one: impl Fn(u32) -> bool) -> Option<usize> {
        let (id, behind) = self.text.token(at)?;
        is_one(id).then_some(behind)
    }

    /// Behind each text at `at` of a content that is opaque.
    fn opaque(&self, at: usize, takes: fn(&str) -> bool) -> Ends {
        let (mut found, mut read, mut at) = (Ends::new(), String::new(), at);
        loop {
            if takes(&read) {
                found.insert(at);
            }
            let Some((c, behind)) = self.text.char(at) else {
                return found;
            };
            read.push(c);
            at = behind;
        }
    }

    /// Behind one of the exits at `at` and what follows it; `at` if there are none.
    fn exits(&self, at: usize, exits: &[Exit]) -> Ends {
        if exits.is_empty() {
            return Ends::from([at]);
        }
        let here = exits.iter().filter_map(|exit| {
            let behind = self.delimiter(at, &exit.end)?;
            Some(self.exits(behind, &exit.after))
        });
        here.flatten().collect()
    }

    fn all_from(&self, starts: &Ends, next: impl Fn(usize) -> Ends) -> Ends {
        starts.iter().flat_map(|&at| next(at)).collect()
    }

    fn ends(&self, format: &Value, at: usize, around: &Around) -> Ends {
        let exits = |at| self.exits(at, &around.exits);
        match format["type"].as_str().unwrap_or_default() {
            "const_string" => {
                let behind = self.constant(at, &format["value"]);
                behind.map_or_else(Ends::new, exits)
            }
            "any_text" => {
                let mut free = Free::new(self.delimiters(format, around), false);
                let most = |name: &str| {
                    format[name]
                        .as_u64()
                        .map_or(usize::MAX, |most| most as usize)
                };
                (free.most, free.most_tokens) = (most("max_chars"), most("max_tokens"));
                self.free(at, &free, around)
            }
            "token" => {
                let token = self.tokens.id(&format["token"]);
                let behind = self.token(at, |id| id == token);
                behind.map_or_else(Ends::new, exits)
            }
            "exclude_token" => {
                let never = self.excluded(format, around);
                let behind = self.token(at, |id| self.tokens.is_any(id) && !never.contains(&id));
                behind.map_or_else(Ends::new, exits)
            }
            "any_tokens" | "token_triggered_tags" | "token_dispatch" => {
                self.of_tokens(format, at, around)
            }
            "json_schema" | "grammar" | "regex" => {
                let takes = opaque::find(format).expect("the oracle reads this content");
                self.all_from(&self.opaque(at, takes), exits)
            }
            "sequence" => {
                let parts = list(format, "elements");
                let mut starts = Ends::from([at]);
                for (index, part) in parts.iter().enumerate() {
                    let around = match index + 1 == parts.len() {
                        true => around.clone(),
                        false => around.inner(),
                    };
                    starts = self.all_from(&starts, |at| self.ends(part, at, &around));
                }
                starts
            }
            "or" => list(format, "elements")
                .iter()
                .flat_map(|part| self.ends(part, at, around))
                .collect(),
            "optional" => self.repeat(format, at, around, 0, Some(1)),
            "star" => self.repeat(format, at, around, 0, None),
            "plus" => self.repeat(format, at, around, 1, None),
            "repeat" => {
                let max = format["max"]
                    .as_i64()
                    .and_then(|max| usize::try_from(max).ok());
                self.repeat(
                    format,
                    at,
                    around,
                    format["min"].as_u64().unwrap_or(0) as usize,
                    max,
                )
            }
            "tag" => self.tag(format, at, around),
            "tags_with_separator" => self.separated(format, at, around),
            "triggered_tags" => self.triggered(format, at, around),
            "dispatch" => {
                let mut delimiters = self.delimiters(format, around);
                for rule in list(format, "rules") {
                    let trigger = self.tokens.delimiter(&rule[0]);
                    delimiters.push((trigger, Then::Format(&rule[1])));
                }
                let again = format["loop"].as_bool().unwrap_or(true);
                self.free(at, &Free::new(delimiters, again), around)
            }
            other => panic!("unknown format {other}"),
        }
    }

    fn repeat(
        &self,
        format: &Value,
        at: usize,
        around: &Around,
        min: usize,
        max: Option<usize>,
    ) -> Ends {
        let content = &format["content"];
        let inner = around.inner();
        let mut found = Ends::new();
        if min == 0 {
            found.extend(self.exits(at, &around.exits));
        }
        // Where some number of times is over, by that number as far as it matters.
        let mut starts = Ends::from([at]);
        let mut seen = BTreeSet::new();
        let mut times = 1;
        while max.is_none_or(|max| times <= max) && !starts.is_empty() {
            if times >= min {
                found.extend(self.all_from(&starts, |at| self.ends(content, at, around)));
                // With the same starts again, all that follows is as before.
                if !seen.insert(starts.clone()) {
                    break;
                }
            }
            starts = self.all_from(&starts, |at| self.ends(content, at, &inner));
            times += 1;
        }
        found
    }

    fn tag(&self, tag: &Value, at: usize, around: &Around) -> Ends {
        let begin = self.tokens.delimiter(&tag["begin"]);
        let behind = self.delimiter(at, &begin);
        behind.map_or_else(Ends::new, |at| self.body(tag, at, around))
    }

    /// A tag behind its begin.
    fn body(&self, tag: &Value, at: usize, around: &Around) -> Ends {
        let is_empty = |end: &Delimiter| *end == Delimiter::Text(String::new());
        let ends: Vec<Delimiter> = match &tag["end"] {
            Value::Array(ends) => ends.iter().map(|end| self.tokens.delimiter(end)).collect(),
            end => vec![self.tokens.delimiter(end)],
        };
        let own = ends.iter().filter(|end| !is_empty(end)).map(|end| Exit {
            end: end.clone(),
            after: around.exits.clone(),
        });
        let own: Vec<Exit> = own.collect();
        let anywhere = own.len() < ends.len();
        let mut exits = own.clone();
        if anywhere {
            exits.extend(around.exits.iter().cloned());
        }
        let inner = Around {
            exits: Rc::new(exits),
            forbidden: around.inner().forbidden,
        };
        let content = &tag["content"];
        let mut found = Ends::new();
        if anywhere && around.exits.is_empty() {
            found.extend(self.ends(content, at, &inner.inner()));
        }
        if !inner.exits.is_empty() {
            found.extend(self.ends(content, at, &inner));
        }
        found
    }

    fn separated(&self, format: &Value, at: usize, around: &Around) -> Ends {
        let tags = list(format, "tags");
        let one = |at, around: &Around| -> Ends {
            tags.iter()
                .flat_map(|tag| self.tag(tag, at, around))
                .collect()
        };
        let mut found = Ends::new();
        if !flag(format, "at_least_one") {
            found.extend(self.exits(at, &around.exits));
        }
        let mut starts = Ends::from([at]);
        let mut done = Ends::new();
        while !starts.is_empty() {
            found.extend(self.all_from(&starts, |at| one(at, around)));
            done.extend(&starts);
            if flag(format, "stop_after_first") {
                break;
            }
            let behind = self.all_from(&starts, |at| one(at, &around.inner()));
            let behind = behind.into_iter();
            starts = behind
                .filter_map(|at| self.constant(at, &format["separator"]))
                .filter(|at| !done.contains(at))
                .collect();
        }
        found
    }
}
