//! Structural tags read slowly: which texts a format takes, straight from its JSON.
//!
//! In: a format and a text. Out: whether the text is one of the format's. No automaton, no grammar, nothing of the compiler's: free text is tried character by character, and at each one
//! every delimiter is compared with what the text ends with.
//!
//! ```text
//! ends(format, i, around) = all j such that text[i..j] is a text of the format, with one of the exits behind it if there are some
//! ```

use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

type Ends = BTreeSet<usize>;

/// Whether `text` is a text of `format`.
pub fn accepts(format: &Value, text: &str) -> bool {
    let reader = Reader {
        text: text.chars().collect(),
    };
    reader
        .ends(format, 0, &Around::default())
        .contains(&reader.text.len())
}

/// An end that comes right behind a format, and the ends of which one comes behind that.
#[derive(Clone)]
struct Exit {
    end: Vec<char>,
    after: Rc<Vec<Exit>>,
}

#[derive(Clone, Default)]
struct Around {
    exits: Rc<Vec<Exit>>,
    forbidden: Vec<Vec<char>>,
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
    /// The rest of a tag; then free text again, or nothing.
    Tag(&'f Value),
}

struct Reader {
    text: Vec<char>,
}

fn list<'f>(format: &'f Value, name: &str) -> &'f [Value] {
    format[name].as_array().map_or(&[], Vec::as_slice)
}

fn chars(value: &Value) -> Vec<char> {
    value.as_str().unwrap_or_default().chars().collect()
}

fn flag(format: &Value, name: &str) -> bool {
    format[name].as_bool().unwrap_or(false)
}

impl Reader {
    fn starts_with(&self, at: usize, text: &[char]) -> bool {
        self.text
            .get(at..)
            .is_some_and(|rest| rest.starts_with(text))
    }

    /// Behind one of the exits at `at` and what follows it; `at` if there are none.
    fn exits(&self, at: usize, exits: &[Exit]) -> Ends {
        if exits.is_empty() {
            return Ends::from([at]);
        }
        let here = exits.iter().filter(|exit| self.starts_with(at, &exit.end));
        here.flat_map(|exit| self.exits(at + exit.end.len(), &exit.after))
            .collect()
    }

    fn all_from(&self, starts: &Ends, next: impl Fn(usize) -> Ends) -> Ends {
        starts.iter().flat_map(|&at| next(at)).collect()
    }

