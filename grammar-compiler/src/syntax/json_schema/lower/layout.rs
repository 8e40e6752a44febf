//! Blanks, commas and colons.
//!
//! `behind (first item behind (comma item behind)* close)?` between brackets: a blank that may be
//! left out stands behind an item rather than before what follows, so that the byte after an item
//! tells whether another one comes. Bounds on the number of items can be counted only so.
//!
//! Elements stand without brackets, commas and colons: `behind (element behind)*`. The arguments of
//! a call in Python stand without brackets, with `=` for the colon: blanks are as if the
//! parentheses around them were the brackets.

use super::super::options::Whitespace;
use crate::grammar::Expr;
use maskwright_core::style::Form;

/// Indented layouts hold values no deeper than this.
pub const MAX_LEVEL: u32 = 16;

/// How the inside of a bracket at one level is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'f> {
    whitespace: Whitespace,
    /// How many brackets are open around the one laid out.
    level: u32,
    inside: Inside<'f>,
}

/// What stands inside a bracket.
#[derive(Clone, Copy, Debug)]
pub enum Inside<'f> {
    /// Items, or properties with a colon.
    Brackets,
    /// The keyword arguments of a call, without its brackets.
    Call,
    /// Elements, without brackets.
    Elements(&'f Form<'f>),
}

impl<'f> Layout<'f> {
    /// The layout inside a bracket that stands `level` brackets deep.
    pub fn new(whitespace: Whitespace, level: u32, inside: Inside<'f>) -> Self {
        Layout {
            whitespace,
            level,
            inside,
        }
    }

