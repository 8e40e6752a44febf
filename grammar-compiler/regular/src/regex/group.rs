//! Groups: captures, flags, look-around, comments.

use super::{DEPTH, Parser};
use crate::error::{Error, ErrorKind};
use crate::node::Node;
use crate::pattern::Flags;
use std::rc::Rc;

impl Parser<'_, '_, '_> {
    /// The flags at the start, as in `(?i)`.
    pub(super) fn global_flags(&mut self, mut flags: Flags) -> Result<Flags, Error> {
        loop {
            let from = self.at;
            if !self.eat("(?") {
                return Ok(flags);
            }
            match self.peek() {
                Some(c) if c.is_ascii_alphabetic() && c != 'P' => {}
                _ => {
                    self.at = from;
                    return Ok(flags);
                }
            }
            let changed = self.flags(from, flags)?;
            if !self.eat(")") {
                self.at = from;
                return Ok(flags);
            }
            flags = changed;
        }
    }

    /// What stands behind `(`; `None` for a comment.
    pub(super) fn group(&mut self, from: usize, flags: Flags) -> Result<Option<Node>, Error> {
        if !self.eat("?") {
            return self.inner(from, flags).map(Some);
        }
        if self.eat("#") {
            let Some(length) = self.rest().find(')') else {
                return Err(self.unclosed(from));
            };
            self.at += length + 1;
            return Ok(None);
        }
        let look = match self.rest().as_bytes() {
            [b'=', ..] => Some((1, false, false)),
            [b'!', ..] => Some((1, false, true)),
            [b'<', b'=', ..] => Some((2, true, false)),
            [b'<', b'!', ..] => Some((2, true, true)),
            _ => None,
        };
        if let Some((length, is_behind, is_negative)) = look {
            self.at += length;
            let inner = self.inner(from, flags)?;
            return Ok(Some(Node::look(Rc::new(inner), is_behind, is_negative)));
        }
        if self.eat(":") {
            return self.inner(from, flags).map(Some);
        }
        if self.eat("P<") {
            self.name(from)?;
            return self.inner(from, flags).map(Some);
        }
        match self.peek() {
            Some(c) if (c.is_ascii_alphabetic() && c != 'P') || c == '-' => {
                let flags = self.flags(from, flags)?;
                if self.eat(":") {
                    return self.inner(from, flags).map(Some);
                }
                Err(self.syntax(
                    from..self.at,
                    "flags for the whole expression must stand at its start",
                    "write them first, or write a group that they hold for: `(?i:…)`",
                ))
            }
            _ => Err(self.unknown_group(from)),
        }
    }

    /// The alternatives of a group and its end.
    fn inner(&mut self, from: usize, flags: Flags) -> Result<Node, Error> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error(
                ErrorKind::TooLarge,
                from..self.at,
                "groups are nested too deeply",
                "nest at most 250 groups, or make terminals of the inner ones",
            ));
        }
        let node = self.alternatives(flags)?;
        self.depth -= 1;
        match self.eat(")") {
            true => Ok(node),
            false => Err(self.unclosed(from)),
        }
    }

    fn unclosed(&self, from: usize) -> Error {
        self.syntax(
            from..from + 1,
            "this group is not closed",
            r"add the `)`, or write `\(` for the character",
        )
    }

    /// The name of a group and the `>` behind it.
    fn name(&mut self, from: usize) -> Result<(), Error> {
        let rest = self.rest();
        let name = rest
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .next();
        let name = name.unwrap_or_default();
        self.at += name.len();
        let is_valid = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && self.eat(">");
        if !is_valid {
            return Err(self.syntax(
                from..self.at,
                "this is no name of a group",
                "name it with letters, digits and `_`: `(?P<name>…)`",
            ));
        }
        match self.names.insert(name) {
            true => Ok(()),
            false => Err(self.syntax(
                from..self.at,
                "two groups have one name",
                "give each its own name, or write `(?:…)`",
            )),
        }
    }

    /// Letters of flags, `-` and letters of flags that are taken away.
    fn flags(&mut self, from: usize, mut flags: Flags) -> Result<Flags, Error> {
        let mut on = true;
        while let Some(c) = self.peek() {
            match c {
                'i' => flags.ignore_case = on,
                'm' => flags.multi_line = on,
                's' => flags.dot_all = on,
                'x' => flags.verbose = on,
                'a' if on => flags.ascii = true,
                'u' if on => flags.ascii = false,
                '-' if on => on = false,
                ':' | ')' => break,
                _ => {
                    return Err(self.syntax(
                        from..self.at + c.len_utf8(),
                        &format!("there is no flag `{c}` here"),
                        "the flags are `a`, `i`, `m`, `s`, `u` and `x`; behind `-` all but `a` and \
                         `u`",
                    ));
                }
            }
            self.next();
        }
        Ok(flags)
    }

    fn unknown_group(&mut self, from: usize) -> Error {
        let rest = self.rest();
        let at = from..self.at + rest.chars().next().map_or(0, char::len_utf8);
        if rest.starts_with("P=") {
            return self.unsupported(
                from..self.at + 2,
                "references to groups are not supported: no automaton can follow them",
                "spell out what the group matches; for texts that must be equal, write one \
                 alternative for each",
            );
        }
        if rest.starts_with('>') {
            return self.unsupported(
                at,
                "atomic groups are not supported",
                "write `(?:…)`, and exclude by a class or a look-ahead what must not be given back",
            );
        }
        if rest.starts_with('(') {
            return self.unsupported(
                at,
                "conditions on groups are not supported",
                "write both cases as alternatives: `(?:(a)b|c)`",
            );
        }
        let help = match rest.starts_with('<') {
            true => "a named group is written `(?P<name>…)`",
            false => "a group that needs no name is written `(?:…)`",
        };
        self.syntax(at, "this kind of group is unknown", help)
    }
}
