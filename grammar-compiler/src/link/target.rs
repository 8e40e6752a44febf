//! What parts are compiled for, and where they are kept.
//!
//! In: a compiler, and perhaps a folder. Out: [`LinkTarget`], which compiles parts, and keeps the base of each format and the files of parts. What holds: all parts that are linked have one target, so
//! they agree in vocabulary and options.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use maskwright_core::{OwnedPart, OwnedVocabulary};

use super::NotLinked;
use super::base::{BaseCell, PieceBase};
use super::cell::PartCell;
use super::outer::OuterPart;
use super::part::{PartVocabulary, Role, compile_part};
use super::request::Request;
use crate::cache::{Cache, KeyBuilder, RefusedFile};
use crate::compile::Compiler;
use crate::digest::Digest;
use crate::error::Error;
use crate::grammar::Grammar;
use crate::options::Options;
use crate::parts;
use crate::source::Source;
use crate::syntax::ParseOptions;
use crate::syntax::tools::parts::format;
use crate::syntax::tools::{FormatSource, ToolFormat};
use crate::vocabulary::VocabularyError;

/// The most files of a folder of parts; the oldest go first.
const MAX_FILES: usize = 4_096;

/// The most bases that are kept: one for each format and its options. When there are more, all are dropped, and those that are needed are made again.
const MAX_BASES: usize = 64;

/// A vocabulary and options: what all parts that are linked have in common.
#[derive(Debug)]
pub struct LinkTarget {
    pub(super) tokens: Arc<PartVocabulary>,
    pub(super) vocabulary: OwnedVocabulary,
    pub(super) options: Options,
    /// Bases of formats, by their keys.
    bases: Mutex<HashMap<Digest, Arc<BaseCell>>>,
    files: Cache,
    /// Formats that have been read, by name.
    formats: Mutex<HashMap<String, ToolFormat>>,
}

/// Where parts are kept. Each is asked for by a key of all that it depends on but the vocabulary and the options of the target.
pub trait PartStore: Send + Sync {
    /// The outer part with this key, made now if there is none.
    ///
    /// # Errors
    /// Those of `make`.
    fn outer(
        &self,
        key: Digest,
        make: &dyn Fn() -> Result<OuterPart, NotLinked>,
    ) -> Result<Arc<OuterPart>, NotLinked>;

    /// The pieces with these keys, in their order. `make` makes the piece of the key at this place; it is cheap, as it does not compile.
    fn pieces(&self, keys: &[Digest], make: &dyn Fn(usize) -> PartCell) -> Vec<Arc<PartCell>>;
}

/// A store that keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unshared;

impl PartStore for Unshared {
    fn outer(
        &self,
        _: Digest,
        make: &dyn Fn() -> Result<OuterPart, NotLinked>,
    ) -> Result<Arc<OuterPart>, NotLinked> {
        make().map(Arc::new)
    }

    fn pieces(&self, keys: &[Digest], make: &dyn Fn(usize) -> PartCell) -> Vec<Arc<PartCell>> {
        (0..keys.len()).map(|at| Arc::new(make(at))).collect()
    }
}

impl LinkTarget {
    /// What a compiler compiles for.
    ///
    /// # Errors
    /// If the vocabulary has no room for the ids of exits.
    pub fn new(compiler: &Compiler) -> Result<Self, VocabularyError> {
        let prepared = compiler.prepared()?;
        let tables = prepared.vocabulary().pack()?;
        let vocabulary = OwnedVocabulary::load(tables);
        let vocabulary = vocabulary.map_err(|_| VocabularyError::TooManyIds {
            ids: prepared.vocabulary().size().into(),
        })?;
        Ok(LinkTarget {
            tokens: Arc::new(PartVocabulary::new(prepared)?),
            vocabulary,
            options: compiler.options().clone(),
            bases: Mutex::default(),
            files: Cache::disabled(),
            formats: Mutex::default(),
        })
    }

