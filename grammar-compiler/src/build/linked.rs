//! What a [`Builder`](super::Builder) links.
//!
//! In: a run of the builder. Out: [`LinkedItem`]s, in the order in which they were added.

use quote::quote;

use super::GrammarText;
use super::directive::{Directive, failure};
use super::linker::Linker;
use super::run::{BuildRun, PACKAGE, identifier};
use crate::emit::LinkedItem;
use crate::error::Error;
use crate::link::NotLinked;
use crate::syntax::Kind;

impl BuildRun<'_> {
    /// The items of all that is linked, in the order in which they were added.
    pub(super) fn linked(&mut self) -> Result<Vec<LinkedItem>, Error> {
        let builder = self.builder;
        if builder.linked.is_empty() {
            return Ok(Vec::new());
        }
        let linker = Linker::new(self.compiler)?;
        let items = builder.linked.iter();
        let items = items.map(|(name, text)| self.linked_item(name, text, &linker));
        let items = items.collect();
        for refused in linker.target.take_refused() {
            (self.direct)(Directive::Warning(refused.to_string()));
        }
        items
    }

    fn linked_item(
        &mut self,
        name: &str,
        text: &GrammarText,
        linker: &Linker,
    ) -> Result<LinkedItem, Error> {
        let ident = identifier(name)?;
        let text = text.or_schema_options(self.builder.schema_options.as_ref());
        let text = text.or_folder(PACKAGE);
        // Linking reads schemas only in part, so warnings and mistakes with their places come from
        // reading the whole text.
        let limits = self.builder.options.limits.begun();
        self.parse(&text.clone().tokens(self.packed.names()), &limits)?;
        let mut depths = self.builder.depths.iter().rev();
        let depth = depths.find(|(of, _)| of == name).map(|of| of.1);
        let linked = linker
            .link(&text, depth)
            .map_err(|why| refused(name, text.kind(), why))?;
        let embed =
            |part: &str, bytes: &[u8]| self.output.write_tables(&format!("{name}_{part}"), bytes);
        linked.item(ident, quote!(pub), &text, &embed)
    }
}

fn refused(name: &str, kind: Kind, why: NotLinked) -> Error {
    let help = match kind {
        Kind::StructuralTag => {
            "compile it as a whole: `.structural_tag_file(…)` instead of `.linked_structural_tag_file(…)`"
        }
        _ => "compile them as a whole: `.tools_file(…)` instead of `.linked_tools_file(…)`",
    };
    match why {
        NotLinked::Refused(error) => *error,
        other => failure(format!("`{name}`: {other}")).help(help).into(),
    }
}
