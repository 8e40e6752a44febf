//! A matcher as it lies in the caller's memory.
//!
//! In: memory of the caller. Out: the matcher that lies there, while it is used. First lies
//! [`ObjectHeader`], then the heads of its stacks, then their frames. There is no address in it but
//! that of the grammar, so that a copy of the memory is a copy of the matcher.

use maskwright_core::{AcceptError, BorrowedMatcher, Grammar, Head, MatcherError};

use crate::memory::buffer;
use crate::status::Status;

/// What lies before heads and frames.
#[repr(C, align(8))]
pub(crate) struct ObjectHeader {
    /// [`MARK`], mixed with depth and stacks.
    mark: u32,
    depth: u16,
    stacks: u16,
    /// The number of live stacks.
    live: u16,
    grammar: &'static Grammar<'static>,
}

/// A graph lies in the memory of as many stacks, as in generated code.
const GRAPH_STACKS: usize = 64;

/// Tells memory of a matcher from other memory, most of the time.
const MARK: u32 = 0x4d53_4b00;

/// The size of a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// The frames that a stack may have.
    pub(crate) depth: u16,
    stacks: u16,
}

impl Size {
    /// The size with this depth and as many stacks as the grammar needs, or with those in whose
    /// memory a graph lies.
    pub(crate) fn find(grammar: &Grammar<'_>, depth: usize) -> Option<Size> {
        let stacks = match grammar.stacks_are_proved() {
            true => grammar.max_stacks(),
            false => BorrowedMatcher::for_graph(GRAPH_STACKS),
        };
        let size = Size {
            depth: depth.try_into().ok()?,
            stacks: stacks.try_into().ok()?,
        };
        size.bytes().map(|_| size)
    }

    /// Heads and frames.
    fn parts(self) -> Option<(usize, usize)> {
        let frames = BorrowedMatcher::frames(self.depth.into(), self.stacks.into())?;
        Some((BorrowedMatcher::heads(self.stacks.into()), frames))
    }

    /// Bytes in memory.
    pub(crate) fn bytes(self) -> Option<usize> {
        const { assert!(align_of::<Head>() <= 8 && align_of::<u16>() <= align_of::<Head>()) };
        let (heads, frames) = self.parts()?;
        let heads = heads.checked_mul(size_of::<Head>())?;
        let frames = frames.checked_mul(size_of::<u16>())?;
        let bytes = size_of::<ObjectHeader>().checked_add(heads)?;
        bytes.checked_add(frames)?.checked_next_multiple_of(8)
    }

    /// The mark of a matcher of this size.
    fn mark(self) -> u32 {
        MARK ^ (u32::from(self.depth) | u32::from(self.stacks) << 16)
    }

    /// Heads and frames behind what is stored.
    ///
    /// # Safety
    ///
    /// The memory is as long as the size says, and used by nothing else for `'a`.
    unsafe fn slices<'a>(self, memory: *mut u8) -> Option<(&'a mut [Head], &'a mut [u16])> {
        let (heads, frames) = self.parts()?;
        // SAFETY: they lie behind what is stored, one after the other, aligned; the caller says
        // that there is room.
        unsafe {
            let start = memory.add(size_of::<ObjectHeader>()).cast::<Head>();
            let end = start.add(heads).cast::<u16>();
            Some((buffer(start, heads).ok()?, buffer(end, frames).ok()?))
        }
    }

    /// Makes a matcher.
    ///
    /// # Safety
    ///
    /// `memory` is aligned to 8, as long as the size says, and used by nothing else.
    pub(crate) unsafe fn make(
        self,
        memory: *mut u8,
        grammar: &'static Grammar<'static>,
    ) -> Result<(), MatcherError> {
        let too_large = MatcherError::TooLarge {
            most: u16::MAX.into(),
        };
        let (heads, frames) = self.parts().ok_or(too_large)?;
        // SAFETY: they lie behind what is stored, aligned; the caller says that there is room.
        // Nothing refers to it yet.
        let (heads, frames) = unsafe {
            let start = memory.add(size_of::<ObjectHeader>()).cast::<Head>();
            for at in 0..heads {
                start.add(at).write(Head::default());
            }
            let end = start.add(heads).cast::<u16>();
            for at in 0..frames {
                end.add(at).write(0);
            }
            self.slices(memory).ok_or(too_large)?
        };
        let matcher = BorrowedMatcher::new(grammar, self.depth.into(), heads, frames)?;
        let stored = ObjectHeader {
            mark: self.mark(),
            depth: self.depth,
            stacks: self.stacks,
            live: matcher.live(),
            grammar,
        };
        // SAFETY: aligned; the caller says that there is room.
        unsafe { memory.cast::<ObjectHeader>().write(stored) };
        Ok(())
    }
}

/// A matcher that is used: what has become of it is written back by [`Open::close`].
pub(crate) struct Open<'a> {
    pub(crate) matcher: BorrowedMatcher<'a>,
    live: *mut u16,
}

impl Open<'_> {
    /// Writes down how many stacks are live, if that has changed.
    pub(crate) fn close(self) {
        let live = self.matcher.live();
        // SAFETY: it lies in the memory that `open` was given, in a part that the matcher does not
        // refer to.
        unsafe {
            if self.live.read() != live {
                self.live.write(live);
            }
        }
    }
}

/// The size of the matcher in the memory, and its grammar.
///
/// # Safety
///
/// The pointer is null, not aligned, or to memory of a matcher.
pub(crate) unsafe fn size_of_matcher(
    memory: *const u8,
) -> Result<(Size, &'static Grammar<'static>), Status> {
    if memory.is_null() {
        return Err(Status::NullPointer);
    }
    if !memory.addr().is_multiple_of(8) {
        return Err(Status::NotAligned);
    }
    let stored = memory.cast::<ObjectHeader>();
    // SAFETY: neither null nor misaligned; all begin with their mark and size.
    let (mark, size) = unsafe {
        let size = Size {
            depth: (&raw const (*stored).depth).read(),
            stacks: (&raw const (*stored).stacks).read(),
        };
        ((&raw const (*stored).mark).read(), size)
    };
    if mark != size.mark() {
        return Err(Status::NotAMatcher);
    }
    // SAFETY: the mark says that it is a matcher, so that there is a grammar.
    Ok((size, unsafe { (&raw const (*stored).grammar).read() }))
}

/// The matcher in the memory.
///
/// # Safety
///
/// The pointer is null, not aligned, or to memory of a matcher that nothing else uses for `'a`.
pub(crate) unsafe fn open<'a>(memory: *const u8) -> Result<Open<'a>, Status> {
    // SAFETY: as the caller says.
    let (size, grammar) = unsafe { size_of_matcher(memory) }?;
    let memory = memory.cast_mut();
    let stored = memory.cast::<ObjectHeader>();
    // SAFETY: a matcher lies there, with heads and frames behind it.
    let (live, slices) = unsafe { (&raw mut (*stored).live, size.slices(memory)) };
    let (heads, frames) = slices.ok_or(Status::NotAMatcher)?;
    // SAFETY: as above.
    let count = unsafe { live.read() };
    let matcher = BorrowedMatcher::resume(grammar, size.depth.into(), count, heads, frames);
    Ok(Open { matcher, live })
}

/// What came of a call.
pub(crate) fn status(result: Result<(), AcceptError>) -> Status {
    result.into()
}
