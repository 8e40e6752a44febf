//! What tells options of a schema apart.
//!
//! In: options. Out: fields of a digest. What holds: options that differ have different fields, but
//! for the [`Resolver`]: nothing is known of what it returns, so a key has to have the grammar that
//! was read, too.

use super::form::{FormFields, OwnedForm};
use super::model::{DocumentFolder, Draft, Resolver};
use super::numbers::{Digits, NumberForms};
use super::options::{KeyOrder, RawEnds, SchemaOptions, Whitespace};
use super::strings::Escapes;
use crate::digest::{DigestFields, Digester};

impl DigestFields for SchemaOptions {
    fn write_fields(&self, to: &mut Digester) {
        let SchemaOptions {
            style,
            form,
            arguments,
            whitespace,
            outer_blanks,
            key_order,
            escapes,
            constrained_escapes,
            numbers,
            formats,
            number_formats,
            undeclared,
            declare_required,
            excludes,
            raw_ends,
            lenient,
            draft,
            resolver,
            documents,
        } = self;
        to.field(style.name());
        to.field(&form.as_deref());
        to.field(arguments);
        to.field(whitespace);
        to.field(outer_blanks);
        to.field(key_order);
        to.field(escapes);
        to.field(constrained_escapes);
        to.field(numbers);
        to.field(formats);
        to.field(number_formats);
        to.field(undeclared);
        to.field(declare_required);
        to.field(&excludes[..]);
        to.field(raw_ends);
        to.field(&lenient[..]);
        to.field(draft);
        to.field(resolver);
        to.field(&documents[..]);
    }
}

impl DigestFields for RawEnds {
    fn write_fields(&self, to: &mut Digester) {
        let RawEnds { texts, may_be_held } = self;
        to.field(&texts[..]);
        to.field(may_be_held);
    }
}

impl DigestFields for OwnedForm {
    fn write_fields(&self, to: &mut Digester) {
        to.field(self.name());
        let FormFields {
            open,
            key_end,
            gap,
            kinds,
            integer,
            kind_end,
            end,
            closing,
            item,
            lines,
            trimmed,
            blanks,
            forbidden,
            not_first,
            escapes,
            any_key,
        } = self.fields();
        to.field(open);
        to.field(key_end);
        to.field(gap);
        to.field(&kinds[..]);
        to.field(integer);
        to.field(kind_end);
        to.field(end);
        to.flag(closing.is_some());
        if let Some((before, behind)) = closing {
            to.field(before);
            to.field(behind);
        }
        to.field(item);
        to.field(lines);
        to.field(trimmed);
        to.field(blanks);
        to.field(&forbidden[..]);
        to.field(not_first);
        to.field(&escapes[..]);
        to.field(any_key);
    }
}

impl DigestFields for Whitespace {
    fn write_fields(&self, to: &mut Digester) {
        let (kind, count) = match *self {
            Whitespace::Compact => (0, 0),
            Whitespace::Spaced => (1, 0),
            Whitespace::Flexible(count) => (2, count),
            Whitespace::Unbounded => (3, 0),
            Whitespace::Indent(count) => (4, count),
            Whitespace::Usual(count) => (5, count),
        };
        to.small(kind);
        to.small(count);
    }
}

impl DigestFields for KeyOrder {
    fn write_fields(&self, to: &mut Digester) {
        to.small(match self {
            KeyOrder::Schema => 0,
            KeyOrder::Sorted => 1,
            KeyOrder::Any => 2,
        });
    }
}

impl DigestFields for Escapes {
    fn write_fields(&self, to: &mut Digester) {
        to.small(match self {
            Escapes::Any => 0,
            Escapes::Natural => 1,
            Escapes::Shortest => 2,
        });
    }
}

impl DigestFields for NumberForms {
    fn write_fields(&self, to: &mut Digester) {
        let NumberForms {
            exponents,
            integral_fractions,
            digits:
                Digits {
                    integer,
                    fraction,
                    exponent,
                },
        } = self;
        to.field(exponents);
        to.field(integral_fractions);
        for digits in [integer, fraction, exponent] {
            to.field(&digits.map(u32::from));
        }
    }
}

impl DigestFields for Draft {
    fn write_fields(&self, to: &mut Digester) {
        to.small(match self {
            Draft::Draft3 => 3,
            Draft::Draft4 => 4,
            Draft::Draft6 => 6,
            Draft::Draft7 => 7,
            Draft::Draft2019 => 8,
            Draft::Draft2020 => 9,
        });
    }
}

impl DigestFields for Resolver {
    /// Nothing: two resolvers are told apart by the grammars that they lead to.
    fn write_fields(&self, _: &mut Digester) {}
}

impl DigestFields for DocumentFolder {
    fn write_fields(&self, to: &mut Digester) {
        to.field(self.folder());
        to.field(self.base());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;
    use std::sync::Arc;

    fn digest(change: impl FnOnce(&mut SchemaOptions)) -> Digest {
        let mut options = SchemaOptions::default();
        change(&mut options);
        let mut digester = Digester::new("test");
        digester.field(&options);
        digester.finish()
    }

    fn form(change: impl FnOnce(&mut FormFields)) -> Option<Arc<OwnedForm>> {
        let mut fields = FormFields {
            open: "<p name=\"".to_owned(),
            key_end: "\">".to_owned(),
            end: "</p>".to_owned(),
            ..FormFields::default()
        };
        change(&mut fields);
        Some(Arc::new(OwnedForm::new("test", fields).unwrap()))
    }

    #[test]
    fn each_option_makes_another_digest() {
        let raw_ends = |end: &str, may_be_held| {
            let texts = [end.to_owned()].into();
            Some(RawEnds { texts, may_be_held })
        };
        let folder = |folder: &str, base| DocumentFolder::new(folder, base).unwrap();
        let all = [
            digest(|_| {}),
            digest(|options| options.style = "qwen_xml".parse().unwrap()),
            digest(|options| options.form = form(|_| {})),
            digest(|options| options.form = form(|form| form.lines = true)),
            digest(|options| options.form = form(|form| form.any_key = true)),
            digest(|options| options.form = form(|form| form.end = "</q>".to_owned())),
            digest(|options| options.arguments = true),
            digest(|options| options.whitespace = Whitespace::Compact),
            digest(|options| options.whitespace = Whitespace::Flexible(2)),
            digest(|options| options.outer_blanks = false),
            digest(|options| options.key_order = KeyOrder::Any),
            digest(|options| options.escapes = Escapes::Shortest),
            digest(|options| options.constrained_escapes = Escapes::Shortest),
            digest(|options| options.numbers.exponents = false),
            digest(|options| options.numbers.digits.fraction = Some(0)),
            digest(|options| options.numbers.digits.exponent = Some(0)),
            digest(|options| options.formats = false),
            digest(|options| options.number_formats = true),
            digest(|options| options.undeclared = false),
            digest(|options| options.declare_required = true),
            digest(|options| options.excludes = vec!["a".to_owned()]),
            digest(|options| options.raw_ends = Some(RawEnds::default())),
            digest(|options| options.raw_ends = raw_ends("a", false)),
            digest(|options| options.raw_ends = raw_ends("a", true)),
            digest(|options| options.lenient = vec!["a".to_owned()]),
            digest(|options| options.draft = Some(Draft::Draft7)),
            digest(|options| options.resolver = Some(Resolver::new(|_| None))),
            digest(|options| options.documents = vec![folder("a", "http://a/")]),
            digest(|options| options.documents = vec![folder("a", "http://b/")]),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "option {at}");
        }
    }
}
