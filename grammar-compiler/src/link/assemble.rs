//! From a request to linked parts.
//!
//! In: a [`Request`], and a [`PartStore`] with parts that were compiled before. Out:
//! [`LinkedTools`]. What holds: linking reads only the name and the key of each piece, so it takes
//! microseconds for each; pieces that the store does not have are compiled when they are needed.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use maskwright_core::TablesId;
use maskwright_core::link::Names;

use super::NotLinked;
use super::base::BaseCell;
use super::behind_name::BehindName;
use super::cell::PartCell;
use super::compiles::Compiles;
use super::outer::OuterPart;
use super::part::Role;
use super::request::{HoleEntry, PieceSource, Request};
use super::slots::{HoleNames, RequestSlots};
use super::target::{Lease, LinkTarget, PartStore};
use super::texts::{PieceText, Texts};
use super::tools::LinkedTools;
use crate::digest::{Digest, Digester};
use crate::error::Error;
use crate::grammar::{Grammar, digest};
use crate::intern::KeyedInterner;
use crate::limits::{Deadline, Limits};
use crate::source::Source;
use crate::syntax::ParseOptions;
use crate::syntax::structural_tag::parts::TagParts;
use crate::syntax::tools::parts::ToolParts;
use crate::terminals;

/// The steps that one tool takes, of those between two looks at the clock.
const TOOL_STEPS: usize = 64;

/// The most bytes of a name with the character behind it.
const MAX_NAME: usize = u16::MAX as usize;

impl LinkTarget {
    /// Links the tools of a request. The parse options name the format of the calls.
    ///
    /// # Errors
    /// If the request or the format is refused, or the format cannot be linked: then compile the
    /// request as a whole.
    #[doc(hidden)]
    pub fn link(
        self: &Arc<Self>,
        request: &Source,
        options: &ParseOptions,
        store: &dyn PartStore,
        depth: usize,
    ) -> Result<LinkedTools, NotLinked> {
        let mut options = options.clone();
        options.tokens = self.tokens.whole().names();
        options.limits = options.limits.begun();
        let format = self.format(request, &options)?;
        let tools = ToolParts::read(request, format, &options)?;
        link(
            Request::Tools(Box::new(tools)),
            self,
            &options.limits,
            store,
            depth,
        )
    }

    /// Links a structural tag that has at least so many pieces: tags whose contents are schemas,
    /// grammars or patterns.
    ///
    /// # Errors
    /// If the tag is refused, or cannot be linked: then compile it as a whole.
    #[doc(hidden)]
    pub fn link_tag(
        self: &Arc<Self>,
        request: &Source,
        options: &ParseOptions,
        pieces: usize,
        store: &dyn PartStore,
        depth: usize,
    ) -> Result<LinkedTools, NotLinked> {
        let mut options = options.clone();
        options.tokens = self.tokens.whole().names();
        options.limits = options.limits.begun();
        let tag = TagParts::read(request, &options, self.tokens.exit(0))?;
        let tag = tag.map_err(NotLinked::NotAPart)?;
        if tag.len() < pieces {
            return Err(NotLinked::NotAPart("it has few pieces"));
        }
        link(
            Request::Tag(Box::new(tag)),
            self,
            &options.limits,
            store,
            depth,
        )
    }
}

