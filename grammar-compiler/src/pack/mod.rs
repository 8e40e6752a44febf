//! From the automaton and the masks to the words that the runtime reads.
//!
//! In: a [`Pda`], its headroom and bound on stacks, [`Masks`] and the [`TokenTrie`] they refer to.
//! Out: [`Packed`]: tables in the layout of [`maskwright_core::layout`], which is the only place
//! where that layout is written down.

mod bases;
mod beside;
mod frames;
mod ids;
mod limit;
mod lists;
mod masks;
mod programs;
mod rows;
mod sets;
mod states;

use maskwright_core::layout::{
    FORMAT_VERSION, GRAMMAR_MAGIC, HEADER_WORDS, SECTION_COUNT, TableSection, header, state, token,
};

use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::mask::{Masks, TokenTrie};
use crate::pda::Pda;
use crate::pda::headroom::Headroom;
use crate::pda::stacks::Stacks;
use crate::terminals::Terminals;
use crate::threads::Threads;

pub use beside::{Beside, BesideError};
pub(crate) use frames::order_frames;
pub(crate) use ids::longest_list;
pub use rows::{DistinctRows, Rows, distinct_rows};
pub use sets::SetKinds;
pub(crate) use states::order_states;

/// Everything that goes into tables.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The automaton.
    pub pda: &'a Pda,
    /// Its rows.
    pub rows: &'a Rows,
    /// The need of each state.
    pub headroom: &'a Headroom,
    /// The bound on stacks.
    pub stacks: Stacks,
    /// The masks.
    pub masks: &'a Masks,
    /// The trie whose ranks the masks name.
    pub trie: &'a TokenTrie,
    /// The end-of-sequence tokens, ascending.
    pub eos: &'a [u32],
    /// Tokens that are terminals, if there are some.
    pub terminals: Option<&'a Terminals>,
    /// Hash of grammar and options.
    pub grammar_hash: u64,
    /// Hash of the vocabulary.
    pub vocabulary_hash: u64,
    /// The sets of the tables that these are to stand beside, if any.
    pub beside: Option<&'a Beside>,
    /// The threads to use.
    pub threads: &'a Threads,
}

/// Tables and where their bytes go.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The tables.
    pub tables: Vec<u8>,
    /// Words of each section, in the order of [`TableSection`].
    pub section_words: [usize; SECTION_COUNT],
    /// How the token sets are stored.
    pub sets: SetKinds,
}

/// Packs tables.
///
/// # Errors
///
/// If they pass a limit, or the layout's own, or the deadline passes.
pub fn pack(
    input: &Input<'_>,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Packed, LimitExceeded> {
    let Input {
        masks,
        trie,
        beside,
        threads,
        ..
    } = input;
    let sets = || sets::pack(&masks.sets, trie, *beside, threads, deadline);
    let others = || {
        let programs = programs::pack(input.pda, &input.headroom.frames)?;
        Ok::<_, LimitExceeded>((programs, masks::pack(input.masks)?))
    };
    let (sets, others) = input.threads.join(sets, others);
    let (programs, masks) = others?;
    let sets = sets?;
    let rows = input.rows;
    let mut states = Vec::with_capacity(input.pda.states.len() * (state::STATE_WORDS + 1));
    for (s, row) in rows.of_state.iter().enumerate() {
        let mut record = [0u32; state::STATE_WORDS];
        record[state::BASE] = row.base;
        let root = masks.offsets[input.masks.roots[s].index()];
        let need = input.headroom.states[s].map_or(state::NEVER, u32::from);
        record[state::MASK] = state::mask(root, need);
        states.extend(record);
    }
    // States that have one come first.
    states.extend(rows.of_state.iter().map_while(|row| row.parent));
    let mut of_byte = input.pda.classes.of_byte;
    if let Some(terminals) = input.terminals {
        // A text may not be taken for a token.
        of_byte[usize::from(terminals.lead)] = of_byte[usize::from(terminals.dead)];
    }
    let classes = [&of_byte[..], &rows.maps].concat();
    let mut sections: [Vec<u32>; SECTION_COUNT] = Default::default();
    sections[TableSection::Classes as usize] = words_of(classes);
    sections[TableSection::States as usize] = states;
    sections[TableSection::Edges as usize] = rows.edges(&programs);
    sections[TableSection::Programs as usize] = programs.words;
    sections[TableSection::Masks as usize] = masks.words;
    sections[TableSection::SetIndex as usize] = sets.index;
    sections[TableSection::Sets as usize] = sets.words;
    sections[TableSection::Eos as usize] = input.eos.to_vec();
    sections[TableSection::Tokens as usize] = tokens(input);
    let total: usize = HEADER_WORDS + sections.iter().map(Vec::len).sum::<usize>();
    if total * 4 > limits.table_bytes {
        return Err(LimitExceeded::new(
            "table_bytes",
            limits.table_bytes,
            format!("the tables would take {} bytes", total * 4),
        ));
    }
    Ok(Packed {
        tables: assemble(input, sets.kinds.shared > 0, &sections),
        section_words: sections.each_ref().map(Vec::len),
        sets: sets.kinds,
    })
}