    /// What stands inside.
    pub fn of(&self) -> Inside<'f> {
        self.inside
    }

    /// How elements are written, if that is what stands inside.
    pub fn form(&self) -> Option<&'f Form<'f>> {
        match self.inside {
            Inside::Elements(form) => Some(form),
            Inside::Brackets | Inside::Call => None,
        }
    }

    /// Whether the level matters.
    pub fn is_indented(&self) -> bool {
        self.form().is_none() && matches!(self.whitespace, Whitespace::Indent(_))
    }

    /// The inside between its brackets, if it has any.
    pub fn bracketed(&self, open: &str, inside: Expr, close: &str) -> Expr {
        if !matches!(self.inside, Inside::Brackets) {
            return inside;
        }
        let bracket = |text: &str| Expr::Literal(text.to_owned());
        Expr::Seq(vec![bracket(open), inside, bracket(close)])
    }

    /// Blanks between two tags, or around a value between them.
    pub fn gap(&self, form: &Form<'_>) -> Expr {
        match self.whitespace {
            Whitespace::Flexible(_) | Whitespace::Unbounded => self.blanks(0),
            Whitespace::Usual(most) => or_nothing(line(most)),
            _ if form.lines => or_nothing(Expr::Literal("\n".to_owned())),
            Whitespace::Compact | Whitespace::Spaced | Whitespace::Indent(_) => nothing(),
        }
    }

    /// What stands between brackets; `filled` is the items, none of them if they may be left out.
    pub fn inside(&self, filled: Expr, may_be_empty: bool) -> Expr {
        let filled = Expr::Seq(vec![self.first(), filled, self.close()]);
        let inside = match may_be_empty {
            true => Expr::Alt(vec![nothing(), filled]),
            false => filled,
        };
        Expr::Seq(vec![self.behind(), inside])
    }

    /// What precedes the first item.
    fn first(&self) -> Expr {
        match self.whitespace {
            _ if self.form().is_some() => nothing(),
            Whitespace::Indent(_) => self.blanks(self.level + 1),
            Whitespace::Usual(most) => or_nothing(line(most)),
            _ => nothing(),
        }
    }

    /// What follows an opening bracket, an item or a property.
    pub fn behind(&self) -> Expr {
        if let Some(form) = self.form() {
            return self.gap(form);
        }
        match self.whitespace {
            Whitespace::Flexible(_) | Whitespace::Unbounded => self.blanks(0),
            _ => nothing(),
        }
    }

    /// What precedes a closing bracket, behind the last item.
    fn close(&self) -> Expr {
        match self.whitespace {
            _ if self.form().is_some() => nothing(),
            Whitespace::Indent(_) => self.blanks(self.level),
            Whitespace::Usual(most) => or_nothing(line(most)),
            _ => nothing(),
        }
    }

    /// Between two items or properties.
    pub fn comma(&self) -> Expr {
        let comma = Expr::Literal(",".to_owned());
        match self.whitespace {
            _ if self.form().is_some() => nothing(),
            Whitespace::Compact => comma,
            Whitespace::Spaced => Expr::Literal(", ".to_owned()),
            Whitespace::Flexible(_) | Whitespace::Unbounded | Whitespace::Indent(_) => {
                Expr::Seq(vec![comma, self.blanks(self.level + 1)])
            }
            Whitespace::Usual(most) => {
                let blank = Expr::Literal(" ".to_owned());
                let blanks = Expr::Alt(vec![nothing(), blank, line(most)]);
                Expr::Seq(vec![comma, blanks])
            }
        }
    }

    /// Between a key and its value.
    pub fn colon(&self) -> Expr {
        if let Inside::Call = self.inside {
            let equals = Expr::Literal("=".to_owned());
            return match self.whitespace {
                Whitespace::Flexible(_) | Whitespace::Unbounded => {
                    Expr::Seq(vec![self.blanks(0), equals, self.blanks(0)])
                }
                // As those write who take care of their code.
                _ => equals,
            };
        }
        match self.whitespace {
            Whitespace::Compact => Expr::Literal(":".to_owned()),
            Whitespace::Spaced | Whitespace::Indent(_) => Expr::Literal(": ".to_owned()),
            Whitespace::Usual(_) => {
                let blank = Expr::Literal(" ".to_owned());
                Expr::Seq(vec![Expr::Literal(":".to_owned()), or_nothing(blank)])
            }
            Whitespace::Flexible(_) | Whitespace::Unbounded => Expr::Seq(vec![
                self.blanks(0),
                Expr::Literal(":".to_owned()),
                self.blanks(0),
            ]),
        }
    }

    fn blanks(&self, level: u32) -> Expr {
        match self.whitespace {
            Whitespace::Compact | Whitespace::Spaced | Whitespace::Usual(_) => nothing(),
            Whitespace::Flexible(most) => up_to(most, &BLANKS),
            Whitespace::Unbounded => Expr::Repeat {
                expr: Box::new(Expr::Class(BLANKS.to_vec())),
                min: 0,
                max: None,
            },
            Whitespace::Indent(width) => {
                let spaces = usize::from(width) * level as usize;
                Expr::Literal(format!("\n{}", " ".repeat(spaces)))
            }
        }
    }
}

/// JSON's blanks.
const BLANKS: [(char, char); 3] = [('\t', '\n'), ('\r', '\r'), (' ', ' ')];

/// Blanks that a model may write before and behind the whole value.
const AROUND: u8 = 4;

/// A value with blanks around it.
pub fn whole(value: Expr) -> Expr {
    let around = || up_to(AROUND, &BLANKS);
    Expr::Seq(vec![around(), value, around()])
}

/// A line feed and up to `most` blanks of indentation.
fn line(most: u8) -> Expr {
    let line_feed = Expr::Literal("\n".to_owned());
    let indentation = up_to(most, &[('\t', '\t'), (' ', ' ')]);
    Expr::Seq(vec![line_feed, indentation])
}

fn up_to(most: u8, blanks: &[(char, char)]) -> Expr {
    Expr::Repeat {
        expr: Box::new(Expr::Class(blanks.to_vec())),
        min: 0,
        max: Some(u32::from(most)),
    }
}

fn or_nothing(expr: Expr) -> Expr {
    Expr::Alt(vec![nothing(), expr])
}

fn nothing() -> Expr {
    Expr::Seq(Vec::new())
}
