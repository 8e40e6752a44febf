//! A server's registry: the tools and grammars of requests, compiled once.
//!
//! In: requests, as [`GrammarText`]s. Out: [`Handle`]s, from which matchers are made. What holds:
//! [`Registry::get`] compiles only the part around calls, once for each format; the registry's own
//! threads compile pieces and whole grammars. Meanwhile texts are followed in the [first
//! tier](crate::lazy); where that cannot follow, the matcher compiles what it needs. Decoding waits
//! for no lock of the registry.
//!
//! Tools are [linked](crate::link) where they can be, and compiled as a whole otherwise.

mod explain;
mod fallback;
mod first;
mod handle;
mod logits_mask;
mod metrics;
mod queue;
mod refusal;
mod served;
mod store;
mod whole;
mod wholes;
mod workers;

pub use crate::cache::RefusedFile;
pub use handle::Handle;
pub use metrics::Metrics;
pub use served::{MaskSource, ServedMatcher};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use maskwright_core::OwnedVocabulary;

use self::fallback::Fallback;
use self::handle::Served;
use self::queue::Queue;
use self::store::Store;
use self::wholes::Wholes;
use self::workers::Workers;
use super::{LinkTarget, NotLinked};
use crate::compile::Compiler;
use crate::error::Error;
use crate::lazy::LazyVocabulary;
use crate::limits::Limits;
use crate::setters::setters;
use crate::syntax::{GrammarText, Kind};
use crate::vocabulary::VocabularyError;

/// A structural tag with fewer pieces is compiled as a whole: there is little to share, and its
/// first tier is there at once.
const LEAST_PIECES: usize = 2;

/// How a registry runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegistryOptions {
    /// Frames that a stack may have. Default 64.
    pub depth: usize,
    /// Bytes of tables, texts and errors that are kept for later requests; the least recently used
    /// go first. What a handle or a matcher uses stays as long as they do; once nothing is used,
    /// the bytes are within the limit. Matchers of the [first tier](crate::lazy) may take as many
    /// bytes again. [`Metrics`] has both sums; `docs/linking.md` says what is in neither. Default
    /// 256 MiB.
    pub bytes: usize,
    /// Threads that compile, so that decoding threads keep the other processors. Other threads
    /// compile only in [`Handle::wait`], and where the first tier does not follow a text. With no
    /// threads, texts stay in the first tier unless somebody waits. Default: a quarter of the
    /// processors, at least 1.
    pub threads: usize,
    /// Time for [`Registry::get`], for one compile with the reading before it, for a call that
    /// reads a grammar, and for waiting for another thread that does one of these, if
    /// [`Limits::time`](crate::limits::Limits::time) is not less. Default 10 seconds.
    pub time: Duration,
    /// A folder in which parts are kept from one process to the next, and that several processes of
    /// one user may share: it is made for its owner alone, and files of other users are passed
    /// over. Default: none.
    pub folder: Option<PathBuf>,
}

setters!(RegistryOptions {
    depth: usize,
    bytes: usize,
    threads: usize,
    time: Duration,
    folder: Option<PathBuf>,
});

impl Default for RegistryOptions {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        RegistryOptions {
            depth: 64,
            bytes: 256 << 20,
            threads: (cores / 4).max(1),
            time: Duration::from_secs(10),
            folder: None,
        }
    }
}

/// What a server holds for one vocabulary: tools and grammars by request. Several registries run
/// side by side in one process.
///
/// ```
/// use maskwright_compiler::link::registry::{Registry, RegistryOptions};
/// use maskwright_compiler::syntax::tools::ToolOptions;
/// use maskwright_compiler::{Compiler, GrammarText};
/// # use maskwright_compiler::vocabulary::Vocabulary;
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
    wholes: Arc<Wholes>,
    store: Arc<Store>,
    options: RegistryOptions,
    /// Dropped last: its threads end then.
    _workers: Workers,
}