    fn ends(&self, format: &Value, at: usize, around: &Around) -> Ends {
        let exits = |at| self.exits(at, &around.exits);
        match format["type"].as_str().unwrap_or_default() {
            "const_string" => {
                let value = chars(&format["value"]);
                match self.starts_with(at, &value) {
                    true => exits(at + value.len()),
                    false => Ends::new(),
                }
            }
            "any_text" => {
                let delimiters = self.delimiters(format, around);
                let most = format["max_chars"]
                    .as_u64()
                    .map_or(usize::MAX, |most| most as usize);
                self.free(at, &delimiters, around, false, most)
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
            "tag" => self.tag(format, at, around, 0),
            "tags_with_separator" => self.separated(format, at, around),
            "triggered_tags" => self.triggered(format, at, around),
            "dispatch" => {
                let mut delimiters = self.delimiters(format, around);
                for rule in list(format, "rules") {
                    delimiters.push((chars(&rule[0]), Then::Format(&rule[1])));
                }
                let again = format["loop"].as_bool().unwrap_or(true);
                self.free(at, &delimiters, around, again, usize::MAX)
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

    /// A tag, of whose begin so many characters are read.
    fn tag(&self, tag: &Value, at: usize, around: &Around, read: usize) -> Ends {
        let begin = chars(&tag["begin"]);
        let rest = &begin[read..];
        if !self.starts_with(at, rest) {
            return Ends::new();
        }
        let at = at + rest.len();
        let ends: Vec<Vec<char>> = match &tag["end"] {
            Value::Array(ends) => ends.iter().map(chars).collect(),
            end => vec![chars(end)],
        };
        let own = ends.iter().filter(|end| !end.is_empty()).map(|end| Exit {
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
                .flat_map(|tag| self.tag(tag, at, around, 0))
                .collect()
        };
        let separator = chars(&format["separator"]);
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
            let behind = behind
                .into_iter()
                .filter(|&at| self.starts_with(at, &separator));
            starts = behind
                .map(|at| at + separator.len())
                .filter(|at| !done.contains(at))
                .collect();
        }
        found
    }

    fn triggered(&self, format: &Value, at: usize, around: &Around) -> Ends {
        let tags = list(format, "tags");
        let once = flag(format, "stop_after_first");
        let mut delimiters = self.delimiters(format, around);
        for tag in tags {
            let begin = chars(&tag["begin"]);
            let triggers = list(format, "triggers").iter().map(chars);
            for trigger in triggers.filter(|trigger| begin.starts_with(trigger)) {
                delimiters.push((trigger, Then::Tag(tag)));
            }
        }
        if !flag(format, "at_least_one") {
            return self.free(at, &delimiters, around, !once, usize::MAX);
        }
        let behind = match once {
            true => around.clone(),
            false => around.inner(),
        };
        let first: Ends = tags
            .iter()
            .flat_map(|tag| self.tag(tag, at, &behind, 0))
            .collect();
        match once {
            true => first,
            false => self.all_from(&first, |at| {
                self.free(at, &delimiters, around, true, usize::MAX)
            }),
        }
    }

    /// The delimiters of free text but for its triggers.
    fn delimiters(&self, format: &Value, around: &Around) -> Vec<(Vec<char>, Then<'static>)> {
        let excludes = list(format, "excludes").iter().map(chars);
        let never = excludes.chain(around.forbidden.iter().cloned());
        let never = never.map(|text| (text, Then::Never));
        let exits = around
            .exits
            .iter()
            .map(|exit| (exit.end.clone(), Then::Exit(exit.after.clone())));
        never.chain(exits).collect()
    }

    /// Free text from `at`, and what follows the delimiters in it.
    fn free(
        &self,
        at: usize,
        delimiters: &[(Vec<char>, Then<'_>)],
        around: &Around,
        again: bool,
        most: usize,
    ) -> Ends {
        let mut found = Ends::new();
        let (mut pending, mut done) = (vec![at], Ends::new());
        while let Some(start) = pending.pop() {
            if !done.insert(start) {
                continue;
            }
            for (begin, which) in self.scan(start, delimiters, around, most, &mut found) {
                let (text, then) = &delimiters[which];
                let at = begin + text.len();
                let behind = match again {
                    true => around.inner(),
                    false => around.clone(),
                };
                let ends = match then {
                    Then::Never => Ends::new(),
                    Then::Exit(after) => {
                        found.extend(self.exits(at, after));
                        continue;
                    }
                    Then::Format(format) => self.ends(format, at, &behind),
                    Then::Tag(tag) => self.tag(tag, at, &behind, text.len()),
                };
                match again {
                    true => pending.extend(ends),
                    false => found.extend(ends),
                }
            }
        }
        found
    }

    /// Free text from `start` up to its first delimiter: adds where it may end without one; gives the delimiters that are then complete, with where they begin.
    fn scan(
        &self,
        start: usize,
        delimiters: &[(Vec<char>, Then<'_>)],
        around: &Around,
        most: usize,
        found: &mut Ends,
    ) -> Vec<(usize, usize)> {
        for at in start..=self.text.len() {
            let read = &self.text[start..at];
            let complete = delimiters
                .iter()
                .filter(|(text, _)| !text.is_empty() && read.ends_with(text));
            let Some(longest) = complete.map(|(text, _)| text).max_by_key(|text| text.len()) else {
                if around.exits.is_empty() && read.len() <= most {
                    found.insert(at);
                }
                continue;
            };
            // This one, and those that begin with it and where it begins.
            let begin = at - longest.len();
            if begin - start > most {
                return Vec::new();
            }
            let open = (0..delimiters.len()).filter(|&which| {
                let text = &delimiters[which].0;
                text.starts_with(longest) && self.starts_with(begin, text)
            });
            return open.map(|which| (begin, which)).collect();
        }
        Vec::new()
    }
}