/// Links the parts of a request that has begun with these limits.
///
/// # Errors
/// If the time of the request is over, the outer part is refused, the request cannot be linked, or
/// a piece that has been compiled does not fit.
fn link(
    request: Request,
    target: &Arc<LinkTarget>,
    limits: &Limits,
    store: &dyn PartStore,
    depth: usize,
) -> Result<LinkedTools, NotLinked> {
    let deadline = Deadline::start(limits);
    let entries = request.entries()?;
    let (outer, outer_lease) = outer(&request, entries.len(), target, limits, store)?;
    let request = Arc::new(request);
    let mut id = Digester::new("linked parts");
    id.digest(request.outer_key());
    let states = outer.states().len();
    let count = entries.iter().map(Vec::len).sum();
    let (mut keys, mut rests) = (KeyedInterner::new(), Vec::with_capacity(count));
    let mut others: Vec<Vec<PieceSource>> = Vec::with_capacity(count);
    let mut holes = Vec::with_capacity(entries.len());
    for entries in &entries {
        let mut pieces = Vec::with_capacity(entries.len());
        for entry in entries {
            let in_time = deadline.ticks(TOOL_STEPS, "linking the request");
            in_time.map_err(Error::from)?;
            let (key, grammar) = keyed(&request, &entry.rest, target, &outer, limits)?;
            // The id has as many bytes of a digest.
            key.halves().iter().for_each(|&half| id.number(half));
            let piece = keys.intern(key);
            if piece as usize == rests.len() {
                let last = entry.name.bytes().last().filter(|_| !entry.is_open);
                rests.push((&entry.rest, grammar, last));
                others.push(Vec::new());
            } else {
                others[piece as usize].push(entry.rest.clone());
            }
            pieces.push(piece);
        }
        let words = names(entries, &pieces).ok_or(NotLinked::NotAPart("a name is too long"))?;
        id.bytes(&words);
        holes.push(HoleNames::new(words, states));
    }
    let keys = keys.values;
    let calls = request.calls();
    let base = target.bases.cell(request.base_key(&outer.reserved));
    let make = |at: usize| {
        let (rest, grammar, last) = &rests[at];
        let of = (*rest, grammar.clone(), *last);
        piece(&request, of, keys[at], &outer, &base, target)
    };
    let (pieces, pieces_lease) = store.pieces(&keys, &make);
    let rests = rests.into_iter().zip(others);
    let texts = rests.map(|((rest, grammar, _), others)| PieceText {
        rest: rest.clone(),
        others,
        grammar: grammar.map(OnceLock::from).unwrap_or_default(),
    });
    let texts = Texts::new(
        request.clone(),
        texts.collect(),
        target.tokens.exit(0),
        &target.options.limits,
    );
    let linked = LinkedTools {
        id: TablesId::of_parts(
            id.finish().halves(),
            target.tokens.whole().vocabulary_hash(),
            depth,
        ),
        vocabulary: target.vocabulary.clone(),
        tokens: target.tokens.clone(),
        depth,
        slots: RequestSlots::new(&outer.part.view(), &outer.exits, pieces.len()),
        base,
        outer,
        pieces,
        holes,
        calls,
        texts,
        failed: OnceLock::new(),
        failures: AtomicU64::new(0),
        _leases: [pieces_lease, outer_lease],
    };
    linked.check()?;
    linked.read_ahead(limits)?;
    linked.find_ahead();
    Ok(linked)
}

/// The key of a piece, and its grammar if that has been read for it: documents that a schema refers
/// to are part of the grammar, and not of the schema's text.
fn keyed(
    request: &Request,
    rest: &PieceSource,
    target: &LinkTarget,
    outer: &OuterPart,
    limits: &Limits,
) -> Result<(Digest, Option<Arc<Grammar>>), NotLinked> {
    let fields = request.piece_fields(rest, &outer.reserved);
    let fields = fields.ok_or(NotLinked::NotAPart("a name has no piece"))?;
    let key = target.digests.finish(&fields);
    if !request.reads_documents() {
        return Ok((key, None));
    }
    let parsed = request.piece(rest, target.tokens.exit(0), limits)?;
    let key = with_grammar(key, &parsed.grammar);
    Ok((key, Some(parsed.grammar.into())))
}

/// A key that depends on a grammar, too.
pub(super) fn with_grammar(key: Digest, grammar: &Grammar) -> Digest {
    let mut fields = Vec::new();
    digest::write(grammar, &mut fields);
    let mut digester = Digester::new("with a grammar");
    digester.digest(key);
    digester.bytes(&fields);
    digester.finish()
}

