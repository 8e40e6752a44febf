//! Where a text stands, without the grammar.
//!
//! In: a [`Grammar`] at each call. Out: [`State`], which borrows nothing, and can be compared,
//! hashed and written as bytes. What holds throughout: a state belongs to the tables that it was
//! made for; each call with other tables is an error.

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::error::{AcceptError, MatcherError, OtherGrammar, StateError};
use crate::id::TablesId;
use crate::language::{Language, Mask};
use crate::matcher::Matcher;
use crate::saved;
use crate::stack::FixedText;
use crate::tables::Grammar;

/// Where a text stands in a grammar that is given with each call: a [`Matcher`] without the borrow.
///
/// A state can be kept beside its grammar in one structure, in a cache, or on another machine: it
/// is `Copy`, holds no reference, and [`write_to`](Self::write_to) and
/// [`read_from`](Self::read_from) turn it to bytes and back. Two states are equal, and hash alike,
/// if they are of [the same tables](Grammar::id) and have the same live stacks with the same live
/// frames; what follows two equal states is the same.
///
/// Each call compares the 32 bytes of an [id](Grammar::id), and is an error for another grammar.
/// [`matcher`](Self::matcher) does so once for many calls.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, vocabulary) = example::tables();
/// use maskwright_core::{Grammar, State, Vocabulary};
///
/// let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
/// let mut state = State::<8>::new(&grammar)?;
/// state.accept_bytes(&grammar, b"[12,[")?;
/// assert!(state.mask(&grammar)?.contains(b'1' as u32));
///
/// let mut bytes = [0; State::<8>::MAX_BYTES];
/// let len = state.write_to(&mut bytes)?;
/// // Elsewhere, later, with the same tables.
/// let again = State::<8>::read_from(&bytes[..len], &grammar)?;
/// assert_eq!(again, state);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct State<const DEPTH: usize, const STACKS: usize = 1> {
    tables: TablesId,
    text: FixedText<(), DEPTH, STACKS>,
}

impl<const DEPTH: usize, const STACKS: usize> State<DEPTH, STACKS> {
    /// The most bytes that [`write_to`](Self::write_to) writes.
    pub const MAX_BYTES: usize = saved::most_bytes(DEPTH, STACKS);

    /// The beginning of a text.
    ///
    /// # Errors
    ///
    /// As for [`Matcher::new`].
    pub fn new(grammar: &Grammar<'_>) -> Result<Self, MatcherError> {
        Ok(Matcher::new(grammar)?.state())
    }

    /// The id of the tables that the state belongs to.
    pub fn tables(&self) -> TablesId {
        self.tables
    }

