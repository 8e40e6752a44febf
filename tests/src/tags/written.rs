//! What a model wrote: characters, each part of a token, and tokens as a whole.
//!
//! In: a text, or tokens of a vocabulary. Out: [`Written`], in which a position stands before an
//! item. What holds: at the beginning of a token a reader goes on with its characters, if it is
//! text, or with the token as a whole.

use serde_json::Value;
use std::collections::BTreeSet;

/// A vocabulary as the oracle sees it.
#[derive(Clone, Debug, Default)]
pub struct WrittenTokens {
    /// The text of each token; empty for control tokens.
    pub texts: Vec<String>,
    /// Names of control and added tokens.
    pub names: Vec<(u32, String)>,
    /// Tokens that end a sequence.
    pub ends: Vec<u32>,
}

/// What texts and delimiters are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TagSymbol {
    /// A character.
    Char(char),
    /// A token as a whole.
    Token(u32),
}

/// A begin, an end, a trigger or an exclude.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// Characters, in which tokens can have their names.
    Text(String),
    /// A token.
    Token(u32),
}

impl WrittenTokens {
    /// A text cut at the names of tokens, the longest one first, with the place of each symbol.
    pub fn cut(&self, text: &str) -> Vec<(usize, TagSymbol)> {
        let (mut symbols, mut at) = (Vec::new(), 0);
        while let Some(next) = text[at..].chars().next() {
            let names = self.names.iter();
            let here = names.filter(|(_, name)| text[at..].starts_with(name.as_str()));
            match here.max_by_key(|(_, name)| name.len()) {
                Some((id, name)) => {
                    symbols.push((at, TagSymbol::Token(*id)));
                    at += name.len();
                }
                None => {
                    symbols.push((at, TagSymbol::Char(next)));
                    at += next.len_utf8();
                }
            }
        }
        symbols
    }

    /// The same without places.
    pub fn symbols(&self, text: &str) -> Vec<TagSymbol> {
        self.cut(text)
            .into_iter()
            .map(|(_, symbol)| symbol)
            .collect()
    }

    /// The words of a delimiter: as it is meant, and as it looks if its tokens are spelled.
    pub fn words(&self, delimiter: &Delimiter) -> (Vec<TagSymbol>, Option<Vec<TagSymbol>>) {
        match delimiter {
            Delimiter::Text(text) => {
                let meant = self.symbols(text);
                let spelled: Vec<TagSymbol> = text.chars().map(TagSymbol::Char).collect();
                let differs = meant != spelled;
                (meant, differs.then_some(spelled))
            }
            Delimiter::Token(id) => {
                let name = self.names.iter().find(|(named, _)| named == id);
                let alike = name.map(|(_, name)| name.chars().map(TagSymbol::Char).collect());
                (vec![TagSymbol::Token(*id)], alike)
            }
        }
    }

    /// The token that a delimiter is as a whole.
    pub fn whole(&self, delimiter: &Delimiter) -> Option<u32> {
        match self.words(delimiter).0.as_slice() {
            [TagSymbol::Token(id)] => Some(*id),
            _ => None,
        }
    }

    /// A token of a format: its id, its name, or an object with one of them.
    pub fn id(&self, value: &Value) -> u32 {
        if let Some(id) = value.as_u64() {
            return id as u32;
        }
        let Some(name) = value.as_str() else {
            return self.id(&value["token"]);
        };
        let named = self.names.iter().find(|(_, known)| known == name);
        let of_text = || {
            self.texts
                .iter()
                .position(|text| text == name)
                .map(|id| id as u32)
        };
        named
            .map(|(id, _)| *id)
            .or_else(of_text)
            .unwrap_or(u32::MAX)
    }

    /// A begin, an end, a trigger of text or an exclude.
    pub fn delimiter(&self, value: &Value) -> Delimiter {
        match value.as_str() {
            Some(text) => Delimiter::Text(text.to_owned()),
            None => Delimiter::Token(self.id(value)),
        }
    }

    /// Whether "any token" means this one, too.
    pub fn is_any(&self, id: u32) -> bool {
        let text = self.texts.get(id as usize);
        let is_named = self.names.iter().any(|(named, _)| *named == id);
        !self.ends.contains(&id) && (is_named || text.is_some_and(|text| !text.is_empty()))
    }

