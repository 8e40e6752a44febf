//! Free text, of characters and of tokens.
//!
//! In: delimiters, and what follows each. Out: where the free text and what follows it can end.
//! What holds: the text ends where the first delimiter is complete; if several are complete at
//! once, with the one that began first. A token is no free text: in free text of characters it is
//! part of a delimiter.

use super::{Around, Delimiter, Ends, TagReader, TagSymbol, Then, flag, list};
use serde_json::Value;

/// Free text that is to be read.
pub(super) struct Free<'f> {
    pub(super) delimiters: Vec<(Delimiter, Then<'f>)>,
    /// Whether free text follows again behind triggers.
    again: bool,
    /// The most characters before a delimiter.
    pub(super) most: usize,
    /// The most tokens that can end in the text.
    pub(super) most_tokens: usize,
}

impl<'f> Free<'f> {
    pub(super) fn new(delimiters: Vec<(Delimiter, Then<'f>)>, again: bool) -> Self {
        Free {
            delimiters,
            again,
            most: usize::MAX,
            most_tokens: usize::MAX,
        }
    }
}

/// A word that is looked for, and what follows it.
struct Word<'a, 'f> {
    symbols: Vec<TagSymbol>,
    then: &'a Then<'f>,
}

impl TagReader<'_> {
    /// The delimiters of free text but for its triggers.
    pub(super) fn delimiters(
        &self,
        format: &Value,
        around: &Around,
    ) -> Vec<(Delimiter, Then<'static>)> {
        let excludes = list(format, "excludes").iter();
        let excludes = excludes.map(|exclude| self.tokens.delimiter(exclude));
        let never = excludes.chain(around.forbidden.iter().cloned());
        let never = never.map(|delimiter| (delimiter, Then::Never));
        let exits = around.exits.iter();
        let exits = exits.map(|exit| (exit.end.clone(), Then::Exit(exit.after.clone())));
        never.chain(exits).collect()
    }

    pub(super) fn triggered(&self, format: &Value, at: usize, around: &Around) -> Ends {
        let tags = list(format, "tags");
        let once = flag(format, "stop_after_first");
        let mut delimiters = self.delimiters(format, around);
        for tag in tags {
            let begin = tag["begin"].as_str().unwrap_or_default();
            let triggers = list(format, "triggers").iter().filter_map(Value::as_str);
            for trigger in triggers.filter(|trigger| begin.starts_with(trigger)) {
                // A token that begins in the trigger belongs to it as a whole.
                let symbols = self.tokens.cut(begin);
                let rest = symbols.iter().find(|(place, _)| *place >= trigger.len());
                let length = rest.map_or(begin.len(), |rest| rest.0);
                let rest = self.tokens.symbols(&begin[length..]);
                let trigger = Delimiter::Text(begin[..length].to_owned());
                delimiters.push((trigger, Then::Tag(rest, tag)));
            }
        }
        let free = Free::new(delimiters, !once);
        self.at_least(format, at, around, |at| self.free(at, &free, around))
    }

    /// Free text with tags in it, which begins with one if there must be one.
    fn at_least(
        &self,
        format: &Value,
        at: usize,
        around: &Around,
        free: impl Fn(usize) -> Ends,
    ) -> Ends {
        if !flag(format, "at_least_one") {
            return free(at);
        }
        let once = flag(format, "stop_after_first");
        let behind = match once {
            true => around.clone(),
            false => around.inner(),
        };
        let tags = list(format, "tags").iter();
        let first: Ends = tags.flat_map(|tag| self.tag(tag, at, &behind)).collect();
        match once {
            true => first,
            false => self.all_from(&first, free),
        }
    }

    /// Free text from `at`, and what follows the delimiters in it.
    pub(super) fn free(&self, at: usize, free: &Free<'_>, around: &Around) -> Ends {
        let mut words = Vec::new();
        for (delimiter, then) in &free.delimiters {
            let (symbols, alike) = self.tokens.words(delimiter);
            words.push(Word { symbols, then });
            // Its name in other tokens is no delimiter, and no text.
            words.extend(alike.map(|symbols| Word {
                symbols,
                then: &Then::Never,
            }));
        }
        words.retain(|word| !word.symbols.is_empty());
        let mut found = Ends::new();
        let (mut pending, mut done) = (vec![at], Ends::new());
        while let Some(start) = pending.pop() {
            if !done.insert(start) {
                continue;
            }
            for (at, then) in self.scan(start, &words, free, around, &mut found) {
                let ends = self.follow(at, then, free.again, around);
                match then {
                    Then::Format(_) | Then::Tag(..) if free.again => pending.extend(ends),
                    _ => found.extend(ends),
                }
            }
        }
        found
    }

    /// What follows a delimiter.
    fn follow(&self, at: usize, then: &Then<'_>, again: bool, around: &Around) -> Ends {
        let behind = match again {
            true => around.inner(),
            false => around.clone(),
        };
        match then {
            Then::Never => Ends::new(),
            Then::Exit(after) => self.exits(at, after),
            Then::Format(format) => self.ends(format, at, &behind),
            Then::Tag(rest, tag) => {
                let body = self.text.behind(at, rest);
                body.map_or_else(Ends::new, |at| self.body(tag, at, &behind))
            }
        }
    }

