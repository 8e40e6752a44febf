//! Matchers of all sizes behind one type.
//!
//! In: memory of the caller. Out: the matcher that lies there, as a [`Methods`] object. A Rust matcher's depth and number of stacks are
//! part of its type; here a mark in front of the matcher says which of the few sizes it is.

#[cfg(feature = "batches")]
use maskwright_core::{BufferTooSmall, PoolError, PooledRow};
use maskwright_core::{Grammar, Mask, Matcher, MatcherError};

#[cfg(feature = "batches")]
use crate::kept::{Buffer, Pool};
use crate::status::Status;

/// What all matchers can do.
pub(crate) trait Methods {
    fn mask(&self) -> Mask<'_>;
    fn grammar(&self) -> &'static Grammar<'static>;
    fn accept_token(&mut self, id: u32) -> Status;
    fn accept_bytes(&mut self, bytes: &[u8]) -> Status;
    fn accept_draft(&mut self, ids: &[u32]) -> usize;
    fn check_draft(&self, ids: &[u32]) -> usize;
    fn is_complete(&self) -> bool;
    fn is_finished(&self) -> bool;
    fn reset(&mut self);
    fn forced_bytes(&self, bytes: &mut [u8]) -> usize;
    fn forced_tokens(&self, ids: &mut [u32]) -> usize;
    #[cfg(feature = "batches")]
    fn row_of(&self, pool: &mut Pool) -> Result<PooledRow, PoolError>;
    #[cfg(feature = "batches")]
    fn update(&self, buffer: &mut Buffer, row: usize) -> Result<bool, BufferTooSmall>;
}

impl<const DEPTH: usize, const STACKS: usize> Methods for Matcher<'static, DEPTH, STACKS> {
    fn mask(&self) -> Mask<'_> {
        self.mask()
    }

    fn grammar(&self) -> &'static Grammar<'static> {
        self.grammar()
    }

    fn accept_token(&mut self, id: u32) -> Status {
        self.accept_token(id).into()
    }

    fn accept_bytes(&mut self, bytes: &[u8]) -> Status {
        self.accept_bytes(bytes).into()
    }

    fn accept_draft(&mut self, ids: &[u32]) -> usize {
        self.accept_draft(ids)
    }

    fn check_draft(&self, ids: &[u32]) -> usize {
        self.check_draft(ids)
    }

    fn is_complete(&self) -> bool {
        self.is_complete()
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn forced_bytes(&self, bytes: &mut [u8]) -> usize {
        self.forced_bytes(bytes)
    }

    fn forced_tokens(&self, ids: &mut [u32]) -> usize {
        self.forced_tokens(ids)
    }

    #[cfg(feature = "batches")]
    fn row_of(&self, pool: &mut Pool) -> Result<PooledRow, PoolError> {
        pool.row_of(self)
    }

    #[cfg(feature = "batches")]
    fn update(&self, buffer: &mut Buffer, row: usize) -> Result<bool, BufferTooSmall> {
        buffer.update(row, self)
    }
}

/// A matcher as it lies in memory.
#[repr(C, align(8))]
struct Stored<M> {
    /// [`MARK`] and the size's place in [`SIZES`].
    mark: u32,
    matcher: M,
}

/// Tells memory of a matcher from other memory, most of the time.
const MARK: u32 = 0x4d53_4b00;

/// One of the sizes that matchers have.
pub(crate) struct Size {
    /// The depth.
    pub(crate) depth: usize,
    /// The number of stacks.
    stacks: usize,
    /// Bytes in memory.
    pub(crate) bytes: usize,
    new: unsafe fn(*mut u8, u32, &'static Grammar<'static>) -> Result<(), MatcherError>,
    object: unsafe fn(*mut u8) -> *mut dyn Methods,
}

impl Size {
    const fn of<const DEPTH: usize, const STACKS: usize>() -> Self {
        Size {
            depth: DEPTH,
            stacks: STACKS,
            bytes: size_of::<Stored<Matcher<'static, DEPTH, STACKS>>>(),
            new: new::<DEPTH, STACKS>,
            object: object::<DEPTH, STACKS>,
        }
    }

