//! Tools and structural tags that are linked when a program is built.
//!
//! In: tools or a tag, and what they are linked for. Out: [`LinkedItem`]s. What holds after: each
//! part lies in the folder of the cache, so that a change of one tool or one schema compiles one
//! piece.

use std::sync::Arc;

use proc_macro2::{Ident, TokenStream};

use super::GrammarText;
use crate::compile::Compiler;
use crate::emit::{Embedding, LinkedItem};
use crate::error::Error;
use crate::limits::Limits;
use crate::link::{LinkTables, LinkTarget, NoStore, NotLinked};
use crate::maps::KeyedMap;
use crate::syntax::Kind;
use crate::syntax::tools::ToolCalls;

/// The depth of linked matchers, unless another one is said.
const DEPTH: usize = 32;
/// The folder of parts in that of the cache.
const FOLDER: &str = "parts";

/// Links tools and tags for one vocabulary.
#[doc(hidden)]
#[derive(Debug)]
pub struct Linker {
    pub(super) target: Arc<LinkTarget>,
    limits: Limits,
    threads: usize,
}

/// What has been linked.
#[doc(hidden)]
#[derive(Debug)]
pub struct ToolTables {
    tables: LinkTables,
    calls: Option<ToolCalls>,
    depth: usize,
}

impl Linker {
    /// Links with the options of `compiler`, and keeps parts beside what its cache keeps.
    ///
    /// # Errors
    /// If the vocabulary's tables are not what this compiler packs, or have no room for the ids of
    /// exits.
    pub fn new(compiler: &Compiler) -> Result<Self, Error> {
        let target = LinkTarget::new(compiler)?;
        let target = match compiler.cache().folder() {
            Some(folder) => target.with_folder(&folder.join(FOLDER)),
            None => target,
        };
        Ok(Linker {
            target: Arc::new(target),
            limits: compiler.options().limits.clone(),
            threads: compiler.options().thread_count(),
        })
    }

    /// Links tools or a structural tag for matchers of this depth, or of 32 frames.
    ///
    /// # Errors
    /// If the text is refused, or cannot be linked.
    pub fn link(&self, text: &GrammarText, depth: Option<usize>) -> Result<ToolTables, NotLinked> {
        let depth = depth.unwrap_or(DEPTH);
        let limits = self.limits.begun();
        let (source, options) = text.source_and_options(&limits)?;
        let linked = match text.kind() {
            Kind::StructuralTag => self
                .target
                .link_tag(&source, &options, 1, &NoStore, depth)?,
            _ => self.target.link(&source, &options, &NoStore, depth)?,
        };
        linked.compile_within(self.threads, &limits)?;
        Ok(ToolTables {
            tables: linked.to_tables()?,
            calls: linked.calls().cloned(),
            depth,
        })
    }
}

/// How a table of this name is embedded in what is generated.
type EmbedTable<'e> = dyn Fn(&str, &[u8]) -> Result<Embedding, Error> + 'e;

impl ToolTables {
    /// The item of this name for `text`. `embed` says how the tables of each part are embedded.
    ///
    /// # Errors
    /// What `embed` says.
    pub fn item(
        &self,
        name: Ident,
        visibility: TokenStream,
        text: &GrammarText,
        embed: &EmbedTable<'_>,
    ) -> Result<LinkedItem, Error> {
        let LinkTables {
            base,
            outer,
            pieces,
            link,
        } = &self.tables;
        let (kept, places) = once(pieces);
        let all = [outer, link].into_iter().chain(base);
        let bytes = all.chain(kept.iter().copied()).map(Vec::len).sum();
        let pieces = kept.iter().enumerate();
        let pieces = pieces.map(|(at, piece)| embed(&format!("PIECE_{at}"), piece));
        Ok(LinkedItem {
            name,
            visibility,
            attributes: TokenStream::new(),
            origin: text.description(),
            depth: self.depth,
            base: base.as_ref().map(|base| embed("BASE", base)).transpose()?,
            outer: embed("OUTER", outer)?,
            pieces: pieces.collect::<Result<Vec<Embedding>, Error>>()?,
            places,
            link: embed("LINK", link)?,
            bytes,
            calls: self.calls.clone().map(Box::new),
        })
    }
}

/// Equal pieces once, and for each place which it is.
fn once(pieces: &[Vec<u8>]) -> (Vec<&Vec<u8>>, Vec<usize>) {
    let mut known = KeyedMap::default();
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
