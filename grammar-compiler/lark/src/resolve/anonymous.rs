//! Terminals without a name of their own: which are the same, and what Lark calls them.

use crate::grammar::TerminalId;
use maskwright_regular::Flags;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What a terminal of one part is; equal parts in rules are one terminal. Texts are shared: a long
/// terminal may be named very often.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A text, and whether it ignores case.
    Text(Arc<str>, bool),
    Range(char, char),
    Regex(Arc<str>, Flags),
    Substring(Arc<[String]>),
}

impl Key {
    /// The text, if it is one without flags.
    pub(super) fn string(&self) -> Option<String> {
        match self {
            Key::Text(text, false) => Some(text.to_string()),
            _ => None,
        }
    }
}

/// The names that are taken, and the terminals of one part.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    terminals: HashMap<Key, TerminalId>,
    numbered: usize,
}

impl Names {
    /// Notes that a name is taken.
    pub(super) fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Notes what a terminal is; of two that are the same the later counts, as in Lark.
    pub(super) fn bind(&mut self, key: Key, terminal: TerminalId) {
        self.terminals.insert(key, terminal);
    }

    pub(super) fn get(&self, key: &Key) -> Option<TerminalId> {
        self.terminals.get(key).copied()
    }

    /// A free name for a terminal: from its text, or a number.
    pub(super) fn name(&mut self, key: Option<&Key>) -> String {
        let from_text = match key {
            Some(Key::Text(text, _)) => name_of(text),
            _ => None,
        };
        if let Some(name) = from_text.filter(|name| !self.taken.contains(name)) {
            return name;
        }
        loop {
            let name = format!("__ANON_{}", self.numbered);
            self.numbered += 1;
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }
}

/// The name that Lark gives to a text, if the name is free.
fn name_of(text: &str) -> Option<String> {
    let name = match text {
        "." => "DOT",
        "," => "COMMA",
        ":" => "COLON",
        ";" => "SEMICOLON",
        "+" => "PLUS",
        "-" => "MINUS",
        "*" => "STAR",
        "/" => "SLASH",
        "\\" => "BACKSLASH",
        "|" => "VBAR",
        "?" => "QMARK",
        "!" => "BANG",
        "@" => "AT",
        "#" => "HASH",
        "$" => "DOLLAR",
        "%" => "PERCENT",
        "^" => "CIRCUMFLEX",
        "&" => "AMPERSAND",
        "_" => "UNDERSCORE",
        "<" => "LESSTHAN",
        ">" => "MORETHAN",
        "=" => "EQUAL",
        "\"" => "DBLQUOTE",
        "'" => "QUOTE",
        "`" => "BACKQUOTE",
        "~" => "TILDE",
        "(" => "LPAR",
        ")" => "RPAR",
        "{" => "LBRACE",
        "}" => "RBRACE",
        "[" => "LSQB",
        "]" => "RSQB",
        "\n" => "NEWLINE",
        "\r\n" => "CRLF",
        "\t" => "TAB",
        " " => "SPACE",
        _ => {
            let begins = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let goes_on = text.chars().all(|c| c.is_alphanumeric() || c == '_');
            return (begins && goes_on).then(|| text.to_uppercase());
        }
    };
    Some(name.to_owned())
}
