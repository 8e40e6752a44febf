//! Token sets that calls of different tools have in common.
//!
//! In: a format. Out: the grammar of calls of some tools, which has most of the token sets that
//! calls of others have.

use super::{Rest, ToolParts};
use crate::error::Error;
use crate::limits::Limits;
use crate::source::{Sources, Span};
use crate::syntax::fields::FieldText;
use crate::syntax::kinds;
use crate::syntax::structural_tag::ast::{Format, FormatKind};
use crate::syntax::{Parsed, structural_tag};
use serde_json::{Value, json};

impl ToolParts {
    /// Rests of calls that have most of the token sets that calls of other tools have. Each begins
    /// with a text of its own, and ends with the token `exit`.
    ///
    /// # Errors
    /// If a limit is passed.
    pub(crate) fn common(&self, exit: u32, limits: &Limits) -> Result<Parsed, Error> {
        let parts = self.with_tools(&tools())?;
        let mut sources = Sources::from(&parts.source);
        let base = sources.add(parts.format.source().clone());
        let options = parts.options_within(limits);
        // Not all styles can write all kinds.
        let is_writable = |rest: &Rest| parts.piece(rest, exit, limits).is_ok();
        let rests = parts.rests().into_iter().filter(is_writable);
        let rests = rests.enumerate().filter_map(|(at, rest)| {
            let rest = parts.rest(&rest, base, exit, &options)?.ok()?;
            let span = rest.span;
            let value = format!("{at}:");
            let begin = FormatKind::ConstString(FieldText { value, span });
            let begin = Format { span, kind: begin };
            let kind = FormatKind::Sequence(vec![begin, rest]);
            Some(Format { span, kind })
        });
        let tag = Format {
            span: Span::default(),
            kind: FormatKind::Or(rests.collect()),
        };
        structural_tag::parse_format(&tag, sources, &options)
    }
}

/// A list of tools.
fn tools() -> String {
    let tools = kinds::objects().into_iter().enumerate();
    let tools = tools.map(|(at, schema)| json!({"name": format!("f{at}"), "parameters": schema}));
    Value::Array(tools.collect()).to_string()
}
