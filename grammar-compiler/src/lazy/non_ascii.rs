//! The situation that nearly all characters beyond ASCII lead to.
//!
//! In: a situation. Out: its [`Lead`], with the few characters that lead elsewhere. What holds:
//! every other character beyond ASCII leads to that one situation, and no byte that is no part of a
//! character leads anywhere.

use std::sync::Arc;

use crate::maps::IdMap;

use super::GaveUp;
use super::characters::{CharRange, Partial};
use super::position::PositionId;
use super::situations::{DEAD, SituationId, Situations};
use super::thread::Thread;
use crate::mask::trie::Text;

/// The most ranges of characters that are told apart.
const MAX_SPANS: usize = 64;
/// The most characters that may lead elsewhere. There are fewer in most alphabets, and fewer tokens
/// that have one than a walk would visit.
const MAX_EXCEPT: u32 = 1_024;

/// About the bytes that the spans of one situation take.
const SPANS: usize = 256;

/// The most threads that are followed through characters one by one.
const MAX_TAKING: usize = 8;

/// The bytes beyond ASCII in parts, by the first byte of each: bytes of a part are followed by the
/// same bytes of a character, if by any.
const FIRST_BYTES: [u8; 10] = [0x80, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5];

/// Where nearly all characters beyond ASCII lead.
#[derive(Clone, Debug)]
pub(super) struct Lead {
    pub(super) to: SituationId,
    /// The characters that lead elsewhere, or nowhere.
    pub(super) except: Arc<[CharRange]>,
}

/// A range of values that the bits to come may have, and where they lead: to a situation, or within
/// one thread to a position; `None` is nowhere.
#[derive(Clone, Copy, Debug)]
struct Span<T> {
    first: u32,
    last: u32,
    to: Option<T>,
}

/// Spans, ascending and without gaps.
type AllSpans<T> = Arc<[Span<T>]>;

/// The same; `None` if they are too many, or if something else begins with bytes of characters.
type Spans<T> = Option<AllSpans<T>>;

/// The leads of situations.
#[derive(Clone, Debug, Default)]
pub(super) struct NonAsciiTarget {
    /// The byte that begins terminals: no text has it.
    not_text: Option<u8>,
    known: IdMap<SituationId, Option<Lead>>,
    /// The spans of situations before or within a character.
    spans: IdMap<(SituationId, Text), Spans<SituationId>>,
    /// The spans of positions within a character. Mostly one thread takes all characters, which
    /// then need no situations of their own.
    within: IdMap<(PositionId, Text), Spans<PositionId>>,
}

impl NonAsciiTarget {
    /// No text has the byte `not_text`.
    pub(super) fn new(not_text: Option<u8>) -> Self {
        NonAsciiTarget {
            not_text,
            ..NonAsciiTarget::default()
        }
    }

    /// About how many bytes of memory they take: few spans, mostly.
    pub(super) fn memory(&self) -> usize {
        let spans = self.spans.capacity() + self.within.capacity();
        size_of::<(SituationId, Option<Lead>)>() * self.known.capacity() + SPANS * spans
    }

    /// Forgets the leads of all situations.
    pub(super) fn forget(&mut self) {
        self.known.clear();
        self.spans.clear();
        self.within.clear();
    }

    /// The lead of a situation. `None` if characters lead to too many situations, or if something
    /// else begins with their bytes.
    ///
    /// # Errors
    /// If a bound is passed.
    pub(super) fn of(
        &mut self,
        situations: &mut Situations,
        situation: SituationId,
    ) -> Result<Option<Lead>, GaveUp> {
        if let Some(known) = self.known.get(&situation) {
            return Ok(known.clone());
        }
        let threads = situations.beyond_ascii(situation);
        let lead = match self.spans_of(situations, &threads)? {
            Some(spans) => lead_of_threads(situations, &threads, &spans)?,
            None => self.lead_of_all(situations, situation)?,
        };
        self.known.insert(situation, lead.clone());
        Ok(lead)
    }

