//! What parts are compiled for, and where they are kept.
//!
//! In: a compiler, and perhaps a folder. Out: [`LinkTarget`], which compiles parts, and keeps the
//! base of each format and the files of parts. What holds: all parts that are linked have one
//! target, so they agree in vocabulary and options.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use maskwright_core::link::OwnedPart;
use maskwright_core::{LoadError, OwnedVocabulary};

use super::NotLinked;
use super::base::{Bases, PieceBase};
use super::cell::PartCell;
use super::digests::KnownDigests;
use super::outer::OuterPart;
use super::part::{PartVocabulary, Role, compile_part};
use super::request::Request;
use crate::cache::{Cache, EntryKind, KeyBuilder, RefusedFile, most_bytes};
use crate::compile::Compiler;
use crate::digest::{Digest, Digester};
use crate::error::Error;
use crate::grammar::Grammar;
use crate::limits::Limits;
use crate::maps::KeyedMap;
use crate::options::Options;
use crate::parts;
use crate::source::Source;
use crate::syntax::ParseOptions;
use crate::syntax::tools::parts::format;
use crate::syntax::tools::{FormatSource, ToolFormat};
use crate::vocabulary::VocabularyError;

/// The most files of a folder of parts; the oldest go first.
const MAX_FILES: usize = 4_096;

/// A vocabulary and options: what all parts that are linked have in common.
#[derive(Debug)]
pub struct LinkTarget {
    pub(super) tokens: Arc<PartVocabulary>,
    pub(super) vocabulary: OwnedVocabulary,
    /// Knows what stands for the vocabulary in the names of files.
    compiler: Compiler,
    pub(super) options: Options,
    pub(super) bases: Arc<Bases>,
    /// Digests of pieces.
    pub(super) digests: KnownDigests,
    files: Cache,
    /// Formats that have been read, by name.
    formats: Mutex<KeyedMap<String, ToolFormat>>,
}

