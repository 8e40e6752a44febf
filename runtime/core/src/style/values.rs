//! What a schema says of the kinds of values, for styles that do not write them.
//!
//! In: [`ValueKinds`], as the compiler emits them from a tool's schema, and the text of a value.
//! Out: whether the text is JSON that the schema takes; if it is not, it is a string. What holds:
//! JSON is looked at down to its kinds, listed numbers, names of properties and repeated keys;
//! lengths, bounds and patterns are not looked at.

/// The kinds of value that a schema allows at a place, and of what is in arrays and objects there.
///
/// Values that are in others are given by their numbers in the list that
/// [`Tool::values`](crate::calls::Tool::values) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueKinds<'f> {
    /// Which kinds: [`Self::NULL`] and the others, added up.
    pub kinds: u16,
    /// The JSON texts of the numbers that are allowed; empty if the kinds say it all.
    pub numbers: &'f [&'f str],
    /// The members of objects that the schema names, ascending by name.
    pub members: &'f [(&'f str, u32)],
    /// Members that an object must have.
    pub required: &'f [&'f str],
    /// All other members.
    pub others: u32,
    /// The items of arrays.
    pub items: u32,
}

impl ValueKinds<'_> {
    /// `null`.
    pub const NULL: u16 = 1;
    /// `false`.
    pub const FALSE: u16 = 1 << 1;
    /// `true`.
    pub const TRUE: u16 = 1 << 2;
    /// Integers, `1.0` among them.
    pub const INTEGER: u16 = 1 << 3;
    /// Numbers that are no integers.
    pub const FRACTION: u16 = 1 << 4;
    /// Strings that are not empty.
    pub const STRING: u16 = 1 << 5;
    /// Arrays.
    pub const ARRAY: u16 = 1 << 6;
    /// Objects.
    pub const OBJECT: u16 = 1 << 7;
    /// The empty string.
    pub const EMPTY: u16 = 1 << 8;

    /// The number of a value of which nothing is known.
    pub const ANY: u32 = u32::MAX;
    /// The number of a value that may not be there.
    pub const NEVER: u32 = u32::MAX - 1;
}

#[cfg(feature = "alloc")]
pub(crate) use reading::Values;

#[cfg(feature = "alloc")]
mod reading {
    use super::super::decimal::{is_integral, is_same};
    use super::super::whole::{MAX_DEPTH, is_json};
    use super::super::{Argument, Form, Kind};
    use super::ValueKinds;
    use alloc::string::String;
    use alloc::vec::Vec;

    /// The values of a tool's schema.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Values<'f>(pub &'f [ValueKinds<'f>]);

    impl<'f> Values<'f> {
        fn get(self, value: u32) -> Option<&'f ValueKinds<'f>> {
            self.0.get(value as usize)
        }

        /// The number of a member of an object.
        pub(crate) fn member(self, object: u32, key: impl Iterator<Item = char> + Clone) -> u32 {
            let Some(of) = self.get(object) else {
                return object;
            };
            let found = (of.members).binary_search_by(|(name, _)| name.chars().cmp(key.clone()));
            match found.ok().and_then(|at| of.members.get(at)) {
                Some(&(_, value)) => value,
                None => of.others,
            }
        }

        /// The number of an array's items.
        pub(crate) fn item(self, array: u32) -> u32 {
            self.get(array).map_or(array, |of| of.items)
        }

        /// What the value of an element is, where this value is meant: what the tag says, else JSON
        /// that the schema takes, else a string. Where the schema says nothing, or takes neither,
        /// it is guessed.
        pub(crate) fn kind(self, argument: &Argument<'_>, value: u32) -> Kind {
            let Some(of) = self.get(value) else {
                return argument.likely_kind();
            };
            let mut possible = Kind::ALL.into_iter();
            let mut possible = possible.by_ref().filter(|&kind| {
                let is_allowed = of.kinds & mask(kind) != 0;
                is_allowed && argument.may_be(kind)
            });
            let first = possible.next();
            let (Some(only), None) = (first, possible.next()) else {
                return match first {
                    Some(_) => self.one_of(argument, of, value),
                    None => argument.likely_kind(),
                };
            };
            only
        }

