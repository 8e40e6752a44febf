//! Reading outputs back.
//!
//! In: a format, and a text that may grow between calls. Out: its parts, in their order. What
//! holds: a text gives the same parts however it grew, but that text and reasoning may be handed
//! out in more pieces. A reader looks at a byte of the text a bounded number of times: the time for
//! all calls together is in proportion to the text, the number of calls, and the length of the
//! format's literals. Nothing is copied.

use super::attempt::Attempt;
use super::format::{CallFormat, Layout, Opened, Piece};
use super::literal::{Found, Search, search};
use super::part::{Call, Open, Part, Span};
use super::place::{CallPlace, Turn, Way, Written};
use super::state::ReaderState;

/// Reads a text that grows.
///
/// - Text and reasoning are handed out as soon as it is certain which of the two they are. A piece
///   that may be the beginning of something else is held back. Where an output may begin within
///   text or within reasoning, the literal that ends it tells which, and all before that literal is
///   held back.
/// - A call is handed out when it is whole. Before that, [`Self::open`] tells what there is of it.
/// - Where several ways of [`CallFormat`] fit, the first one is taken.
/// - An output that does not fit the format, which its grammar does not allow, is read as text. In
///   free text, calls are looked for behind the place at which it stops fitting; between messages,
///   behind the next separator; elsewhere all that follows is text.
///
/// ```
/// use maskwright_core::calls::{CallFormat, Layout, Open, Part, Piece, Reader};
/// use maskwright_core::style::Style;
///
/// let format = CallFormat {
///     layout: Layout::Anywhere,
///     calls: &[&[Piece::Text("[TOOL_CALLS]"), Piece::Name, Piece::Arguments]],
///     sections: &[],
///     separator: "",
///     triggers: &["[TOOL_CALLS]"],
///     arguments: Style::Json.as_arguments(),
///     tools: &[],
///     reasoning: None,
///     texts: &[],
///     end: "",
/// };
/// let mut reader = Reader::new(&format);
/// // What ends the text may become a trigger.
/// assert_eq!(reader.next("Well [TOOL", false), Some(Part::Text("Well ")));
/// assert_eq!(reader.next("Well [TOOL", false), None);
/// let text = "Well [TOOL_CALLS]f{\"a\": 1";
/// assert_eq!(reader.next(text, false), None);
/// let Open::Call(begun) = reader.open(text) else {
///     return Err("no call is open");
/// };
/// assert_eq!((begun.name(), begun.arguments()), (Some("f"), Some("{\"a\": 1")));
/// let text = "Well [TOOL_CALLS]f{\"a\": 1}";
/// let Some(Part::Call(call)) = reader.next(text, false) else {
///     return Err("no call");
/// };
/// assert_eq!(call.arguments(), "{\"a\": 1}");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'f> {
    format: &'f CallFormat<'f>,
    place: CallPlace,
    /// Everything before this byte belongs to parts that were handed out, or stands around them.
    done: usize,
    /// The byte from which attempts read. A beginning or a separator may lie between `done` and
    /// this byte; it belongs to the next part.
    from: usize,
    attempt: Attempt,
    /// The furthest byte that an attempt from `from` has reached.
    failed_at: usize,
}

/// The result of a step.
enum ReadStep<'t> {
    Part(Part<'t>),
    Go,
    Wait,
}