/// The use of parts of a store, which ends when this is dropped.
#[derive(Default)]
pub struct Lease(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Lease {
    /// A use that ends with this call.
    pub(super) fn new(end: impl FnOnce() + Send + Sync + 'static) -> Self {
        Lease(Some(Box::new(end)))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(end) = self.0.take() {
            end();
        }
    }
}

/// What makes an outer part within limits.
pub type MakeOuter<'a> = dyn Fn(&Limits) -> Result<OuterPart, NotLinked> + 'a;

/// Where parts are kept. Each is asked for by a key of all that it depends on but the vocabulary
/// and the options of the target. A part is used until the [`Lease`] with it is dropped.
pub trait PartStore: Send + Sync {
    /// The outer part with this key, made now if there is none. A caller that waits for another one
    /// does so within the time of its limits.
    ///
    /// # Errors
    /// Those of `make`.
    fn outer(
        &self,
        key: Digest,
        limits: &Limits,
        make: &MakeOuter<'_>,
    ) -> Result<(Arc<OuterPart>, Lease), NotLinked>;

    /// The pieces with these keys, in their order. `make` makes the piece of the key at this place;
    /// it is cheap, as it does not compile.
    fn pieces(
        &self,
        keys: &[Digest],
        make: &dyn Fn(usize) -> PartCell,
    ) -> (Vec<Arc<PartCell>>, Lease);
}

/// A store that keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStore;

impl PartStore for NoStore {
    fn outer(
        &self,
        _: Digest,
        limits: &Limits,
        make: &MakeOuter<'_>,
    ) -> Result<(Arc<OuterPart>, Lease), NotLinked> {
        Ok((make(limits)?.into(), Lease::default()))
    }

    fn pieces(
        &self,
        keys: &[Digest],
        make: &dyn Fn(usize) -> PartCell,
    ) -> (Vec<Arc<PartCell>>, Lease) {
        let pieces = (0..keys.len()).map(|at| Arc::new(make(at)));
        (pieces.collect(), Lease::default())
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
            compiler: compiler.clone(),
            options: compiler.options().clone(),
            bases: Arc::default(),
            digests: KnownDigests::default(),
            files: Cache::disabled(),
            formats: Mutex::default(),
        })
    }

    /// The same with a folder in which parts are kept, which several processes may share. Entries
    /// that are cut off, changed or of other versions are passed over.
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
    pub(crate) fn take_refused(&self) -> Vec<RefusedFile> {
        self.files.take_refused()
    }

    /// The part with this key from the folder, or else what `make` makes, which is then put there.
    pub(super) fn kept(
        &self,
        key: Digest,
        base: Option<&PieceBase>,
        make: impl FnOnce() -> Result<OwnedPart, NotLinked>,
    ) -> Result<OwnedPart, NotLinked> {
        if self.files.folder().is_none() {
            return make();
        }
        let mut builder = KeyBuilder::new(EntryKind::Part);
        builder.digest(key);
        builder.options(&self.options);
        builder.key(self.compiler.vocabulary_key());
        builder.number(base.is_some().into());
        base.iter().for_each(|base| builder.digest(base.digest));
        let key = builder.finish();
        let most = most_bytes(&self.options.limits);
        let known = self.files.get(key, most);
        if let Some(bytes) = known {
            match self.load(&bytes, base) {
                Ok(part) => return Ok(part),
                Err(_) => self
                    .files
                    .refuse(key, "it holds no part for this vocabulary"),
            }
        }
        let part = make()?;
        self.files.put(key, &part.to_bytes(), most);
        Ok(part)
    }

    /// The vocabulary, for matchers.
    pub fn vocabulary(&self) -> &OwnedVocabulary {
        &self.vocabulary
    }

    /// The part that pieces stand beside: it has pieces with values of all kinds. `None` if there
    /// is none.
    ///
    /// # Errors
    /// If the piece that needs it is not waited for any more.
    pub(super) fn base(
        &self,
        request: &Request,
        outer: &OuterPart,
        limits: &Limits,
    ) -> Result<Option<PieceBase>, NotLinked> {
        let part = self.kept(request.base_key(&outer.reserved), None, || {
            let parsed = request.common(self.tokens.exit(0), limits);
            let parsed = parsed.ok_or(NotLinked::NotAPart("no piece is a schema"))??;
            let reserved = &outer.reserved;
            let options = self.options_within(limits);
            self.compile(&parsed.grammar, 1, reserved, Role::Base, &options)
        });
        let part = match part {
            Ok(part) => part,
            Err(why) if limits.cancel.is_over() => return Err(why),
            Err(_) => return Ok(None),
        };
        let view = part.view();
        let Ok(beside) = self.tokens.whole().beside(view.grammar()) else {
            return Ok(None);
        };
        let endings = parts::of_part(&view, &self.vocabulary.view());
        let bytes = part.memory() + beside.memory() + size_of_val(&*endings);
        Ok(Some(PieceBase {
            digest: Digest::of("base", &part.to_bytes()),
            part,
            beside,
            endings,
            bytes,
        }))
    }

    /// The options for what is compiled within a request that has begun with these limits.
    pub(super) fn options_within(&self, limits: &Limits) -> Options {
        let options = self.options.clone();
        let limits = options.limits.within(limits);
        options.limits(limits)
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
        self.load(part.bytes(), role.base())
            .map_err(|_| NotLinked::NotAPart("its tables cannot be loaded"))
    }

    /// Loads a part. Rows of a pool know it by a digest, as its text is a client's.
    fn load(&self, bytes: &[u8], base: Option<&PieceBase>) -> Result<OwnedPart, LoadError> {
        let part = OwnedPart::load(bytes, &self.vocabulary, base.map(|base| &base.part))?;
        let mut digester = Digester::new("part in a pool");
        digester.flag(base.is_some());
        base.iter().for_each(|base| digester.digest(base.digest));
        digester.digest(Digest::of("part", bytes));
        Ok(part.with_digest(digester.finish().halves()))
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
