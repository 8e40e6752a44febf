//! Compiling one part.
//!
//! In: a grammar whose texts end in exits, which are tokens behind those of the vocabulary. Out:
//! [`CompiledPart`], bytes for [`maskwright_core::link::Part::load`]. What holds after: the part
//! can be linked with any others for the same vocabulary.

use std::sync::Arc;

use maskwright_core::layout::{FORMAT_VERSION, PART_MAGIC, part};
use maskwright_core::link::Crossing;

use super::NotLinked;
use super::base::PieceBase;
use crate::compile::{Pipeline, PipelineOutput, PreparedVocabulary, Stop};
use crate::grammar::Grammar;
use crate::options::Options;
use crate::parts::{PartOf, Prefixes};
use crate::terminals::Terminals;
use crate::vocabulary::VocabularyError;

/// A vocabulary for parts: the one that it was made from, and ids behind it.
#[derive(Clone, Debug)]
pub(crate) struct PartVocabulary {
    whole: PreparedVocabulary,
    extended: PreparedVocabulary,
    prefixes: Arc<Prefixes>,
}

impl PartVocabulary {
    /// The vocabulary with ids for exits and endings behind it.
    ///
    /// # Errors
    /// If it has no room for them.
    pub fn new(vocabulary: &PreparedVocabulary) -> Result<Self, VocabularyError> {
        Ok(PartVocabulary {
            whole: vocabulary.clone(),
            extended: vocabulary.extended(part::ROOM)?,
            prefixes: Arc::new(Prefixes::new(vocabulary.trie())),
        })
    }

    /// The vocabulary without them.
    pub fn whole(&self) -> &PreparedVocabulary {
        &self.whole
    }

    /// How many tries parts have been compiled with, as far as they are kept.
    #[cfg(test)]
    pub(super) fn tries(&self) -> usize {
        self.extended.tries()
    }

    /// The id of an exit.
    pub fn exit(&self, exit: u32) -> u32 {
        self.extended.vocabulary().size() - part::ROOM + exit
    }
}

/// A compiled part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CompiledPart {
    bytes: Arc<[u8]>,
}

impl CompiledPart {
    /// The bytes, for [`maskwright_core::link::Part::load`].
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }
}

/// What a part is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role<'a> {
    /// It stands alone.
    Outer,
    /// Pieces stand beside it.
    Base,
    /// It stands beside a base, if there is one.
    Piece(Option<&'a PieceBase>),
}

impl<'a> Role<'a> {
    /// What it stands beside.
    pub(super) fn base(self) -> Option<&'a PieceBase> {
        match self {
            Role::Piece(base) => base,
            Role::Outer | Role::Base => None,
        }
    }
}

/// Compiles a part with so many exits, of ids from `vocabulary.exit(0)` on. `reserved` are tokens
/// that other parts name: they are not text here either.
///
/// # Errors
/// If the grammar is refused, or cannot be a part.
pub(super) fn compile_part(
    grammar: &Grammar,
    vocabulary: &PartVocabulary,
    exits: u32,
    reserved: &[u32],
    role: Role<'_>,
    options: &Options,
) -> Result<CompiledPart, NotLinked> {
    let exits: Vec<u32> = (0..exits).map(|exit| vocabulary.exit(exit)).collect();
    let of = PartOf {
        prefixes: &vocabulary.prefixes,
        exits: &exits,
        known: role.base().map_or(&[], |base| &base.endings),
        reserved,
        is_base: matches!(role, Role::Base),
    };
    let pipeline = Pipeline {
        grammar,
        vocabulary: &vocabulary.extended,
        beside: role.base().map(|base| &base.beside),
        part: Some(of),
        options,
    };
    let made = pipeline.run().map_err(|stop| match stop {
        Stop::Refused(error) => error.of_tables().into(),
        Stop::NotAPart(why) => NotLinked::NotAPart(why),
    })?;
    let PipelineOutput {
        compiled,
        automaton,
        terminals,
    } = made;
    let terminals = terminals.ok_or(NotLinked::NotAPart("it has no exit"))?;
    let head = head(&terminals, &exits, |byte| automaton.pda.classes.of(byte))
        .ok_or(NotLinked::NotAPart("it has no exit"))?;
    let head = head.into_iter().flat_map(u32::to_le_bytes);
    let bytes = head.chain(compiled.into_tables()).collect();
    Ok(CompiledPart { bytes })
}

/// The words before the tables.
fn head(terminals: &Terminals, exits: &[u32], class: impl Fn(u8) -> u16) -> Option<Vec<u32>> {
    let mut words = vec![0; part::HEADER_WORDS];
    words[part::MAGIC] = PART_MAGIC;
    words[part::VERSION] = FORMAT_VERSION;
    words[part::LEAD] = class(terminals.lead).into();
    words[part::EXITS] = exits.len() as u32;
    words[part::ENDINGS] = terminals.endings.len() as u32;
    for &exit in exits {
        words.push(class(terminals.symbol(exit)?).into());
    }
    for ending in &terminals.endings {
        words.push(Crossing::ending(ending.token, ending.prefix.len())?);
    }
    words[part::WORDS] = words.len() as u32;
    let summed = words[part::CHECKSUM + 1..].iter();
    let summed: Vec<u8> = summed.flat_map(|word| word.to_le_bytes()).collect();
    words[part::CHECKSUM] = crc32fast::hash(&summed);
    Some(words)
}