    /// Free text from `start` up to its first delimiter: adds where it may end without one; gives
    /// the delimiters that can be complete first, with where they end.
    fn scan<'a, 'f>(
        &self,
        start: usize,
        words: &[Word<'a, 'f>],
        free: &Free<'_>,
        around: &Around,
        found: &mut Ends,
    ) -> Vec<(usize, &'a Then<'f>)> {
        let mut read: Vec<TagSymbol> = Vec::new();
        let (mut at, mut tokens) = (start, 0);
        // The characters that the text had when it had had its tokens.
        let mut closed = (free.most_tokens == 0).then_some(0);
        let mut open = Vec::new();
        // A word whose first part is read, unless the text before it is too long.
        let mut commit = |read: &[TagSymbol],
                          at: usize,
                          part: &[TagSymbol],
                          characters: usize,
                          closed: Option<usize>| {
            let begin = read.len() - characters;
            if begin > free.most || closed.is_some_and(|closed| begin > closed) {
                return;
            }
            for word in words.iter().filter(|word| word.symbols.starts_with(part)) {
                let behind = self.text.behind(at, &word.symbols[part.len()..]);
                open.extend(behind.map(|behind| (behind, word.then)));
            }
        };
        loop {
            let is_open = closed.is_none_or(|closed| read.len() <= closed);
            if around.exits.is_empty() && read.len() <= free.most && is_open {
                found.insert(at);
            }
            // A token ends a part of a word: of whole words the longest counts, or else each.
            if let Some((id, behind)) = self.text.token(at) {
                let is_token = |symbol: &TagSymbol| matches!(symbol, TagSymbol::Token(_));
                let mut parts: Vec<&[TagSymbol]> = Vec::new();
                for word in words {
                    let Some(first) = word.symbols.iter().position(is_token) else {
                        continue;
                    };
                    let (characters, part) = (&word.symbols[..first], &word.symbols[..=first]);
                    if word.symbols[first] == TagSymbol::Token(id)
                        && read.ends_with(characters)
                        && !parts.contains(&part)
                    {
                        parts.push(part);
                    }
                }
                let is_whole = |part: &&[TagSymbol]| words.iter().any(|word| word.symbols == *part);
                let wholes = parts.iter().copied().filter(is_whole);
                if let Some(whole) = wholes.max_by_key(|part| part.len()) {
                    parts = vec![whole];
                }
                for part in parts {
                    commit(&read, behind, part, part.len() - 1, closed);
                }
            }
            let Some((c, behind)) = self.text.char(at) else {
                return open;
            };
            read.push(TagSymbol::Char(c));
            at = behind;
            let complete = words.iter().filter(|word| read.ends_with(&word.symbols));
            if let Some(longest) = complete.max_by_key(|word| word.symbols.len()) {
                let part = &longest.symbols;
                commit(&read, at, part, part.len(), closed);
                return open;
            }
            if self.text.is_between(at) && closed.is_none() {
                tokens += 1;
                closed = (tokens >= free.most_tokens).then_some(read.len());
            }
        }
    }

    /// The tokens that a text of tokens does not have: those that are excluded, and the ends around
    /// it.
    pub(super) fn excluded(&self, format: &Value, around: &Around) -> Vec<u32> {
        let excluded = list(format, "exclude_tokens").iter();
        let excluded = excluded.map(|token| self.tokens.id(token));
        let exits = around.exits.iter().map(|exit| &exit.end);
        let ends = exits.chain(&around.forbidden);
        excluded
            .chain(ends.filter_map(|end| self.tokens.whole(end)))
            .collect()
    }

    /// Free text of tokens.
    pub(super) fn of_tokens(&self, format: &Value, at: usize, around: &Around) -> Ends {
        let never = self.excluded(format, around);
        let mut triggers: Vec<(u32, Then<'_>)> = Vec::new();
        let mut again = true;
        match format["type"].as_str() {
            Some("token_dispatch") => {
                again = format["loop"].as_bool().unwrap_or(true);
                for rule in list(format, "rules") {
                    triggers.push((self.tokens.id(&rule[0]), Then::Format(&rule[1])));
                }
            }
            Some("token_triggered_tags") => {
                again = !flag(format, "stop_after_first");
                for tag in list(format, "tags") {
                    triggers.push((self.tokens.id(&tag["begin"]), Then::Tag(Vec::new(), tag)));
                }
            }
            _ => {}
        }
        let most = format["max_tokens"]
            .as_u64()
            .map_or(usize::MAX, |most| most as usize);
        self.at_least(format, at, around, |at| {
            let mut found = Ends::new();
            let (mut pending, mut done) = (vec![(at, 0)], Ends::new());
            while let Some((at, count)) = pending.pop() {
                if !done.insert(at) {
                    continue;
                }
                found.extend(self.exits(at, &around.exits));
                let Some((id, behind)) = self.text.token(at) else {
                    continue;
                };
                let mut is_trigger = false;
                for (_, then) in triggers.iter().filter(|(trigger, _)| *trigger == id) {
                    is_trigger = true;
                    let ends = self.follow(behind, then, again, around);
                    match again {
                        true => pending.extend(ends.into_iter().map(|at| (at, 0))),
                        false => found.extend(ends),
                    }
                }
                let is_free = !is_trigger && self.tokens.is_any(id) && !never.contains(&id);
                if is_free && count < most {
                    pending.push((behind, count + 1));
                }
            }
            found
        })
    }
}
