//! Tools that a build script links.
//!
//! In: the tools of a builder. Out: [`LinkedItem`]s, whose tables lie in files. What holds after: each part lies in the folder of the cache, so that a change of one tool compiles one piece.

use std::collections::HashMap;
use std::sync::Arc;

use quote::quote;

use super::run::{Run, identifier};
use super::{GrammarText, failure};
use crate::emit::{Embedding, LinkedItem};
use crate::error::Error;
use crate::link::{LinkTables, LinkTarget, NotLinked, Unshared};
use crate::vocabulary::VocabularyError;
use crate::{Compiler, PreparedVocabulary};

/// The depth of matchers of linked tools, unless the builder says another one.
const DEPTH: usize = 32;
/// The folder of parts in that of the cache.
const FOLDER: &str = "parts";

impl Run<'_> {
    /// The items of all linked tools, in the order in which they were added.
    pub(super) fn linked(&self) -> Result<Vec<LinkedItem>, Error> {
        let builder = self.builder;
        if builder.linked.is_empty() {
            return Ok(Vec::new());
        }
        let target = self.target(self.packed.prepared()?)?;
        let target = Arc::new(target);
        let items = builder.linked.iter();
        items
            .map(|(name, text)| self.linked_item(name, text, &target))
            .collect()
    }

    fn target(&self, vocabulary: &PreparedVocabulary) -> Result<LinkTarget, VocabularyError> {
        let compiler = Compiler::of(vocabulary.clone()).with_options(self.builder.options.clone());
        let target = LinkTarget::new(&compiler)?;
        Ok(match self.cache.folder() {
            Some(folder) => target.with_folder(&folder.join(FOLDER)),
            None => target,
        })
    }

    fn linked_item(
        &self,
        name: &str,
        text: &GrammarText,
        target: &Arc<LinkTarget>,
    ) -> Result<LinkedItem, Error> {
        let ident = identifier(name)?;
        let text = text.or_schema_options(self.builder.schema_options.as_ref());
        let (source, options) = text.source_and_options(&self.builder.options.limits)?;
        let mut depths = self.builder.depths.iter().rev();
        let depth = depths.find(|(of, _)| of == name).map_or(DEPTH, |of| of.1);
        let linked = target
            .link(&source, &options, &Unshared, depth)
            .and_then(|linked| Ok((linked.to_tables()?, linked)));
        let (tables, linked) = linked.map_err(|why| refused(name, why))?;
        let file =
            |part: &str, bytes: &[u8]| self.output.write_tables(&format!("{name}_{part}"), bytes);
        let LinkTables {
            base,
            outer,
            pieces,
            link,
        } = &tables;
        let base = base.as_ref().map(|base| file("BASE", base)).transpose()?;
        let (kept, places) = once(pieces);
        let files = kept.iter().enumerate();
        let files = files.map(|(at, piece)| file(&format!("PIECE_{at}"), piece));
        let all = [outer, link].into_iter().chain(&tables.base);
        let bytes = all.chain(kept.iter().copied()).map(Vec::len).sum();
        Ok(LinkedItem {
            visibility: quote!(pub),
            origin: text.description(),
            depth,
            base,
            outer: file("OUTER", outer)?,
            pieces: files.collect::<Result<Vec<Embedding>, Error>>()?,
            places,
            link: file("LINK", link)?,
            bytes,
            calls: Box::new(linked.calls().clone()),
            name: ident,
        })
    }
}

/// Equal pieces once, and for each place which it is.
fn once(pieces: &[Vec<u8>]) -> (Vec<&Vec<u8>>, Vec<usize>) {
    let mut known = HashMap::new();
    let mut kept = Vec::new();
    let places = pieces.iter().map(|piece| {
        *known.entry(piece).or_insert_with(|| {
            kept.push(piece);
            kept.len() - 1
        })
    });
    let places = places.collect();
    (kept, places)
}

fn refused(name: &str, why: NotLinked) -> Error {
    match why {
        NotLinked::Refused(error) => *error,
        other => failure(format!("`{name}`: {other}"))
            .help("compile them as a whole: `.tools_file(…)` instead of `.linked_tools_file(…)`")
            .into(),
    }
}