impl<'f> Reader<'f> {
    /// A reader of an output from its beginning on.
    pub const fn new(format: &'f CallFormat<'f>) -> Reader<'f> {
        Reader::resume(format, ReaderState::new())
    }

    /// A reader that goes on from a state. The format is equal to the one that the state was
    /// reached with; with another one the parts make no sense, and nothing panics.
    pub const fn resume(format: &'f CallFormat<'f>, state: ReaderState) -> Reader<'f> {
        let ReaderState {
            place,
            done,
            from,
            attempt,
            failed_at,
        } = state;
        Reader {
            format,
            place,
            done,
            from,
            attempt,
            failed_at,
        }
    }

    /// Where it stands.
    pub fn into_state(self) -> ReaderState {
        let Reader {
            format: _,
            place,
            done,
            from,
            attempt,
            failed_at,
        } = self;
        ReaderState {
            place,
            done,
            from,
            attempt,
            failed_at,
        }
    }

    /// The next part, or nothing until the text has grown, or for good if it is finished.
    ///
    /// `text` is the whole output so far: the text of the last call, or a longer one that begins
    /// with it. Any other text gives parts that make no sense, and no panic.
    pub fn next<'t>(&mut self, text: &'t str, is_finished: bool) -> Option<Part<'t>> {
        loop {
            let step = match (self.place, self.place.ends(self.format)) {
                (CallPlace::Either(frame), _) => self.either(frame, text, is_finished),
                (_, Some(ends)) => self.text(ends, text, is_finished),
                (_, None) => self.ways(text, is_finished),
            };
            match step {
                ReadStep::Part(part) => return Some(part),
                ReadStep::Go => {}
                ReadStep::Wait => return None,
            }
        }
    }

    /// The part that is being written at the end of the text, once [`Self::next`] has given nothing
    /// more for this text.
    pub fn open<'t>(&self, text: &'t str) -> Open<'t> {
        match self.place {
            CallPlace::Reasoning => Open::Reasoning,
            CallPlace::Free | CallPlace::Frame(_) | CallPlace::Unfit | CallPlace::Rest => {
                Open::Text
            }
            _ if self.attempt.name().is_some() => Open::Call(self.attempt.begun(text, self.done)),
            CallPlace::Calls | CallPlace::InSection(..) | CallPlace::NextBare
                if self.done < text.len() && !self.place.may_be_text(self.format) =>
            {
                Open::Call(self.attempt.begun(text, self.done))
            }
            _ => Open::Nothing,
        }
    }

    /// The byte up to which the output is handed out. Delimiters around parts count as handed out.
    pub const fn at(&self) -> usize {
        self.done
    }

    /// Text, up to the first of some literals.
    fn text<'t>(&mut self, ends: &[&str], text: &'t str, is_finished: bool) -> ReadStep<'t> {
        let begin = self.done;
        let place = self.place;
        let (end, behind, next) = match search(ends, text, begin) {
            Search::At(start, end) => match place.behind_text(self.format) {
                (next, true) => (start, start, Some(next)),
                (next, false) => (start, end, Some(next)),
            },
            Search::None(_) if is_finished => (text.len(), text.len(), None),
            Search::None(at) => (at, at, None),
        };
        if next.is_some() || behind > begin {
            self.go(next.unwrap_or(place), behind);
        }
        match text.get(begin..end).unwrap_or_default() {
            "" if next.is_some() => ReadStep::Go,
            "" => ReadStep::Wait,
            piece if place == CallPlace::Reasoning => ReadStep::Part(Part::Reasoning(piece)),
            piece => ReadStep::Part(Part::Text(piece)),
        }
    }

    /// Reasoning or a text, whichever ends first. Behind `from` is what may still become an end.
    ///
    /// If the output ends before, it is free text, since an output may end in that and in nothing
    /// else; text in a frame must have an end too, and then it is taken for reasoning, which comes
    /// first.
    fn either<'t>(
        &mut self,
        frame: Option<usize>,
        text: &'t str,
        is_finished: bool,
    ) -> ReadStep<'t> {
        let format = self.format;
        let reasoning = format.reasoning.as_ref();
        let thought = reasoning.map_or(&[][..], |reasoning| core::slice::from_ref(&reasoning.end));
        let said = match frame {
            Some(frame) => format.texts.get(frame).map_or(&[][..], |frame| frame.ends),
            None => format.free_ends(),
        };
        let begin = self.done;
        let both = [thought, said].map(|ends| search(ends, text, self.from));
        let (is_thought, start, end) = match both {
            [Search::At(start, end), Search::At(_, other)] if end <= other => (true, start, end),
            [Search::At(start, end), Search::None(_)] => (true, start, end),
            [_, Search::At(start, end)] => (false, start, end),
            [Search::None(_), Search::None(_)] if is_finished => {
                let place = match frame {
                    Some(_) => CallPlace::Reasoning,
                    None => CallPlace::Rest,
                };
                self.go(place, begin);
                return ReadStep::Go;
            }
            [Search::None(first), Search::None(other)] => {
                self.from = first.min(other);
                return ReadStep::Wait;
            }
        };
        match (is_thought, frame) {
            (true, _) => self.go(CallPlace::AfterReasoning, end),
            (false, Some(_)) => self.go(CallPlace::body(format, Turn::Later), end),
            (false, None) => self.go(CallPlace::Calls, start),
        }
        match text.get(begin..start).unwrap_or_default() {
            "" => ReadStep::Go,
            piece if is_thought => ReadStep::Part(Part::Reasoning(piece)),
            piece => ReadStep::Part(Part::Text(piece)),
        }
    }

    /// The first of the ways that fits.
    fn ways<'t>(&mut self, text: &'t str, is_finished: bool) -> ReadStep<'t> {
        let mut cut: Option<(Attempt, Written<'f>)> = None;
        while let Some((way, written)) = self.place.way(self.format, self.attempt.way) {
            let style = &self.format.arguments;
            let attempt = &mut self.attempt;
            let found = match written {
                Written::Exact(literal) => attempt.read_exactly(literal, text),
                _ => attempt.read(written.pieces(), style, text, is_finished),
            };
            let (is_empty, name) = (attempt.at() <= self.from, attempt.name());
            let is_known = |name: Span| self.format.knows(name.of(text));
            let found = match self.place.may_be_text(self.format) && !name.is_none_or(is_known) {
                true => Found::No,
                false => found,
            };
            let attempt = &self.attempt;
            match (found, &cut) {
                (Found::Cut, _) if !is_finished => return ReadStep::Wait,
                (Found::Cut, Some((best, _))) if attempt.known() <= best.known() => {}
                (Found::Cut, _) => cut = Some((attempt.clone(), written)),
                // An alternative that has begun goes before one that takes no byte.
                (Found::Yes, Some((best, _))) if is_empty && best.at() > self.from => {}
                // A call without a byte would be found here forever.
                (Found::Yes, _) if !is_empty || way != Way::Call => return self.enter(way, text),
                (Found::Yes | Found::No, _) => {
                    self.failed_at = self.failed_at.max(attempt.failed_at());
                }
            }
            self.attempt = Attempt::new(self.attempt.way.saturating_add(1), self.from);
        }
        match cut {
            Some((attempt, written)) => self.cut_off(&attempt, written.pieces(), text),
            None => self.miss(text),
        }
    }

    /// Goes behind the way that fits.
    fn enter<'t>(&mut self, way: Way, text: &'t str) -> ReadStep<'t> {
        let (format, place, at) = (self.format, self.place, self.attempt.at());
        match way {
            Way::Reasoning => self.go(CallPlace::Reasoning, at),
            Way::After => self.go(CallPlace::body(format, Turn::Later), at),
            Way::Frame(frame) => self.go(CallPlace::Frame(frame), at),
            Way::SectionEnd => self.go(CallPlace::behind_section(format), at),
            Way::End => self.go(CallPlace::Rest, at),
            Way::Section(section) => self.lead(CallPlace::InSection(section, Turn::First), at),
            Way::Separator => self.lead(place.behind_separator(), at),
            Way::Call => {
                let call = self.call(&self.attempt, true, text);
                self.go(place.behind_call(format), at);
                return ReadStep::Part(Part::Call(call));
            }
        }
        ReadStep::Go
    }

    /// None of the ways fits.
    fn miss<'t>(&mut self, text: &'t str) -> ReadStep<'t> {
        let format = self.format;
        let at_start = format.texts.iter().position(|frame| frame.at_start);
        match (self.place, at_start, format.opened()) {
            (CallPlace::Start, _, Opened::Yes) => self.go(CallPlace::Reasoning, self.done),
            (CallPlace::Start, _, Opened::Perhaps) if format.layout == Layout::Anywhere => {
                self.go(CallPlace::Either(None), self.done);
            }
            (CallPlace::Start, ..) => self.go(CallPlace::body(format, Turn::First), self.done),
            (CallPlace::AfterReasoning, ..) => {
                self.go(CallPlace::body(format, Turn::Later), self.done)
            }
            (
                CallPlace::Block(Turn::First) | CallPlace::Message(Turn::First),
                Some(frame),
                opened,
            ) => {
                let place = match opened {
                    Opened::Perhaps => CallPlace::Either(Some(frame)),
                    _ => CallPlace::Frame(frame),
                };
                self.go(place, self.done);
            }
            _ => return self.unfit(text),
        }
        ReadStep::Go
    }

    /// The format has nothing that stands here: it is text.
    fn unfit<'t>(&mut self, text: &'t str) -> ReadStep<'t> {
        let place = match self.format.layout {
            Layout::Anywhere => CallPlace::Free,
            Layout::Messages => CallPlace::Unfit,
            Layout::AtStart | Layout::Blocks => {
                let may_think = self.done == 0 && self.format.opened() == Opened::Perhaps;
                let place = match self.format.layout {
                    Layout::AtStart if may_think => CallPlace::Either(None),
                    _ => CallPlace::Rest,
                };
                self.go(place, self.done);
                return ReadStep::Go;
            }
        };
        let begin = self.done;
        let first = text.get(begin..).and_then(|rest| rest.chars().next());
        let behind = begin.saturating_add(first.map_or(0, char::len_utf8));
        let end = self.failed_at.max(behind);
        self.go(place, end);
        match text.get(begin..end).unwrap_or_default() {
            "" => ReadStep::Go,
            piece => ReadStep::Part(Part::Text(piece)),
        }
    }

    /// The text is finished, and the way at its end is not.
    fn cut_off<'t>(
        &mut self,
        attempt: &Attempt,
        pieces: &[Piece<'_>],
        text: &'t str,
    ) -> ReadStep<'t> {
        let (format, begin) = (self.format, self.done);
        let is_first = matches!(
            self.place,
            CallPlace::Block(Turn::First) | CallPlace::Message(Turn::First)
        );
        let in_frame = is_first && format.texts.iter().any(|frame| frame.at_start);
        if attempt.known() == 0 && (in_frame || self.place.may_be_text(format)) {
            return self.miss(text);
        }
        let part = match attempt.is_said(pieces) {
            true => Part::Call(self.call(attempt, false, text)),
            false => Part::CutOff(attempt.begun(text, begin)),
        };
        self.go(CallPlace::Rest, text.len());
        match begin < text.len() {
            true => ReadStep::Part(part),
            false => ReadStep::Wait,
        }
    }

    /// The call that an attempt has read.
    fn call<'t>(&self, attempt: &Attempt, is_closed: bool, text: &'t str) -> Call<'t> {
        let at = Span::new(self.from, attempt.at());
        let behind = Span::new(at.end(), at.end());
        Call {
            text,
            at,
            name: attempt.name().unwrap_or(behind),
            id: attempt.id(),
            arguments: attempt.arguments(text).unwrap_or(behind),
            is_closed,
        }
    }

    /// Goes to a place. All before it is done.
    const fn go(&mut self, place: CallPlace, at: usize) {
        self.done = at;
        self.lead(place, at);
    }

    /// Goes to a place. The bytes before it belong to the next part.
    const fn lead(&mut self, place: CallPlace, at: usize) {
        self.place = place;
        self.from = at;
        self.attempt = Attempt::new(0, at);
        self.failed_at = at;
    }
}