    /// The same with a folder in which parts are kept, which several processes may share. Entries that are cut off, changed or of other versions are passed over.
    #[must_use]
    pub fn with_folder(mut self, folder: &Path) -> Self {
        self.files = Cache::at(folder).with_entries(MAX_FILES);
        self
    }

    /// The number of files of the folder that were passed over.
    pub(super) fn files_refused(&self) -> u64 {
        self.files.refusals()
    }

    /// The last of these files, since this was last called.
    pub(super) fn take_refused(&self) -> Vec<RefusedFile> {
        self.files.take_refused()
    }

    /// The part with this key from the folder, or else what `make` makes, which is then put there.
    pub(super) fn kept(
        &self,
        key: Digest,
        base: Option<&PieceBase>,
        make: impl FnOnce() -> Result<OwnedPart, NotLinked>,
    ) -> Result<OwnedPart, NotLinked> {
        let mut builder = KeyBuilder::new("part");
        builder.digest(key);
        builder.options(&self.options);
        builder.number(self.tokens.whole().vocabulary_hash());
        builder.number(base.is_some().into());
        base.iter().for_each(|base| builder.digest(base.digest));
        let key = builder.finish();
        let other = base.map(|base| &base.part);
        let known = self.files.get(key);
        if let Some(bytes) = known {
            match OwnedPart::load(&bytes, &self.vocabulary, other) {
                Ok(part) => return Ok(part),
                Err(_) => self
                    .files
                    .refuse(key, "it holds no part for this vocabulary"),
            }
        }
        let part = make()?;
        self.files.put(key, &part.to_bytes());
        Ok(part)
    }

    /// The vocabulary, for matchers.
    pub fn vocabulary(&self) -> &OwnedVocabulary {
        &self.vocabulary
    }

    /// The place of the base with this key.
    pub(super) fn base_cell(&self, key: Digest) -> Arc<BaseCell> {
        let mut bases = self.bases.lock().unwrap_or_else(PoisonError::into_inner);
        if bases.len() >= MAX_BASES && !bases.contains_key(&key) {
            bases.clear();
        }
        bases.entry(key).or_default().clone()
    }

    /// The part that pieces stand beside: it has pieces with values of all kinds.
    pub(super) fn base(&self, request: &Request, outer: &OuterPart) -> Option<PieceBase> {
        let part = self.kept(request.base_key(&outer.reserved), None, || {
            let parsed = request.common(self.tokens.exit(0));
            let parsed = parsed.ok_or(NotLinked::NotAPart("no piece is a schema"))??;
            let reserved = &outer.reserved;
            self.compile(&parsed.grammar, 1, reserved, Role::Base, &self.options)
        });
        let part = part.ok()?;
        let (beside, endings) = {
            let view = part.view();
            let beside = self.tokens.whole().beside(view.grammar()).ok()?;
            (beside, parts::of_part(&view, &self.vocabulary.view()))
        };
        Some(PieceBase {
            digest: Digest::of("base", &part.to_bytes()),
            part,
            beside,
            endings,
        })
    }

    /// Compiles and loads a part, with options that may differ from the target's.
    pub(super) fn compile(
        &self,
        grammar: &Grammar,
        exits: u32,
        reserved: &[u32],
        role: Role<'_>,
        options: &Options,
    ) -> Result<OwnedPart, NotLinked> {
        let part = compile_part(grammar, &self.tokens, exits, reserved, role, options)?;
        let base = role.base().map(|base| &base.part);
        OwnedPart::load(part.bytes(), &self.vocabulary, base)
            .map_err(|_| NotLinked::NotAPart("its tables cannot be loaded"))
    }

    /// The format of a request: one that is built in is read once.
    pub(super) fn format(
        &self,
        request: &Source,
        options: &ParseOptions,
    ) -> Result<ToolFormat, Error> {
        let Some(FormatSource::Named(name)) = &options.tools.format else {
            return format(request, options);
        };
        let lock = || (self.formats.lock()).unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(name) {
            return Ok(known.clone());
        }
        let format = format(request, options)?;
        lock().insert(name.clone(), format.clone());
        Ok(format)
    }
}
