//! What a function says: that it was done, or why not.

use core::ffi::{CStr, c_char};

use maskwright_core::{
    AcceptError, BufferTooSmall, LoadError, MatcherError, PoolError, StateError,
};

/// What came of a call. Everything but MASKWRIGHT_STATUS_OK left things as they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// It was done.
    Ok = 0,
    /// The grammar does not allow this here.
    NotAllowed = 1,
    /// The text could then not be finished within the matcher's depth.
    TooDeep = 2,
    /// The text is more ambiguous than the matcher has memory for. Only where no number of stacks
    /// is proved to be enough.
    TooManyStacks = 3,
    /// The grammar was loaded without a vocabulary, so that the bytes of tokens are not known.
    NoVocabulary = 4,
    /// The buffer is too short.
    BufferTooSmall = 5,
    /// A pointer is null that must not be.
    NullPointer = 6,
    /// The memory for a grammar, a matcher, a pool or a buffer is not aligned to 8 bytes.
    NotAligned = 7,
    /// This is not a matcher, or the two matchers are not of one grammar and depth.
    NotAMatcher = 8,
    /// Not even the shortest text could be finished within this depth: see
    /// maskwright_least_depth().
    DepthTooSmall = 9,
    /// Matchers have no such depth: it is at most 65,535.
    DepthTooLarge = 10,
    /// These are not tables of the kind that was asked for.
    Foreign = 11,
    /// The tables are of another version of the format: compile the grammar again.
    Version = 12,
    /// The tables are cut off, or something follows them.
    Length = 13,
    /// The tables were changed after they were made.
    Checksum = 14,
    /// The tables contradict their layout.
    Corrupt = 15,
    /// The grammar was compiled for another vocabulary.
    OtherVocabulary = 16,
    /// The tables share sets of other tables: see maskwright_grammar_load_beside().
    OtherTables = 17,
    /// This is not a pool or not a buffer, or one that was moved or copied.
    NotAPool = 18,
    /// All rows of the pool hold masks of this step: it needs as many rows as there are sequences.
    PoolFull = 19,
    /// The grammar may need any number of stacks, which are then a graph: this library was built
    /// without the feature `graphs`.
    StacksNotProved = 20,
    /// No grammar was loaded into this memory.
    NotAGrammar = 21,
    /// These bytes are not a state of a text of this grammar, or were damaged.
    NotAState = 22,
}

impl Status {
    /// All of them, each at its number.
    const ALL: [Status; 23] = [
        Status::Ok,
        Status::NotAllowed,
        Status::TooDeep,
        Status::TooManyStacks,
        Status::NoVocabulary,
        Status::BufferTooSmall,
        Status::NullPointer,
        Status::NotAligned,
        Status::NotAMatcher,
        Status::DepthTooSmall,
        Status::DepthTooLarge,
        Status::Foreign,
        Status::Version,
        Status::Length,
        Status::Checksum,
        Status::Corrupt,
        Status::OtherVocabulary,
        Status::OtherTables,
        Status::NotAPool,
        Status::PoolFull,
        Status::StacksNotProved,
        Status::NotAGrammar,
        Status::NotAState,
    ];

