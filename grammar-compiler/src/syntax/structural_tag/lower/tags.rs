//! Tags, alone and with separators between them.
//!
//! In: a tag, and the ends around it. Out: its begin, its content up to one of its ends, and what follows that end.

use super::super::ast::{Format, FormatKind, Tag};
use super::{EndsAround, FormatExit, LoweredFormat, TagLowering, nothing};
use crate::grammar::Expr;
use crate::source::Span;

impl TagLowering<'_> {
    pub(super) fn tag<'f>(&mut self, tag: &'f Tag, around: &EndsAround<'f>) -> LoweredFormat {
        let begin = self.speller.delimiter(&tag.begin);
        Ok(Expr::Seq(vec![begin, self.body(tag, around)?]))
    }

    /// A tag without its begin.
    pub(super) fn body<'f>(&mut self, tag: &'f Tag, around: &EndsAround<'f>) -> LoweredFormat {
        let after = self.shared(self.exits(around), tag.span);
        let own = tag.filled_ends().map(|end| FormatExit {
            end,
            after: after.clone(),
        });
        let mut inner = EndsAround {
            exits: own.collect(),
            forbidden: match self.options.tags.outer_ends {
                true => around.inner().forbidden,
                false => Vec::new(),
            },
        };
        if !tag.may_end_anywhere() {
            return self.format(&tag.content, &inner);
        }
        if !around.exits.is_empty() {
            inner.exits.extend(around.exits.iter().cloned());
            return self.format(&tag.content, &inner);
        }
        // The content may end without an end; its text does not contain one.
        let unended = self.format(&tag.content, &inner.inner())?;
        if inner.exits.is_empty() {
            return Ok(unended);
        }
        Ok(Expr::Alt(vec![unended, self.format(&tag.content, &inner)?]))
    }

    /// The same, as a rule where it is more than one text: it stands behind several ends.
    pub(super) fn shared(&mut self, expr: Expr, span: Span) -> Expr {
        match &expr {
            Expr::Literal(_) | Expr::Tokens(_) => expr,
            Expr::Seq(parts) if parts.is_empty() => expr,
            _ => self.rule("end", expr, span),
        }
    }

    pub(super) fn separated<'f>(
        &mut self,
        format: &'f Format,
        around: &EndsAround<'f>,
    ) -> LoweredFormat {
        let FormatKind::TagsWithSeparator {
            tags,
            separator,
            at_least_one,
            stop_after_first,
        } = &format.kind
        else {
            return Ok(nothing());
        };
        let last = self.one_of(tags, around)?;
        let some = match stop_after_first {
            true => last,
            false => {
                let tag = self.one_of(tags, &around.inner())?;
                let separator = self.speller.literal(&separator.value);
                let before = Expr::Repeat {
                    expr: Box::new(Expr::Seq(vec![tag, separator])),
                    min: 0,
                    max: None,
                };
                Expr::Seq(vec![before, last])
            }
        };
        Ok(match at_least_one {
            true => some,
            false => Expr::Alt(vec![self.exits(around), some]),
        })
    }

    fn one_of<'f>(&mut self, tags: &'f [Tag], around: &EndsAround<'f>) -> LoweredFormat {
        let tags: Result<_, _> = tags.iter().map(|tag| self.tag(tag, around)).collect();
        Ok(Expr::Alt(tags?))
    }
}