    /// The least size with this depth and as many stacks as the grammar needs.
    pub(crate) fn find(grammar: &Grammar<'_>, depth: usize) -> Option<(usize, &'static Size)> {
        let fits = |size: &Size| size.depth >= depth && size.stacks >= grammar.max_stacks();
        let sizes = SIZES.iter().enumerate().filter(|(_, size)| fits(size));
        sizes.min_by_key(|(_, size)| size.bytes)
    }

    /// Makes a matcher.
    ///
    /// # Safety
    ///
    /// `memory` is aligned to 8, and `bytes` bytes long.
    pub(crate) unsafe fn make(
        &self,
        at: usize,
        memory: *mut u8,
        grammar: &'static Grammar<'static>,
    ) -> Result<(), MatcherError> {
        // SAFETY: the caller says that it is.
        unsafe { (self.new)(memory, MARK | at as u32, grammar) }
    }
}

/// All sizes.
static SIZES: &[Size] = &[
    Size::of::<32, 1>(),
    Size::of::<128, 1>(),
    Size::of::<512, 1>(),
    Size::of::<32, 8>(),
    Size::of::<128, 8>(),
    Size::of::<512, 8>(),
    // 64 KB and more: not for small machines.
    #[cfg(feature = "std")]
    Size::of::<32, 64>(),
    #[cfg(feature = "std")]
    Size::of::<128, 64>(),
    #[cfg(feature = "std")]
    Size::of::<512, 64>(),
];

/// # Safety
///
/// The memory is aligned and large enough for what is stored.
unsafe fn new<const DEPTH: usize, const STACKS: usize>(
    memory: *mut u8,
    mark: u32,
    grammar: &'static Grammar<'static>,
) -> Result<(), MatcherError> {
    let matcher = Matcher::<DEPTH, STACKS>::new(grammar)?;
    // SAFETY: the caller says that it is.
    unsafe {
        memory
            .cast::<Stored<Matcher<'static, DEPTH, STACKS>>>()
            .write(Stored { mark, matcher })
    };
    Ok(())
}

/// # Safety
///
/// The memory holds such a matcher.
unsafe fn object<const DEPTH: usize, const STACKS: usize>(memory: *mut u8) -> *mut dyn Methods {
    let stored = memory.cast::<Stored<Matcher<'static, DEPTH, STACKS>>>();
    // SAFETY: the caller says that it lies there; no reference is made.
    unsafe { &raw mut (*stored).matcher }
}

/// The size of the matcher in the memory.
///
/// # Safety
///
/// The pointer is null, not aligned, or to memory of a matcher.
pub(crate) unsafe fn size_of_matcher(memory: *const u8) -> Result<&'static Size, Status> {
    if memory.is_null() {
        return Err(Status::NullPointer);
    }
    if !memory.addr().is_multiple_of(8) {
        return Err(Status::NotAligned);
    }
    // SAFETY: neither null nor misaligned; every matcher begins with its mark.
    let mark = unsafe { memory.cast::<u32>().read() };
    SIZES.get((mark ^ MARK) as usize).ok_or(Status::NotAMatcher)
}

/// The matcher in the memory.
///
/// # Safety
///
/// The pointer is null, not aligned, or to memory of a matcher that nothing changes for `'a`.
pub(crate) unsafe fn shared<'a>(memory: *const u8) -> Result<&'a dyn Methods, Status> {
    // SAFETY: as the caller says; the size is the one that the matcher was made with.
    unsafe { Ok(&*(size_of_matcher(memory)?.object)(memory.cast_mut())) }
}

/// The matcher in the memory, to be changed.
///
/// # Safety
///
/// The pointer is null, not aligned, or to memory of a matcher that nothing else uses for `'a`.
pub(crate) unsafe fn exclusive<'a>(memory: *mut u8) -> Result<&'a mut dyn Methods, Status> {
    // SAFETY: as the caller says; the size is the one that the matcher was made with.
    unsafe { Ok(&mut *(size_of_matcher(memory)?.object)(memory)) }
}