    /// Where the characters lead from each of some threads. `None` if that is not known of one of
    /// them, or if they are none or many.
    fn spans_of(
        &mut self,
        situations: &mut Situations,
        threads: &[Thread],
    ) -> Result<Option<Vec<AllSpans<PositionId>>>, GaveUp> {
        if threads.is_empty() || threads.len() > MAX_TAKING {
            return Ok(None);
        }
        let mut all = Vec::with_capacity(threads.len());
        for thread in threads {
            match self.of_position(situations, thread.at)? {
                Some(spans) => all.push(spans),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    fn lead_of_all(
        &mut self,
        situations: &mut Situations,
        situation: SituationId,
    ) -> Result<Option<Lead>, GaveUp> {
        let spans = self.spans(situations, situation, Partial::NONE)?;
        let found = spans.and_then(|spans| lead(&spans));
        Ok(found.map(|(to, except)| Lead { to, except }))
    }

    /// Where the characters lead that begin with some bytes, after which the text stands in
    /// `situation`. The bits of these bytes are left out of the spans.
    fn spans(
        &mut self,
        situations: &mut Situations,
        situation: SituationId,
        before: Partial,
    ) -> Result<Spans<SituationId>, GaveUp> {
        let key = (situation, before.text());
        if let Some(known) = self.spans.get(&key) {
            return Ok(known.clone());
        }
        let mut bytes = ByteSpans::default();
        for (byte, &to) in (0..=u8::MAX).zip(situations.row(situation)?) {
            if to != DEAD {
                bytes.add((byte, byte), to);
            }
        }
        let not_text = self.not_text;
        let below = |to, then| self.spans(situations, to, then);
        let found = bytes.cut(before.without_bits(), not_text, below)?;
        self.spans.insert(key, found.clone());
        Ok(found)
    }

    /// Where the characters lead from a position. Where characters are counted it is found from the
    /// same position without a count, since it is the same for any count but for the ends that are
    /// too far away.
    fn of_position(
        &mut self,
        situations: &mut Situations,
        at: PositionId,
    ) -> Result<Spans<PositionId>, GaveUp> {
        let Some(uncounted) = situations.closures.rules.uncounted(at)? else {
            return self.within(situations, at, Partial::NONE);
        };
        let Some(spans) = self.within(situations, uncounted, Partial::NONE)? else {
            return Ok(None);
        };
        let mut counted = Vec::with_capacity(spans.len());
        for span in spans.iter() {
            let to = match span.to {
                Some(to) => situations.closures.rules.counted(at, to)?,
                None => None,
            };
            join(&mut counted, (span.first, span.last), to);
        }
        Ok(Some(counted.into()))
    }

    /// The same for one thread, which has come to a position. `None` also if the thread can do
    /// something else within a character than take a byte.
    fn within(
        &mut self,
        situations: &mut Situations,
        at: PositionId,
        before: Partial,
    ) -> Result<Spans<PositionId>, GaveUp> {
        let key = (at, before.text());
        if let Some(known) = self.within.get(&key) {
            return Ok(known.clone());
        }
        let rules = &mut situations.closures.rules;
        rules.come_to(at)?;
        let is_before = before.text() == Text::Closed;
        let mut found = None;
        if is_before || rules.only_takes_bytes(at) {
            let mut edges = rules.bytes(at).to_vec();
            edges.sort_unstable_by_key(|edge| edge.0);
            let mut bytes = ByteSpans::default();
            if edges
                .iter()
                .all(|&(low, high, to)| bytes.add((low, high), to))
            {
                let not_text = self.not_text;
                let below = |to, then| self.within(situations, to, then);
                found = bytes.cut(before.without_bits(), not_text, below)?;
            }
        }
        self.within.insert(key, found.clone());
        Ok(found)
    }
}

/// Where bytes lead: ranges, ascending; those between lead nowhere.
struct ByteSpans<T>(Vec<((u8, u8), T)>);

impl<T> Default for ByteSpans<T> {
    fn default() -> Self {
        ByteSpans(Vec::new())
    }
}

impl<T: Copy + PartialEq> ByteSpans<T> {
    /// Adds bytes, none of which lies before the first byte of the last range. Returns whether each
    /// byte still leads to one place.
    fn add(&mut self, (low, high): (u8, u8), to: T) -> bool {
        match self.0.last_mut() {
            Some(((_, last), known)) if low <= last.saturating_add(1) && *known == to => {
                *last = high.max(*last);
                true
            }
            Some(((_, last), _)) if low <= *last => false,
            _ => {
                self.0.push(((low, high), to));
                true
            }
        }
    }

    /// The pieces of a part of all bytes, with those that lead nowhere.
    fn within(&self, (first, last): (u8, u8), mut visit: impl FnMut((u8, u8), Option<T>)) {
        let mut from = Some(first);
        for &((low, high), to) in &self.0 {
            let (low, high) = (low.max(first), high.min(last));
            if let Some(before) = from.filter(|_| low <= high) {
                if before < low {
                    visit((before, low - 1), None);
                }
                visit((low, high), Some(to));
                from = high.checked_add(1);
            }
        }
        if let Some(rest) = from.filter(|&rest| rest <= last) {
            visit((rest, last), None);
        }
    }

    /// Cuts the characters that go on from `before` into spans, by where each byte leads. `below`
    /// has the spans after one byte more.
    fn cut(
        &self,
        before: Partial,
        not_text: Option<u8>,
        mut below: impl FnMut(T, Partial) -> Result<Spans<T>, GaveUp>,
    ) -> Result<Spans<T>, GaveUp> {
        let starts = match before.text() {
            Text::Open(_, low, high) => &[0, low, high + 1][..],
            _ => &FIRST_BYTES[..],
        };
        let mut pieces = Vec::new();
        for (nth, &first) in starts.iter().enumerate() {
            let last = starts.get(nth + 1).map_or(u8::MAX, |next| next - 1);
            if first <= last {
                self.within((first, last), |bytes, to| pieces.push((bytes, to)));
            }
        }
        let mut spans: Vec<Span<T>> = Vec::new();
        for ((from, last), to) in pieces {
            let then = before.then(from);
            let all = (then.range().0, before.then(last).range().1);
            match (then.text(), to) {
                (Text::Broken, None) => {}
                (Text::Broken, _) if from == last && not_text == Some(from) => {}
                (Text::Closed, _) | (Text::Open(..), None) => join(&mut spans, all, to),
                (Text::Open(..), Some(next)) => {
                    let Some(below) = below(next, then)? else {
                        return Ok(None);
                    };
                    // Every value of the bits to come is in some span.
                    if let [whole] = *below {
                        join(&mut spans, all, whole.to);
                        continue;
                    }
                    for bits in (from..=last).map(|byte| before.then(byte).bits_before()) {
                        for span in below.iter() {
                            join(&mut spans, (bits | span.first, bits | span.last), span.to);
                        }
                    }
                }
                _ => return Ok(None),
            }
            if spans.len() > MAX_SPANS {
                return Ok(None);
            }
        }
        Ok(Some(spans.into()))
    }
}

/// The lead of a situation in which these threads take bytes beyond ASCII: most characters lead
/// each thread to its own position, and all of them to the situation of these.
fn lead_of_threads(
    situations: &mut Situations,
    threads: &[Thread],
    spans: &[AllSpans<PositionId>],
) -> Result<Option<Lead>, GaveUp> {
    let mut targets = Vec::with_capacity(threads.len());
    let mut except: Vec<CharRange> = Vec::new();
    for (&thread, spans) in threads.iter().zip(spans) {
        let Some((at, others)) = lead(spans) else {
            return Ok(None);
        };
        targets.push(Thread { at, ..thread });
        except.extend(others.iter());
    }
    targets.sort_unstable();
    targets.dedup();
    except.sort_unstable();
    except.dedup();
    let characters = except.iter().map(|(first, last)| last - first + 1);
    if characters.sum::<u32>() > MAX_EXCEPT {
        return Ok(None);
    }
    let to = situations.of(&targets)?;
    let except = except.into();
    Ok(Some(Lead { to, except }))
}

/// Adds a span behind the others. It goes on with the last one if it leads to the same place.
fn join<T: PartialEq>(spans: &mut Vec<Span<T>>, (first, last): CharRange, to: Option<T>) {
    match spans.last_mut() {
        Some(span) if span.to == to && span.last + 1 == first => span.last = last,
        _ => spans.push(Span { first, last, to }),
    }
}

/// Where most characters lead, and the others, unless these are too many.
fn lead<T: Copy + Ord>(spans: &[Span<T>]) -> Option<(T, Arc<[CharRange]>)> {
    let size = |span: &Span<T>| span.last - span.first + 1;
    let mut sizes: Vec<(T, u32)> = Vec::new();
    for span in spans {
        let Some(to) = span.to else { continue };
        match sizes.iter_mut().find(|of| of.0 == to) {
            Some(of) => of.1 += size(span),
            None => sizes.push((to, size(span))),
        }
    }
    let (to, _) = sizes.into_iter().max_by_key(|&(to, size)| (size, to))?;
    let except = spans.iter().filter(|span| span.to != Some(to));
    let is_lead = except.clone().map(size).sum::<u32>() <= MAX_EXCEPT;
    let except = except.map(|span| (span.first, span.last));
    is_lead.then(|| (to, except.collect()))
}
