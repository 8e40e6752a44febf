//! Where a reader stands, apart from its format.
//!
//! Out: [`ReaderState`], which borrows nothing; a [`Reader`](super::Reader) becomes one, and is made
//! from it again.

use super::attempt::Attempt;
use super::place::CallPlace;

/// Where a [`Reader`](super::Reader) stands in a text, without the format that the reader borrows.
/// An object that owns its format keeps this between two pieces of a text.
///
/// ```
/// # use maskwright_core::calls::{CallFormat, Layout, Part, Piece, Reader};
/// # use maskwright_core::style::Style;
/// # let format = CallFormat {
/// #     layout: Layout::Anywhere,
/// #     calls: &[&[Piece::Text("[TOOL_CALLS]"), Piece::Name, Piece::Arguments]],
/// #     sections: &[],
/// #     separator: "",
/// #     triggers: &["[TOOL_CALLS]"],
/// #     arguments: Style::Json.as_arguments(),
/// #     tools: &[],
/// #     reasoning: None,
/// #     texts: &[],
/// #     end: "",
/// # };
/// let mut reader = Reader::new(&format);
/// assert_eq!(reader.next("Well [TOOL", false), Some(Part::Text("Well ")));
/// let state = reader.into_state();
/// let mut reader = Reader::resume(&format, state);
/// let Some(Part::Call(call)) = reader.next("Well [TOOL_CALLS]f{}", false) else {
///     return Err("no call");
/// };
/// assert_eq!(call.name(), "f");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReaderState {
    pub(super) place: CallPlace,
    pub(super) done: usize,
    pub(super) from: usize,
    pub(super) attempt: Attempt,
    pub(super) failed_at: usize,
}

impl ReaderState {
    /// At the beginning of an output.
    pub const fn new() -> Self {
        ReaderState {
            place: CallPlace::Start,
            done: 0,
            from: 0,
            attempt: Attempt::new(0, 0),
            failed_at: 0,
        }
    }
}

impl Default for ReaderState {
    fn default() -> Self {
        Self::new()
    }
}