        /// One of several kinds.
        fn one_of(self, argument: &Argument<'_>, of: &ValueKinds<'_>, value: u32) -> Kind {
            let may_be = |kind| of.kinds & mask(kind) != 0 && argument.may_be(kind);
            let has_elements = argument.elements().is_some();
            let inner = argument.elements().and_then(|mut inner| inner.next()?.ok());
            if let Some(first) = inner {
                let is_item = matches!(first.key(), None | Some(Form::ITEM));
                return match (may_be(Kind::Array), may_be(Kind::Object)) {
                    (true, true) if is_item => Kind::Array,
                    (true, false) => Kind::Array,
                    (_, true) => Kind::Object,
                    (false, false) => Kind::String,
                };
            }
            let text = argument.json();
            let looks = match text.as_bytes() {
                [b'n', ..] => Kind::Null,
                [b't' | b'f', ..] => Kind::Boolean,
                [b'{', ..] => Kind::Object,
                [b'[', ..] => Kind::Array,
                [b'-' | b'0'..=b'9', ..] => Kind::Number,
                [] if of.kinds & ValueKinds::EMPTY != 0 || !has_elements => Kind::String,
                [] if may_be(Kind::Array) => return Kind::Array,
                [] if may_be(Kind::Object) => return Kind::Object,
                _ => Kind::String,
            };
            let is_scalar = !matches!(looks, Kind::Array | Kind::Object);
            // Where arrays and objects are elements, what is in brackets is a string.
            let can_be = looks != Kind::String && may_be(looks) && (is_scalar || !has_elements);
            match can_be && is_json(text) && (!may_be(Kind::String) || self.takes(text, value)) {
                true => looks,
                false if may_be(Kind::String) => Kind::String,
                false => argument.likely_kind(),
            }
        }

        /// Whether a JSON text is of a kind that a value may have.
        pub(crate) fn takes(self, json: &str, value: u32) -> bool {
            let mut check = Check {
                values: self,
                text: json,
                at: 0,
            };
            check.skip_blanks();
            check.value(value, 0)
        }
    }

    /// All the bits of a kind.
    const fn mask(kind: Kind) -> u16 {
        match kind {
            Kind::Null => ValueKinds::NULL,
            Kind::Boolean => ValueKinds::FALSE | ValueKinds::TRUE,
            Kind::Number => ValueKinds::INTEGER | ValueKinds::FRACTION,
            Kind::String => ValueKinds::STRING | ValueKinds::EMPTY,
            Kind::Array => ValueKinds::ARRAY,
            Kind::Object => ValueKinds::OBJECT,
        }
    }

