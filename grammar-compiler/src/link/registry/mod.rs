//! What a server holds: tools and grammars by request, compiled once.
//!
//! In: requests, as [`GrammarText`]s. Out: [`Handle`]s, from which matchers are made. What holds: [`Registry::get`] compiles nothing but what stands around calls, once for each format; pieces of tools
//! and whole grammars are compiled by the registry's own threads, or by the first matcher that needs one. Decoding takes no lock of the registry.
//!
//! Tools are [linked](crate::link) where they can be, and compiled as a whole otherwise.

mod handle;
mod store;
mod workers;

pub use handle::{Handle, ServedMatcher};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use maskwright_core::OwnedVocabulary;

use self::handle::{Served, Whole};
use self::store::Store;
use self::workers::Workers;
use super::{LinkTarget, NotLinked};
use crate::compile::Compiler;
use crate::error::Error;
use crate::lazy::LazyVocabulary;
use crate::setters::setters;
use crate::syntax::{GrammarText, Kind};
use crate::vocabulary::VocabularyError;

/// How a registry runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegistryOptions {
    /// Frames that a stack may have. Default 64.
    pub depth: usize,
    /// Bytes of tables that are kept for later requests; the least recently used go first. What a handle uses stays as long as the handle. Default 256 MiB.
    pub bytes: usize,
    /// Threads that compile. They are the only ones that do so but for those that need a piece at once, so that decoding threads keep the other processors. Default: a quarter of the processors, at
    /// least 1.
    pub threads: usize,
    /// Compiles that may wait; further ones are done when a matcher needs them. Default 4,096.
    pub queue: usize,
    /// A folder in which parts are kept from one process to the next, and that several processes may share. Default: none.
    pub folder: Option<PathBuf>,
}

setters!(RegistryOptions {
    depth: usize,
    bytes: usize,
    threads: usize,
    queue: usize,
    folder: Option<PathBuf>,
});

impl Default for RegistryOptions {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        RegistryOptions {
            depth: 64,
            bytes: 256 << 20,
            threads: (cores / 4).max(1),
            queue: 4_096,
            folder: None,
        }
    }
}

/// What a registry has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// Parts and grammars that were asked for and were there.
    pub hits: u64,
    /// Those that were not.
    pub misses: u64,
    /// Those that have been dropped to keep within the limit of bytes.
    pub evictions: u64,
    /// Pieces of tools and whole grammars that have been compiled or read from the folder, in whichever thread. Those that a [`Handle::wait`] has waited for are counted when it returns.
    pub compiled: u64,
    /// Time that compiling them took, added up over all threads.
    pub compile_time: Duration,
    /// Compiles that were not begun since nobody waited for them any more.
    pub cancelled: u64,
    /// Compiles that wait.
    pub queued: u64,
    /// Bytes of tables that are kept.
    pub bytes: u64,
}

/// What a server holds for one vocabulary: tools and grammars by request. Several registries run side by side in one process.
///
/// ```
/// use maskwright_compiler::link::registry::{Registry, RegistryOptions};
/// use maskwright_compiler::syntax::tools::ToolOptions;
/// use maskwright_compiler::{Compiler, GrammarText};
/// # use maskwright_compiler::Vocabulary;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
/// # let compiler = Compiler::new(&Vocabulary::from_tokens(tokens, vec![256]))?;
/// let registry = Registry::new(&compiler, RegistryOptions::default())?;
/// let tools = r#"[{"name": "now", "inputSchema": {"type": "object", "properties": {}}}]"#;
/// let request = GrammarText::tools(tools).tool_options(ToolOptions::format("qwen_3"));
/// let handle = registry.get(&request)?; // usable at once
/// let mut matcher = handle.matcher()?;
/// matcher.accept_bytes(b"Let me see.\n<tool_call>\n{\"name\": \"now\"")?;
/// assert_eq!(registry.metrics().misses, 2); // what stands around calls, and one tool
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Registry {
    target: Arc<LinkTarget>,
    compiler: Compiler,
    /// What the first tier knows of the vocabulary.
    lazy: Arc<LazyVocabulary>,
    store: Arc<Store>,
    options: RegistryOptions,
    /// Dropped last: its threads end when nothing waits any more.
    workers: Workers,
}

impl Registry {
    /// A registry for the vocabulary and the options of a compiler. Starts its threads.
    ///
    /// # Errors
    /// If the vocabulary has no room for what parts need.
    pub fn new(compiler: &Compiler, options: RegistryOptions) -> Result<Self, VocabularyError> {
        // Each compile has one thread: several run side by side.
        let compiler = compiler.with_options(compiler.options().clone().threads(1));
        let mut target = LinkTarget::new(&compiler)?;
        if let Some(folder) = &options.folder {
            target = target.with_folder(folder);
        }
        let workers = Workers::start(options.threads, options.queue);
        Ok(Registry {
            target: Arc::new(target),
            lazy: LazyVocabulary::new(&compiler)?,
            compiler,
            store: Arc::new(Store::new(options.bytes, workers.queue())),
            options,
            workers,
        })
    }

    /// What a request may be answered with. The handle is usable at once: what has not been compiled yet is compiled by the registry's threads, or when a matcher gets there.
    ///
    /// # Errors
    /// If the request is refused, as far as is known without compiling: see [`Handle::wait`].
    pub fn get(&self, request: &GrammarText) -> Result<Handle, Error> {
        if request.kind() == Kind::Tools
            && let Some(handle) = self.linked(request)?
        {
            return Ok(handle);
        }
        let (source, _) = request.source_and_options(&self.compiler.options().limits)?;
        let key = store::whole_key(request, &source);
        let make = |compiles: &_| {
            let vocabulary = self.target.vocabulary();
            Whole::new(request.clone(), &self.compiler, vocabulary, compiles)
        };
        let whole = self.store.whole(key, make);
        let served = Served::Whole(whole, self.lazy.clone());
        Ok(Handle::new(served, self.options.depth))
    }

    /// The tools of a request, linked; `None` if they cannot be.
    fn linked(&self, request: &GrammarText) -> Result<Option<Handle>, Error> {
        let (source, options) = request.source_and_options(&self.compiler.options().limits)?;
        let depth = self.options.depth;
        let linked = self.target.link(&source, &options, &*self.store, depth);
        match linked {
            Ok(linked) => {
                let served = Served::Linked(Arc::new(linked));
                Ok(Some(Handle::new(served, depth)))
            }
            Err(NotLinked::Refused(error)) => Err(*error),
            Err(_) => Ok(None),
        }
    }

    /// The vocabulary, for rows of masks and texts of tokens.
    pub fn vocabulary(&self) -> &OwnedVocabulary {
        self.target.vocabulary()
    }

    /// What the registry has done so far.
    pub fn metrics(&self) -> Metrics {
        let mut metrics = self.store.metrics();
        self.workers.add_to(&mut metrics);
        metrics
    }
}
