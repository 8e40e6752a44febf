//! What a registry has done so far, as numbers.

use std::time::Duration;

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
    /// Pieces of tools and whole grammars that have been compiled or read from the folder, in
    /// whichever thread. Those that a [`Handle::wait`](super::Handle::wait) has waited for are
    /// counted when it returns.
    pub compiled: u64,
    /// Those of them that were refused.
    pub refused: u64,
    /// Those of them in which the compiler panicked. They are refused, too.
    pub failed: u64,
    /// Those of them that were not compiled by the registry's threads, but by a matcher or a
    /// [`Handle::wait`](super::Handle::wait) that needed them at once.
    pub at_once: u64,
    /// Time that compiling them took, added up over all threads.
    pub compile_time: Duration,
    /// The longest of these times.
    pub longest_compile: Duration,
    /// Compiles that were not begun since nobody waited for them any more.
    pub cancelled: u64,
    /// Compiles that were begun and ended early since nobody waited for them any more.
    pub stopped: u64,
    /// Masks of linked tools that came from the first tier, since a piece that they needed was not
    /// compiled yet.
    pub first_tier_masks: u64,
    /// Compiles that wait.
    pub queued: u64,
    /// Parts and grammars that are kept.
    pub entries: u64,
    /// Bytes of tables, of texts that have no tables yet and what was read from them, and of
    /// errors, that are kept or used.
    pub bytes: u64,
    /// Those of them that have not been compiled yet.
    pub bytes_not_compiled: u64,
    /// Matchers that are in the first tier now.
    pub first_tier_matchers: u64,
    /// Bytes that they hold. These are not part of `bytes`.
    pub first_tier_bytes: u64,
    /// Files of the folder that were passed over, since they were cut off, changed or of something
    /// else: see [`Registry::warnings`](super::Registry::warnings).
    pub files_refused: u64,
}