    /// A JSON text that is being looked at.
    struct Check<'c> {
        values: Values<'c>,
        text: &'c str,
        at: usize,
    }

    impl<'c> Check<'c> {
        fn rest(&self) -> &'c str {
            self.text.get(self.at..).unwrap_or_default()
        }

        fn next(&self) -> Option<u8> {
            self.text.as_bytes().get(self.at).copied()
        }

        fn skip_blanks(&mut self) {
            while matches!(self.next(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            }
        }

        /// Whether the value that begins here may be this one. The text is JSON; it is read up to
        /// the first thing that may not be there.
        fn value(&mut self, value: u32, depth: usize) -> bool {
            if value == ValueKinds::NEVER || depth > MAX_DEPTH {
                return false;
            }
            let of = self.values.get(value);
            let may_be = |bits: u16| of.is_none_or(|of| of.kinds & bits != 0);
            match self.next() {
                Some(b'"') => may_be(match self.string() {
                    "" => ValueKinds::EMPTY,
                    _ => ValueKinds::STRING,
                }),
                Some(b'[') => may_be(ValueKinds::ARRAY) && self.items(value, depth),
                Some(b'{') => may_be(ValueKinds::OBJECT) && self.members(value, depth),
                first => {
                    let word = self.word();
                    match first {
                        Some(b'n') => may_be(ValueKinds::NULL),
                        Some(b'f') => may_be(ValueKinds::FALSE),
                        Some(b't') => may_be(ValueKinds::TRUE),
                        _ => {
                            let numbers = of.map_or(&[][..], |of| of.numbers);
                            let is_listed = || numbers.iter().any(|known| is_same(known, word));
                            let bits = match is_integral(word) {
                                true => ValueKinds::INTEGER,
                                false => ValueKinds::FRACTION,
                            };
                            may_be(bits) && (numbers.is_empty() || is_listed())
                        }
                    }
                }
            }
        }

        /// A number or a word.
        fn word(&mut self) -> &'c str {
            let rest = self.rest();
            let is_end = |c: char| matches!(c, ',' | ']' | '}' | ' ' | '\t' | '\n' | '\r');
            let word = rest.get(..rest.find(is_end).unwrap_or(rest.len()));
            let word = word.unwrap_or_default();
            self.at += word.len();
            word
        }

        /// The text of a string, between its quotes.
        fn string(&mut self) -> &'c str {
            let begin = self.at + 1;
            let mut at = begin;
            let bytes = self.text.as_bytes();
            while let Some(&byte) = bytes.get(at) {
                match byte {
                    b'"' => break,
                    b'\\' => at += 2,
                    _ => at += 1,
                }
            }
            self.at = at + 1;
            self.text.get(begin..at).unwrap_or_default()
        }

        /// Whether another part follows; passes the comma or the bracket.
        fn goes_on(&mut self) -> bool {
            self.skip_blanks();
            let next = self.next();
            self.at += 1;
            self.skip_blanks();
            next == Some(b',')
        }

        /// Whether there is nothing in these brackets; passes the first one, and if so the other.
        fn is_empty(&mut self) -> bool {
            self.at += 1;
            self.skip_blanks();
            let is_empty = matches!(self.next(), Some(b']' | b'}'));
            self.at += usize::from(is_empty);
            is_empty
        }

        fn items(&mut self, array: u32, depth: usize) -> bool {
            let items = self.values.item(array);
            if self.is_empty() {
                return true;
            }
            loop {
                if !self.value(items, depth + 1) {
                    return false;
                }
                if !self.goes_on() {
                    return true;
                }
            }
        }

        fn members(&mut self, object: u32, depth: usize) -> bool {
            let mut keys: Vec<String> = Vec::new();
            let mut goes_on = !self.is_empty();
            while goes_on {
                let key = unescaped(self.string());
                self.skip_blanks();
                self.at += 1;
                self.skip_blanks();
                let member = self.values.member(object, key.chars());
                keys.push(key);
                if !self.value(member, depth + 1) {
                    return false;
                }
                goes_on = self.goes_on();
            }
            keys.sort_unstable();
            let is_repeated = keys.windows(2).any(|pair| matches!(pair, [a, b] if a == b));
            let required = self.values.get(object).map_or(&[][..], |of| of.required);
            let has = |name: &&str| {
                let found = keys.binary_search_by(|key| key.as_str().cmp(name));
                found.is_ok()
            };
            !is_repeated && required.iter().all(has)
        }
    }

    /// The characters of a JSON string's text.
    fn unescaped(text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut units = Vec::new();
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            let plain = match (char, (char == '\\').then(|| chars.next()).flatten()) {
                (_, Some('u')) => {
                    let digits = chars.as_str().get(..4).unwrap_or_default();
                    chars = chars.as_str().get(4..).unwrap_or_default().chars();
                    units.push(u16::from_str_radix(digits, 16).unwrap_or_default());
                    continue;
                }
                (_, Some('b')) => '\u{8}',
                (_, Some('f')) => '\u{c}',
                (_, Some('n')) => '\n',
                (_, Some('r')) => '\r',
                (_, Some('t')) => '\t',
                (_, Some(other)) => other,
                (plain, None) => plain,
            };
            flush(&mut units, &mut out);
            out.push(plain);
        }
        flush(&mut units, &mut out);
        out
    }

    /// Writes the characters of UTF-16 code units.
    fn flush(units: &mut Vec<u16>, out: &mut String) {
        let decoded = char::decode_utf16(units.drain(..));
        out.extend(decoded.map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// An object with an integer `a`, which it must have, a list `b` of strings, and a listed
        /// number `c`.
        const VALUES: Values<'static> = Values(&[
            ValueKinds {
                kinds: ValueKinds::OBJECT | ValueKinds::STRING,
                numbers: &[],
                members: &[("a", 1), ("b", 2), ("c", 4), ("\u{e9}", 1)],
                required: &["a"],
                others: ValueKinds::NEVER,
                items: ValueKinds::ANY,
            },
            ValueKinds {
                kinds: ValueKinds::INTEGER,
                members: &[],
                required: &[],
                ..VALUE
            },
            ValueKinds {
                kinds: ValueKinds::ARRAY,
                items: 3,
                ..VALUE
            },
            ValueKinds {
                kinds: ValueKinds::STRING,
                ..VALUE
            },
            ValueKinds {
                kinds: ValueKinds::FRACTION | ValueKinds::INTEGER,
                numbers: &["1.50", "2e1"],
                ..VALUE
            },
        ]);
        const VALUE: ValueKinds<'static> = ValueKinds {
            kinds: 0,
            numbers: &[],
            members: &[],
            required: &[],
            others: ValueKinds::ANY,
            items: ValueKinds::ANY,
        };

        #[test]
        fn json_is_taken_if_its_kinds_are_those_of_the_schema() {
            for text in [
                r#"{"a": 1}"#,
                r#"{ "b" : [ "x" , "]" ] , "\u0061" : 10e-1 }"#,
                r#"{"a": -0, "b": []}"#,
                r#"{"a": 1, "c": 20}"#,
                r#"{"a": 1, "c": 1.5, "\u00e9": 2}"#,
                r#""x""#,
            ] {
                assert!(VALUES.takes(text, 0), "{text}");
            }
            for text in [
                "{}",
                r#"{"a": 1.5}"#,
                r#"{"a": "1"}"#,
                r#"{"a": 1, "b": [1]}"#,
                r#"{"a": 1, "c": 2}"#,
                r#"{"a": 1, "d": 1}"#,
                r#"{"a": 1, "\u0061": 1}"#,
                "[]",
                "1",
                "null",
            ] {
                assert!(!VALUES.takes(text, 0), "{text}");
            }
            // Nothing is known of what has no number.
            assert!(VALUES.takes(r#"[{"x": [null]}]"#, ValueKinds::ANY));
            assert!(!VALUES.takes("1", ValueKinds::NEVER));
        }
    }
}