/// The section of tokens that are terminals.
fn tokens(input: &Input<'_>) -> Vec<u32> {
    let Some(terminals) = input.terminals else {
        return Vec::new();
    };
    let class = |symbol: u8| input.pda.classes.of(symbol);
    let others = terminals.others.map(class);
    let count = terminals.limits.len() as u8;
    let mut words = vec![token::classes(class(terminals.lead), count, others)];
    let limits = terminals.limits.iter();
    words.extend(limits.map(|limit| token::limit(class(limit.symbol), limit.tokens)));
    words.extend(terminals.tokens.iter().map(|token| {
        let symbol = token.symbol.map(class);
        token::entry(token.id, symbol, token.is_text)
    }));
    words
}

/// Bytes as words, the last one padded with zeros.
fn words_of(mut bytes: Vec<u8>) -> Vec<u32> {
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|&word| u32::from_le_bytes(word)).collect()
}

/// Header and sections in one, with the checksum. `shares` says whether the tables need the base
/// tables.
fn assemble(input: &Input<'_>, shares: bool, sections: &[Vec<u32>; SECTION_COUNT]) -> Vec<u8> {
    let mut words = vec![0u32; HEADER_WORDS];
    words[header::MAGIC] = GRAMMAR_MAGIC;
    words[header::VERSION] = FORMAT_VERSION;
    let split = |hash: u64| [hash as u32, (hash >> 32) as u32];
    words[header::GRAMMAR_HASH..][..2].copy_from_slice(&split(input.grammar_hash));
    words[header::VOCABULARY_HASH..][..2].copy_from_slice(&split(input.vocabulary_hash));
    words[header::VOCAB_SIZE] = input.trie.vocab_size;
    words[header::STATES] = input.pda.states.len() as u32;
    words[header::FRAMES] = input.pda.under.len() as u32;
    let (max_stacks, are_proved) = input.stacks.of_matcher();
    words[header::MAX_STACKS] = max_stacks;
    words[header::STACKS_PROVED] = are_proved.into();
    words[header::START] = input.pda.start.number();
    words[header::CLASSES] = input.pda.classes.count as u32;
    words[header::END_CLASS] = input.pda.classes.end() as u32;
    if let Some(beside) = input.beside.filter(|_| shares) {
        (words[header::BESIDE_SETS], words[header::BESIDE_CHECKSUM]) = beside.facts();
    }
    for (index, section) in sections.iter().enumerate() {
        let at = header::SECTIONS + 2 * index;
        words[at] = words.len() as u32;
        words[at + 1] = section.len() as u32;
        words.extend_from_slice(section);
    }
    words[header::WORDS] = words.len() as u32;
    let mut bytes = vec![0; 4 * words.len()];
    for (to, word) in bytes.as_chunks_mut().0.iter_mut().zip(&words) {
        *to = word.to_le_bytes();
    }
    let checksum = crc32fast::hash(&bytes[4 * (header::CHECKSUM + 1)..]);
    bytes[4 * header::CHECKSUM..][..4].copy_from_slice(&checksum.to_le_bytes());
    bytes
}