    fn message(self) -> &'static CStr {
        match self {
            Status::Ok => c"done",
            Status::NotAllowed => c"the grammar does not allow this here",
            Status::TooDeep => c"the text would nest deeper than the matcher's depth",
            Status::TooManyStacks => c"the text is more ambiguous than the matcher has memory for",
            Status::NoVocabulary => c"the grammar was loaded without a vocabulary",
            Status::BufferTooSmall => c"the buffer is too short",
            Status::NullPointer => c"a pointer is null",
            Status::NotAligned => c"the memory must be aligned to 8 bytes",
            Status::NotAMatcher => c"this is not a matcher, or not one of this grammar and depth",
            Status::DepthTooSmall => c"no text could be finished within this depth: take a greater one",
            Status::DepthTooLarge => c"matchers have no such depth: it is at most 65,535",
            Status::Foreign => c"these are not tables of maskwright, or of the other kind",
            Status::Version => c"the tables have another format version: compile the grammar again with the matching compiler",
            Status::Length => c"the tables are cut off, or something follows them",
            Status::Checksum => c"the tables were damaged: their checksum differs",
            Status::Corrupt => c"the tables are corrupt: a word contradicts the layout",
            Status::OtherVocabulary => c"the grammar was compiled for another vocabulary",
            Status::OtherTables => c"the tables share sets of other tables: load them beside those",
            Status::NotAPool => c"this is not a pool or a buffer, or one that was moved or copied",
            Status::PoolFull => c"all rows of the pool hold masks of this step: give it as many rows as there are sequences",
            Status::StacksNotProved => c"no number of stacks is proved to be enough for the grammar: \
                build the library with its feature `graphs`",
            Status::NotAGrammar => c"no grammar was loaded into this memory",
            Status::NotAState => c"these bytes are no state of this grammar, or were damaged",
        }
    }
}

/// What a status means, in English; it must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn maskwright_status_message(status: i32) -> *const c_char {
    let known = usize::try_from(status)
        .ok()
        .and_then(|at| Status::ALL.get(at));
    known
        .map_or(c"no such status", |status| status.message())
        .as_ptr()
}

impl From<LoadError> for Status {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Foreign { .. } => Status::Foreign,
            LoadError::Version { .. } => Status::Version,
            LoadError::Length { .. } => Status::Length,
            LoadError::Checksum { .. } => Status::Checksum,
            LoadError::OtherVocabulary { .. } => Status::OtherVocabulary,
            LoadError::OtherTables { .. } => Status::OtherTables,
            _ => Status::Corrupt,
        }
    }
}

impl From<StateError> for Status {
    fn from(error: StateError) -> Self {
        match error {
            StateError::BufferTooShort { .. } => Status::BufferTooSmall,
            StateError::DepthTooSmall { .. } => Status::TooDeep,
            StateError::StacksTooFew => Status::TooManyStacks,
            _ => Status::NotAState,
        }
    }
}

impl From<MatcherError> for Status {
    fn from(error: MatcherError) -> Self {
        match error {
            MatcherError::DepthTooSmall { .. } => Status::DepthTooSmall,
            MatcherError::StacksNotProved => Status::StacksNotProved,
            _ => Status::DepthTooLarge,
        }
    }
}

impl From<AcceptError> for Status {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::TooDeep => Status::TooDeep,
            AcceptError::TooManyStacks => Status::TooManyStacks,
            AcceptError::NoVocabulary => Status::NoVocabulary,
            _ => Status::NotAllowed,
        }
    }
}

impl From<PoolError> for Status {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::RowTooShort(_) => Status::BufferTooSmall,
            _ => Status::PoolFull,
        }
    }
}

impl From<BufferTooSmall> for Status {
    fn from(_: BufferTooSmall) -> Self {
        Status::BufferTooSmall
    }
}

impl<E: Into<Status>> From<Result<(), E>> for Status {
    fn from(result: Result<(), E>) -> Self {
        result.map_or_else(Into::into, |()| Status::Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_lies_at_its_number_and_has_its_message() {
        for (at, status) in Status::ALL.iter().enumerate() {
            assert_eq!(*status as usize, at);
            // SAFETY: it comes from a `CStr`.
            let message = unsafe { CStr::from_ptr(maskwright_status_message(at as i32)) };
            assert_eq!(message, status.message());
        }
        for unknown in [-1, Status::ALL.len() as i32, i32::MAX, i32::MIN] {
            // SAFETY: it comes from a `CStr`.
            let message = unsafe { CStr::from_ptr(maskwright_status_message(unknown)) };
            assert_eq!(message, c"no such status");
        }
    }
}
