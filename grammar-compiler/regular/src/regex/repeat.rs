//! Quantifiers.

use super::{Item, Parser};
use crate::error::{Error, ErrorKind};
use crate::node::Node;

/// How often, and in which order of preference.
pub(super) struct Count {
    min: u32,
    max: Option<u32>,
    is_lazy: bool,
}

impl Parser<'_, '_, '_> {
    /// The quantifier that begins with `c`, which has just been read; `None` if `c` is a `{` that
    /// begins none.
    pub(super) fn quantifier(&mut self, c: char) -> Result<Option<Count>, Error> {
        let from = self.at - 1;
        let (min, max) = match c {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            _ => match self.braces()? {
                Some(bounds) => bounds,
                None => return Ok(None),
            },
        };
        if self.eat("+") {
            return Err(self.unsupported(
                from..self.at,
                "possessive quantifiers are not supported",
                "write the quantifier without the `+` behind it, and exclude by a class or a \
                 look-ahead what must not be given back",
            ));
        }
        let is_lazy = self.eat("?");
        Ok(Some(Count { min, max, is_lazy }))
    }

    /// What stands behind `{`, if it is a quantifier.
    fn braces(&mut self) -> Result<Option<(u32, Option<u32>)>, Error> {
        let from = self.at;
        if self.rest().starts_with('}') {
            return Ok(None);
        }
        let low = self.number(from)?;
        let high = match self.eat(",") {
            true => self.number(from)?,
            false => low,
        };
        let is_exact = self
            .source
            .get(from..self.at)
            .is_some_and(|text| !text.contains(','));
        if !self.eat("}") || (is_exact && low.is_none()) {
            self.at = from;
            return Ok(None);
        }
        let min = low.unwrap_or(0);
        if high.is_some_and(|high| high < min) {
            return Err(self.syntax(
                from - 1..self.at,
                "the least number of times is greater than the largest",
                "write the smaller number first",
            ));
        }
        Ok(Some((min, high)))
    }

    fn number(&mut self, from: usize) -> Result<Option<u32>, Error> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let text = self.rest().get(..digits).unwrap_or_default();
        self.at += digits;
        match text.parse() {
            Ok(number) if number < u32::MAX => Ok(Some(number)),
            _ if digits == 0 => Ok(None),
            _ => Err(self.error(
                ErrorKind::TooLarge,
                from - 1..self.at,
                "the number of times is too large",
                "write a smaller number, or none for any number of times",
            )),
        }
    }

    /// Repeats the last of the items; the quantifier begins at `from`.
    pub(super) fn repeat_last(
        &mut self,
        items: &mut Vec<Item>,
        from: usize,
        count: Count,
    ) -> Result<(), Error> {
        let at = from..self.at;
        match items.pop() {
            Some(Item::Part(node)) => {
                let Count { min, max, is_lazy } = count;
                items.push(Item::Repeated(Node::repeat(node, min, max, is_lazy)));
                Ok(())
            }
            Some(Item::Repeated(_)) => Err(self.syntax(
                at,
                "a quantifier behind a quantifier",
                "put what is to be repeated again into a group: `(?:a*){2}`",
            )),
            None | Some(Item::Anchor(_)) => Err(self.syntax(
                at,
                "there is nothing to repeat before this quantifier",
                r"write a backslash before it if the character itself is meant: `\*`",
            )),
        }
    }
}