/// What tells an outer part from pieces in a folder.
fn outer_file(key: Digest) -> Digest {
    let mut digester = Digester::new("outer part");
    digester.digest(key);
    digester.finish()
}

/// The outer part, which all requests of a format share.
fn outer(
    request: &Request,
    holes: usize,
    target: &Arc<LinkTarget>,
    limits: &Limits,
    store: &dyn PartStore,
) -> Result<(Arc<OuterPart>, Lease), NotLinked> {
    let key = request.outer_key();
    let count = holes as u32;
    let make = |limits: &Limits| {
        let holes: Vec<u32> = (0..count).map(|hole| target.tokens.exit(hole)).collect();
        let parsed = request.outer(&holes, limits)?;
        let exit = target.tokens.exit(0);
        let mut reserved = terminals::named(&parsed.grammar);
        reserved.append(&mut request.named());
        let reserved: Vec<u32> = reserved.into_iter().filter(|&id| id < exit).collect();
        let grammar = Arc::new(parsed.grammar);
        // Only rules that are called need a stack.
        let mut options = target.options_within(limits);
        options.tuning.share = false;
        let part = target.kept(outer_file(key), None, || {
            target.compile(&grammar, count, &reserved, Role::Outer, &options)
        })?;
        if part.view().frames() > 1 {
            return Err(NotLinked::NotAPart(
                "what stands around its pieces needs a stack",
            ));
        }
        Ok(OuterPart::new(part, grammar, reserved))
    };
    store.outer(key, limits, &make)
}

/// A piece, compiled when it is first needed, and read then if its grammar is not given. `last` is
/// the last byte of a name in front of it.
fn piece(
    request: &Arc<Request>,
    (rest, grammar, last): (&PieceSource, Option<Arc<Grammar>>, Option<u8>),
    key: Digest,
    outer: &Arc<OuterPart>,
    base: &Arc<BaseCell>,
    target: &Arc<LinkTarget>,
) -> PartCell {
    let (request, outer, target) = (request.clone(), outer.clone(), target.clone());
    let (rest, base) = (rest.clone(), base.clone());
    let (text, limits) = (request.bytes_of(&rest), target.options.limits.clone());
    PartCell::new(key, text, &limits, &base.clone(), move |limits| {
        // A base is no piece: it is counted nowhere.
        let base = base.get(&Compiles::default(), limits, |(), limits| {
            target.base(&request, &outer, limits)
        })?;
        let base = base.as_ref();
        let part = target.kept(key, base, || {
            let exit = target.tokens.exit(0);
            let grammar = match &grammar {
                Some(grammar) => grammar.clone(),
                None => Arc::new(request.piece(&rest, exit, limits)?.grammar),
            };
            outer.check_named(&grammar, exit)?;
            let role = Role::Piece(base);
            let options = target.options_within(limits);
            target.compile(&grammar, 1, &outer.reserved, role, &options)
        })?;
        outer.find_behind(&part, &target.vocabulary, &target.tokens);
        let vocabulary = (&target.vocabulary, &*target.tokens);
        let behind = last.and_then(|byte| BehindName::new(byte, &part, &outer, vocabulary));
        Ok((part, behind))
    })
}

/// [`maskwright_core::link::Names`] of a hole, with the number of the piece behind each name;
/// `None` if a name is too long.
fn names(entries: &[HoleEntry], pieces: &[u32]) -> Option<Box<[u8]>> {
    let mut words = vec![entries.len() as u32, 0];
    let mut text = Vec::new();
    for entry in entries {
        if entry.name.len() > MAX_NAME {
            return None;
        }
        text.extend(entry.name.bytes());
        words.push(u32::try_from(text.len()).ok()?);
    }
    let behind = pieces.iter().zip(entries);
    words.extend(behind.map(|(&piece, entry)| match entry.is_open {
        true => piece | Names::OPEN,
        false => piece,
    }));
    text.resize(text.len().next_multiple_of(4), 0);
    let words = words.into_iter().flat_map(u32::to_le_bytes);
    Some(words.chain(text).collect())
}
