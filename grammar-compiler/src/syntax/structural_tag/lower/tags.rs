//! Tags, alone and with separators between them.
//!
//! In: a tag, and the ends around it. Out: its begin, its content up to one of its ends, and what
//! follows that end.

use super::super::ast::{FieldText, Format, FormatKind, Tag};
use super::{EndsAround, FormatExit, LoweredFormat, TagLowering, nothing};
use crate::grammar::{Expr, Graph, GraphState};
use crate::source::Span;

impl TagLowering<'_> {
    pub(super) fn tag<'f>(&mut self, tag: &'f Tag, around: &EndsAround<'f>) -> LoweredFormat {
        let begin = self.speller.delimiter(&tag.begin);
        Ok(Expr::Seq(vec![begin, self.body(tag, around)?]))
    }

    /// A tag without its begin.
    pub(super) fn body<'f>(&mut self, tag: &'f Tag, around: &EndsAround<'f>) -> LoweredFormat {
        let after = self.shared(self.exits(around)?, tag.span);
        if let Expr::Literal(_) = after {
            let ends = tag.ends.len();
            let mut exits = around.exits.iter();
            exits.try_for_each(|exit| self.copies(exit.end, ends))?;
        }
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
        if self.is_closed(tag) {
            let ends = Expr::Alt(vec![nothing(), self.exits(&inner)?]);
            return Ok(Expr::Seq(vec![unended, ends]));
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
        let some = match stop_after_first {
            true => self.one_of(tags, around)?,
            false => self.list(tags, separator, around)?,
        };
        Ok(match at_least_one {
            true => some,
            false => Expr::Alt(vec![self.exits(around)?, some]),
        })
    }

    /// Tags with separators between them, as a graph in which each tag stands once: a copy for the
    /// last place would double the work of each level of tags in tags. Only a tag that may end in
    /// free text has such a copy, if there are exits: in the last place its text ends where an exit
    /// is first complete.
    fn list<'f>(
        &mut self,
        tags: &'f [Tag],
        separator: &FieldText,
        around: &EndsAround<'f>,
    ) -> LoweredFormat {
        let has_exits = !around.exits.is_empty();
        let is_open = |tag: &&Tag| has_exits && !self.is_closed(tag);
        let (open, closed): (Vec<&Tag>, Vec<&Tag>) = tags.iter().partition(is_open);
        let inner = around.inner();
        let separator = self.speller.literal(&separator.value);

        // A state that nothing leads to would be a rule without texts where the grammar is printed.
        // So those behind tags follow.
        let (start, done) = (0, 1);
        let again = || (separator.clone(), start);
        let mut states = vec![GraphState::default(); 2];
        states[done as usize].is_final = true;
        let mut behind = |edges: Vec<(Expr, u32)>| {
            let is_final = false;
            states.push(GraphState { is_final, edges });
            states.len() as u32 - 1
        };
        let mut firsts = Vec::new();
        if !closed.is_empty() {
            let behind_closed = behind(vec![again(), (self.exits(around)?, done)]);
            firsts.push((self.one_of(closed, &inner)?, behind_closed));
        }
        if !open.is_empty() {
            let others = self.one_of(open.iter().copied(), &inner)?;
            firsts.push((others, behind(vec![again()])));
            firsts.push((self.one_of(open, around)?, done));
        }
        states[start as usize].edges = firsts;
        Ok(Expr::Graph(Graph { states }.into()))
    }

    /// Whether what comes right behind a tag changes nothing within it.
    fn is_closed(&self, tag: &Tag) -> bool {
        !tag.may_end_anywhere() || (self.options.tags.outer_ends && !tag.content.ends_in_text())
    }

    pub(super) fn one_of<'f>(
        &mut self,
        tags: impl IntoIterator<Item = &'f Tag>,
        around: &EndsAround<'f>,
    ) -> LoweredFormat {
        let tags = tags.into_iter();
        let tags: Result<_, _> = tags.map(|tag| self.tag(tag, around)).collect();
        Ok(Expr::Alt(tags?))
    }
}