    /// The state with its grammar.
    ///
    /// # Errors
    ///
    /// If the state is of another grammar.
    pub fn matcher<'t>(
        &self,
        grammar: &'t Grammar<'t>,
    ) -> Result<Matcher<'t, DEPTH, STACKS>, OtherGrammar> {
        self.check(grammar)?;
        Ok(Matcher {
            language: grammar,
            text: self.text,
        })
    }

    /// [`Matcher::mask`].
    ///
    /// # Errors
    ///
    /// If the state is of another grammar.
    #[inline]
    pub fn mask<'a>(&'a self, grammar: &'a Grammar<'a>) -> Result<Mask<'a>, OtherGrammar> {
        self.check(grammar)?;
        Ok(Mask::of(grammar, &self.text))
    }

    /// [`Matcher::accept_token`].
    ///
    /// # Errors
    ///
    /// As there, and [`AcceptError::OtherGrammar`] if the state is of another one. The state is
    /// then as it was.
    #[inline]
    pub fn accept_token(&mut self, grammar: &Grammar<'_>, id: u32) -> Result<(), AcceptError> {
        self.check(grammar)?;
        grammar.accept_token(&mut self.text, id, &mut ())
    }

    /// [`Matcher::accept_bytes`].
    ///
    /// # Errors
    ///
    /// As there, and [`AcceptError::OtherGrammar`] if the state is of another one. The state is
    /// then as it was.
    #[inline]
    pub fn accept_bytes(&mut self, grammar: &Grammar<'_>, bytes: &[u8]) -> Result<(), AcceptError> {
        self.check(grammar)?;
        grammar.accept_bytes(&mut self.text, bytes, &mut ())
    }

    /// [`Matcher::accept_draft`].
    ///
    /// # Errors
    ///
    /// If the state is of another grammar.
    pub fn accept_draft(
        &mut self,
        grammar: &Grammar<'_>,
        draft: &[u32],
    ) -> Result<usize, OtherGrammar> {
        let mut matcher = self.matcher(grammar)?;
        let accepted = matcher.accept_draft(draft);
        self.text = matcher.text;
        Ok(accepted)
    }

    /// [`Matcher::check_draft`].
    ///
    /// # Errors
    ///
    /// If the state is of another grammar.
    pub fn check_draft(&self, grammar: &Grammar<'_>, draft: &[u32]) -> Result<usize, OtherGrammar> {
        Ok(self.matcher(grammar)?.check_draft(draft))
    }

    /// [`Matcher::forced_bytes`].
    ///
    /// # Errors
    ///
    /// If the state is of another grammar.
    pub fn forced_bytes(
        &self,
        grammar: &Grammar<'_>,
        buffer: &mut [u8],
    ) -> Result<usize, OtherGrammar> {
        Ok(self.matcher(grammar)?.forced_bytes(buffer))
    }

    /// [`Matcher::forced_tokens`].
    ///
    /// # Errors
    ///
    /// If the state is of another grammar.
    pub fn forced_tokens(
        &self,
        grammar: &Grammar<'_>,
        buffer: &mut [u32],
    ) -> Result<usize, OtherGrammar> {
        Ok(self.matcher(grammar)?.forced_tokens(buffer))
    }

    /// [`Matcher::finish`].
    ///
    /// # Errors
    ///
    /// As there, and [`AcceptError::OtherGrammar`] if the state is of another one. The state is
    /// then as it was.
    pub fn finish(&mut self, grammar: &Grammar<'_>) -> Result<(), AcceptError> {
        let mut matcher = self.matcher(grammar)?;
        matcher.finish()?;
        self.text = matcher.text;
        Ok(())
    }

    /// [`Matcher::is_complete`].
    ///
    /// # Errors
    ///
    /// If the state is of another grammar.
    pub fn is_complete(&self, grammar: &Grammar<'_>) -> Result<bool, OtherGrammar> {
        Ok(self.matcher(grammar)?.is_complete())
    }

    /// [`Matcher::is_finished`].
    pub fn is_finished(&self) -> bool {
        self.text.stacks.is_empty()
    }

    /// Bytes that [`write_to`](Self::write_to) writes: 44, for each stack 6 and 2 for each of its
    /// frames, and 2 more for each stack while the tokens of a limited text are counted.
    pub fn byte_len(&self) -> usize {
        self.text.stacks.saved_len()
    }

    /// Writes the state to the beginning of a buffer; returns the number of bytes. The form is the
    /// same on all machines, has a version of its own, and does not depend on `DEPTH` and `STACKS`:
    /// it may be read into a state of other sizes.
    ///
    /// ```text
    /// 0   4 bytes    "MSKS"
    /// 4   2 bytes    version of the form: 1; 2 while tokens are counted; 3 for a graph
    /// 6   2 bytes    number of stacks; 0 if the text is finished
    /// 8   32 bytes   what tells the tables: checksum (4), length in words (4), hash of the grammar (8), hash of the vocabulary (8),
    ///                and for tables that stand beside others what tells those (8), or 0
    /// 40  each stack: state (4), number of frames (2), in version 2 the tokens so far (2), each frame (2), that at the bottom first
    ///     in version 3 each head: state (4), number of frames (2), node (2); then words (2)
    ///     4 bytes    CRC-32 of all bytes before
    /// ```
    ///
    /// All numbers have their low byte first.
    ///
    /// # Errors
    ///
    /// If the buffer is too short: see [`byte_len`](Self::byte_len). Nothing is written then.
    pub fn write_to(&self, buffer: &mut [u8]) -> Result<usize, StateError> {
        self.text.stacks.write_to(self.tables, buffer)
    }

    /// Reads what [`write_to`](Self::write_to) wrote. The bytes are not trusted: what is read has
    /// only states and frames that the grammar has, and each of its stacks can be finished within
    /// `DEPTH`. Bytes do not show whether some text leads there; sign them if others hand them in.
    ///
    /// # Errors
    ///
    /// If the bytes are not a whole state of this grammar, or one that needs more frames or stacks.
    pub fn read_from(bytes: &[u8], grammar: &Grammar<'_>) -> Result<Self, StateError> {
        Ok(Matcher::read_from(bytes, grammar)?.state())
    }

    #[inline]
    fn check(&self, grammar: &Grammar<'_>) -> Result<(), OtherGrammar> {
        if self.tables == grammar.id() {
            Ok(())
        } else {
            Err(OtherGrammar)
        }
    }
}

impl<'t, const DEPTH: usize, const STACKS: usize> Matcher<'t, DEPTH, STACKS> {
    /// Where the text stands, without the borrow of the grammar; [`State::matcher`] is the way
    /// back.
    pub fn state(&self) -> State<DEPTH, STACKS> {
        State {
            tables: self.language.id(),
            text: self.text,
        }
    }
}

impl<const DEPTH: usize, const STACKS: usize> PartialEq for State<DEPTH, STACKS> {
    fn eq(&self, other: &Self) -> bool {
        self.tables == other.tables && self.text.stacks == other.text.stacks
    }
}

impl<const DEPTH: usize, const STACKS: usize> Eq for State<DEPTH, STACKS> {}

impl<const DEPTH: usize, const STACKS: usize> Hash for State<DEPTH, STACKS> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.tables.hash(hasher);
        self.text.stacks.hash(hasher);
    }
}

impl<const DEPTH: usize, const STACKS: usize> fmt::Debug for State<DEPTH, STACKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("tables", &self.tables)
            .field("stacks", &self.text.stacks)
            .finish()
    }
}
