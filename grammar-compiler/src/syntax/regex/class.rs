//! Character classes of a pattern.
//!
//! In: a class of the pattern's tree. Out: the set of characters, sorted and without overlaps.

use crate::error::Code;
use crate::grammar::characters::complement;
use regex_syntax::ast::{self, Ast, ClassAsciiKind, ClassPerlKind, ClassSet, ClassSetItem};
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind, translate::Translator};

/// Why a class cannot be read, and where in the respelled pattern.
pub(super) struct Refusal {
    pub(super) span: ast::Span,
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// How the characters of a class are read.
#[derive(Clone, Copy)]
pub(super) struct ClassReading {
    /// ASCII letters stand for both cases.
    pub(super) case_insensitive: bool,
    /// The class is about bytes: characters above U+007F must be written `\xHH`.
    pub(super) bytes: bool,
}

/// One range.
pub(super) fn range(start: char, end: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(start, end)])
}

/// The characters that are not in the class.
pub(super) fn others(class: &ClassUnicode) -> ClassUnicode {
    let others = complement(class.iter().map(|r| (r.start(), r.end())));
    ClassUnicode::new(
        others
            .iter()
            .map(|&(first, last)| ClassUnicodeRange::new(first, last)),
    )
}

impl ClassReading {
    /// The class with the other case of every ASCII letter, where letters stand for both.
    pub(super) fn folded(self, mut class: ClassUnicode) -> ClassUnicode {
        if self.case_insensitive {
            fold_ascii_case(&mut class);
        }
        class
    }
}

/// Adds the other case of every ASCII letter.
fn fold_ascii_case(class: &mut ClassUnicode) {
    for (first, last, shift) in [('a', 'z', -32), ('A', 'Z', 32)] {
        let mut letters = class.clone();
        letters.intersect(&range(first, last));
        let moved = |c: char| char::from_u32(u32::from(c).wrapping_add_signed(shift)).unwrap_or(c);
        let ranges = letters
            .iter()
            .map(|r| ClassUnicodeRange::new(moved(r.start()), moved(r.end())));
        class.union(&ClassUnicode::new(ranges));
    }
}

/// `[…]`.
pub(super) fn bracketed(
    class: &ast::ClassBracketed,
    reading: ClassReading,
) -> Result<ClassUnicode, Refusal> {
    let set = reading.folded(set(&class.kind, reading)?);
    Ok(if class.negated { others(&set) } else { set })
}

/// `\d`, `\w` and `\s`, which are ASCII, and their negations.
pub(super) fn perl(class: &ast::ClassPerl) -> Result<ClassUnicode, Refusal> {
    let kind = match class.kind {
        ClassPerlKind::Digit => ClassAsciiKind::Digit,
        ClassPerlKind::Space => ClassAsciiKind::Space,
        ClassPerlKind::Word => ClassAsciiKind::Word,
    };
    let ascii = ast::ClassAscii {
        span: class.span,
        kind,
        negated: class.negated,
    };
    predefined(class.span, ClassSetItem::Ascii(ascii))
}

/// `\p{…}` outside of brackets.
pub(super) fn property(
    class: &ast::ClassUnicode,
    reading: ClassReading,
) -> Result<ClassUnicode, Refusal> {
    Ok(reading.folded(unicode(class)?))
}

/// `\p{…}`.
fn unicode(class: &ast::ClassUnicode) -> Result<ClassUnicode, Refusal> {
    predefined(class.span, ClassSetItem::Unicode(class.clone()))
}

fn set(set: &ClassSet, reading: ClassReading) -> Result<ClassUnicode, Refusal> {
    match set {
        ClassSet::Item(item) => self::item(item, reading),
        // No pattern contains these after respelling: `&&`, `--` and `~~` stand for themselves.
        ClassSet::BinaryOp(op) => Err(Refusal {
            span: op.span,
            code: Code::UnsupportedClassOperator,
            message: "operators on classes are not supported".to_owned(),
            help: "write out the characters",
        }),
    }
}

fn item(item: &ClassSetItem, reading: ClassReading) -> Result<ClassUnicode, Refusal> {
    match item {
        ClassSetItem::Empty(_) => Ok(ClassUnicode::empty()),
        ClassSetItem::Literal(literal) => {
            check_byte(literal, reading)?;
            Ok(range(literal.c, literal.c))
        }
        ClassSetItem::Range(ends) => {
            check_byte(&ends.start, reading)?;
            check_byte(&ends.end, reading)?;
            Ok(range(ends.start.c, ends.end.c))
        }
        ClassSetItem::Ascii(ascii) => predefined(ascii.span, ClassSetItem::Ascii(ascii.clone())),
        ClassSetItem::Unicode(class) => unicode(class),
        ClassSetItem::Perl(class) => perl(class),
        ClassSetItem::Bracketed(class) => bracketed(class, reading),
        ClassSetItem::Union(union) => {
            let mut ranges = Vec::new();
            for item in &union.items {
                ranges.extend_from_slice(self::item(item, reading)?.ranges());
            }
            Ok(ClassUnicode::new(ranges))
        }
    }
}

/// In byte mode, refuses a character that is not one byte.
pub(super) fn check_byte(literal: &ast::Literal, reading: ClassReading) -> Result<(), Refusal> {
    if !reading.bytes || literal.c.is_ascii() || literal.byte().is_some() {
        return Ok(());
    }
    Err(Refusal {
        span: literal.span,
        code: Code::NotAByte,
        message: "a character of several bytes in a part of the pattern that is about bytes"
            .to_owned(),
        help: "write `\\xHH` for a byte, or leave `(?-u)` away",
    })
}

/// A class that has a name, from the tables of `regex-syntax`.
fn predefined(span: ast::Span, item: ClassSetItem) -> Result<ClassUnicode, Refusal> {
    let kind = ClassSet::Item(item);
    let tree = Ast::class_bracketed(ast::ClassBracketed {
        span,
        negated: false,
        kind,
    });
    match Translator::new().translate("", &tree) {
        Ok(hir) => match hir.into_kind() {
            HirKind::Class(Class::Unicode(class)) => Ok(class),
            HirKind::Class(Class::Bytes(class)) => {
                Ok(class.to_unicode_class().unwrap_or_else(ClassUnicode::empty))
            }
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).unwrap_or("");
                Ok(ClassUnicode::new(
                    text.chars().map(|c| ClassUnicodeRange::new(c, c)),
                ))
            }
            _ => Ok(ClassUnicode::empty()),
        },
        Err(error) => Err(Refusal {
            span,
            code: Code::UnknownClass,
            message: format!("in the regular expression: {}", error.kind()),
            help: "see the Unicode Character Database for the names of general categories and scripts",
        }),
    }
}