    /// The tokens that a format names: they are text nowhere in it. What is excluded is not named.
    pub fn named(&self, format: &Value, ids: &mut BTreeSet<u32>) {
        let of_text = |text: &str, ids: &mut BTreeSet<u32>| {
            for symbol in self.symbols(text) {
                if let TagSymbol::Token(id) = symbol {
                    ids.insert(id);
                }
            }
        };
        match format {
            Value::Array(all) => all.iter().for_each(|one| self.named(one, ids)),
            Value::Object(fields) => {
                let kind = format["type"].as_str();
                let is_of_tokens = matches!(kind, Some("token_triggered_tags" | "token_dispatch"));
                for (name, value) in fields {
                    match name.as_str() {
                        "type" | "excludes" | "exclude_tokens" | "json_schema" | "grammar"
                        | "pattern" => {}
                        "token" => drop(ids.insert(self.id(value))),
                        // Those of `triggers` stand in begins.
                        "triggers" => {}
                        "trigger_tokens" => {
                            ids.extend(value.as_array().into_iter().flatten().map(|t| self.id(t)))
                        }
                        "rules" => {
                            for rule in value.as_array().into_iter().flatten() {
                                match rule[0].as_str() {
                                    Some(text) if !is_of_tokens => of_text(text, ids),
                                    _ => drop(ids.insert(self.id(&rule[0]))),
                                }
                                self.named(&rule[1], ids);
                            }
                        }
                        _ => match value {
                            Value::String(text) => of_text(text, ids),
                            Value::Array(all) if name == "end" => {
                                let texts = all.iter().filter_map(Value::as_str);
                                texts.for_each(|text| of_text(text, ids));
                                self.named(value, ids);
                            }
                            other => self.named(other, ids),
                        },
                    }
                }
            }
            _ => {}
        }
    }
}

/// A character, or the beginning of a token, whose characters follow.
#[derive(Clone, Copy, Debug)]
enum TagItem {
    Char(char),
    Token {
        id: u32,
        behind: usize,
        is_text: bool,
    },
}

/// What was written.
#[derive(Clone, Debug)]
pub(super) struct Written(Vec<TagItem>);

impl Written {
    pub(super) fn text(text: &str) -> Self {
        Written(text.chars().map(TagItem::Char).collect())
    }

    /// Some tokens, where those that are `named` are not text.
    pub(super) fn tokens(ids: &[u32], tokens: &WrittenTokens, named: &BTreeSet<u32>) -> Self {
        let mut items = Vec::new();
        for &id in ids {
            let text = &tokens.texts[id as usize];
            let behind = items.len() + 1 + text.chars().count();
            let is_text = !text.is_empty() && !named.contains(&id);
            items.push(TagItem::Token {
                id,
                behind,
                is_text,
            });
            items.extend(text.chars().map(TagItem::Char));
        }
        Written(items)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The character at a position, and the position behind it.
    pub(super) fn char(&self, at: usize) -> Option<(char, usize)> {
        match *self.0.get(at)? {
            TagItem::Char(c) => Some((c, at + 1)),
            TagItem::Token { is_text: true, .. } => self.char(at + 1),
            TagItem::Token { .. } => None,
        }
    }

    /// The token at a position, and the position behind it.
    pub(super) fn token(&self, at: usize) -> Option<(u32, usize)> {
        match *self.0.get(at)? {
            TagItem::Token { id, behind, .. } => Some((id, behind)),
            TagItem::Char(_) => None,
        }
    }

    /// Whether a token ends at a position.
    pub(super) fn is_between(&self, at: usize) -> bool {
        !matches!(self.0.get(at), Some(TagItem::Char(_)))
    }

    /// Behind these symbols.
    pub(super) fn behind(&self, at: usize, symbols: &[TagSymbol]) -> Option<usize> {
        symbols.iter().try_fold(at, |at, &symbol| {
            let (found, behind) = match symbol {
                TagSymbol::Char(_) => {
                    let (c, behind) = self.char(at)?;
                    (TagSymbol::Char(c), behind)
                }
                TagSymbol::Token(_) => {
                    let (id, behind) = self.token(at)?;
                    (TagSymbol::Token(id), behind)
                }
            };
            (found == symbol).then_some(behind)
        })
    }
}
