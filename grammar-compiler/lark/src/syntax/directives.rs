//! Directives: those that are items, and those within expressions.

use super::parser::Parser;
use super::token::Kind;
use super::tree::{Import, Item, Mode, Name, Node, Setting, Span};
use crate::budget::Budget;
use crate::error::Error;
use crate::json::{self, Value};

/// The directives that are items, for messages.
const DIRECTIVES: &str = "`%ignore`, `%import`, `%declare`, `%override`, `%extend`, \
                          `%llguidance` or `%grammar_options`";

impl Parser<'_> {
    /// An item that is a directive.
    pub(super) fn directive(
        &mut self,
        items: &mut Vec<Item>,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        let word = self.word();
        let start = self.next().span.start;
        match word {
            "%ignore" => items.push(Item::Ignore(self.alternatives(budget)?)),
            "%import" => items.push(Item::Import(self.import(start)?)),
            "%declare" => items.push(Item::Declare(self.declared()?)),
            "%override" => items.push(self.definition(Mode::Override, budget)?),
            "%extend" => items.push(self.definition(Mode::Extend, budget)?),
            "%llguidance" | "%grammar_options" => self.settings(word, items)?,
            _ => {
                let message = format!("`{word}` cannot begin a line");
                let help = format!("what can is a definition, {DIRECTIVES}");
                return Err(Error::new(message, start..start + word.len()).help(help));
            }
        }
        Ok(())
    }

    fn declared(&mut self) -> Result<Vec<Name>, Error> {
        let mut names = Vec::new();
        while names.is_empty() || self.peek().kind == Kind::Name {
            let name = self.name("the name of a terminal after `%declare`")?;
            if !name.is_terminal() {
                let message = format!("`{}` is a rule's name", name.text);
                return Err(Error::new(message, name.span).help("only terminals are declared"));
            }
            names.push(name);
            self.take(",");
        }
        Ok(names)
    }

    /// What follows `%import`, which stands at `start`.
    fn import(&mut self, start: usize) -> Result<Import, Error> {
        let is_relative = self.take(".");
        let mut path = vec![self.name("the name of a library or file after `%import`")?];
        while self.take(".") {
            path.push(self.name("a name after `.`")?);
        }
        let mut names = Vec::new();
        let open = self.span();
        if self.take("(") {
            loop {
                self.newlines();
                let name = self.name("a name to import")?;
                names.push((name.clone(), name));
                self.newlines();
                if !self.take(",") {
                    break;
                }
            }
            self.close(")", open)?;
        } else if path.len() < 2 {
            return Err(self
                .expected("`.` and a name, or names in brackets")
                .help("write `%import common.NAME` or `%import common (NAME, …)`"));
        } else if let Some(name) = path.pop() {
            let alias = if self.take("->") {
                self.name("a name after `->`")?
            } else {
                name.clone()
            };
            if alias.is_terminal() != name.is_terminal() {
                let message = format!(
                    "`{}` and `{}` are not both terminals",
                    name.text, alias.text
                );
                return Err(Error::new(message, alias.span)
                    .help("names of terminals begin with a capital, names of rules do not"));
            }
            names.push((name, alias));
        }
        let path = path.into_iter().map(|name| name.text).collect();
        Ok(Import {
            is_relative,
            path,
            names,
            span: start..self.end(),
        })
    }

    /// The next token, which is what follows a directive that takes braces.
    fn block(&mut self) -> Result<Span, Error> {
        match self.peek().kind {
            Kind::Block => Ok(self.next().span),
            _ => Err(self.expected("`{`")),
        }
    }

    fn settings(&mut self, word: &str, items: &mut Vec<Item>) -> Result<(), Error> {
        let span = self.block()?;
        for (key, place, value) in json::object(&self.text[span.clone()], span.start)? {
            let setting = match (word, key.as_str()) {
                (_, "allow_initial_skip") => Setting::AllowInitialSkip,
                (_, "ignore_once") => Setting::IgnoreOnce,
                (_, "no_forcing") => Setting::NoForcing,
                (_, "allow_invalid_utf8") => Setting::AllowInvalidUtf8,
                _ => {
                    let message = format!("`{word}` has no setting `{key}`");
                    return Err(Error::new(message, place..place + key.len() + 2).help(
                        "the settings are `allow_initial_skip`, `ignore_once`, `no_forcing` and \
                         `allow_invalid_utf8`",
                    ));
                }
            };
            let Value::Bool(value) = value else {
                let message = format!("`{key}` must be `true` or `false`");
                return Err(Error::new(message, place..place + key.len() + 2));
            };
            items.push(Item::Setting(setting, value));
        }
        Ok(())
    }

    /// `%json …`, `%lark …` or `%regex …`, of which the directive at `directive` has been read.
    pub(super) fn embedded(&mut self, directive: &Span) -> Result<Node, Error> {
        let word = &self.text[directive.clone()];
        let block = self.block()?;
        let text = &self.text[block.clone()];
        match word {
            "%json" => Ok(Node::Json(text.to_owned())),
            "%lark" => Ok(Node::Lark(text[1..text.len() - 1].to_owned())),
            _ => substring(text, &block),
        }
    }
}

/// The object of a `%regex`.
fn substring(text: &str, block: &Span) -> Result<Node, Error> {
    let mut members = json::object(text, block.start)?;
    let wrong = |message: String, span: Span| {
        Err(Error::new(message, span)
            .help("it is one of `substring_chunks`, `substring_chars` and `substring_words`"))
    };
    if members.len() > 1 {
        return wrong("`%regex` has more than one key".to_owned(), block.clone());
    }
    let Some((key, place, value)) = members.pop() else {
        return wrong("`%regex` has no key".to_owned(), block.clone());
    };
    let place = place..place + key.len() + 2;
    let chunks = match (key.as_str(), value) {
        ("substring_chunks", Value::Strings(chunks)) => chunks,
        ("substring_chars", Value::String(text)) => text.chars().map(String::from).collect(),
        ("substring_words", Value::String(text)) => words(&text),
        ("substring_chunks", _) => {
            return wrong(format!("`{key}` must be a list of strings"), place);
        }
        ("substring_chars" | "substring_words", _) => {
            return wrong(format!("`{key}` must be a string"), place);
        }
        _ => return wrong(format!("`%regex` has no key `{key}`"), place),
    };
    Ok(Node::Substring(chunks.into()))
}

/// Runs of word characters, runs of blanks, and single other characters.
fn words(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words: Vec<String> = Vec::new();
    let mut last = 2;
    for character in text.chars() {
        match words.last_mut() {
            Some(word) if last == kind(character) && last != 2 => word.push(character),
            _ => words.push(String::from(character)),
        }
        last = kind(character);
    }
    words
}