impl Registry {
    /// A registry for the vocabulary and the options of a compiler. Starts its threads.
    ///
    /// # Errors
    /// If the vocabulary has no room for what parts need.
    pub fn new(compiler: &Compiler, options: RegistryOptions) -> Result<Self, VocabularyError> {
        // Each compile has one thread: several run side by side.
        let compile = compiler.options().clone().threads(1);
        let time = compile.limits.time.min(options.time);
        let limits = compile.limits.clone().time(time);
        let compiler = compiler.with_options(compile.limits(limits));
        let mut target = LinkTarget::new(&compiler)?;
        if let Some(folder) = &options.folder {
            target = target.with_folder(folder);
        }
        let queue = Arc::new(Queue::default());
        let store = Store::new(options.bytes, &queue, &target.bases);
        let workers = Workers::start(options.threads, &queue, &store);
        let wholes = Wholes {
            lazy: LazyVocabulary::within(&compiler, options.bytes)?,
            vocabulary: target.vocabulary().clone(),
            compiler: compiler.clone(),
            store: store.clone(),
            depth: options.depth,
        };
        Ok(Registry {
            target: Arc::new(target),
            compiler,
            wholes: Arc::new(wholes),
            store,
            options,
            _workers: workers,
        })
    }

    /// What a request may be answered with. The handle is usable at once: what has not been
    /// compiled yet is compiled by the registry's threads, and matchers work meanwhile.
    ///
    /// # Errors
    /// If the request is refused, as far as is known without compiling (see [`Handle::wait`]), or
    /// takes longer than [`RegistryOptions::time`].
    pub fn get(&self, request: &GrammarText) -> Result<Handle, Error> {
        let limits = self.compiler.options().limits.begun();
        if let Some(handle) = self.linked(request, &limits)? {
            return Ok(handle);
        }
        let whole = self.wholes.get(request, &limits)?;
        Ok(Handle::new(Served::Whole(whole, self.wholes.clone())))
    }

    /// The parts of a request, linked; `None` if it cannot be.
    fn linked(&self, request: &GrammarText, limits: &Limits) -> Result<Option<Handle>, Error> {
        let (target, store) = (&self.target, &*self.store);
        let depth = self.options.depth;
        let linked = match request.kind() {
            Kind::Tools => {
                let (source, options) = request.source_and_options(limits)?;
                target.link(&source, &options, store, depth)
            }
            Kind::StructuralTag => {
                let (source, options) = request.source_and_options(limits)?;
                target.link_tag(&source, &options, LEAST_PIECES, store, depth)
            }
            Kind::Ebnf | Kind::Lark | Kind::Regex | Kind::JsonSchema => return Ok(None),
        };
        match linked {
            Ok(linked) => {
                let fallback = Arc::new(Fallback::new(&self.wholes, &self.target, request));
                let served = Served::Linked(Arc::new(linked), fallback);
                Ok(Some(Handle::new(served)))
            }
            Err(NotLinked::Refused(error)) if !error.is_of_tables() => Err(*error),
            // If only tables are refused, the first tier follows the whole.
            Err(_) => Ok(None),
        }
    }

    /// The vocabulary, for rows of masks and texts of tokens.
    pub fn vocabulary(&self) -> &OwnedVocabulary {
        self.target.vocabulary()
    }

    /// What the registry has done so far.
    pub fn metrics(&self) -> Metrics {
        Metrics {
            files_refused: self.target.files_refused(),
            first_tier_matchers: self.wholes.lazy.matchers() as u64,
            first_tier_bytes: self.wholes.lazy.matcher_bytes() as u64,
            ..self.store.metrics()
        }
    }

    /// The files of the folder that were passed over, at most the last 64 of them since this was
    /// last asked: something damages them, or other programs or users write there. What they should
    /// have held has been compiled, and written anew. Also the folder itself, or the one above it,
    /// if other users can write to it; it is used all the same.
    pub fn warnings(&self) -> Vec<RefusedFile> {
        self.target.take_refused()
    }
}

/// A server's threads share all of these.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Registry>();
    is_shared::<Handle>();
    is_shared::<ServedMatcher>();
    is_shared::<Metrics>();
};
