//! Packed tables, read as records: which program, mask node or set leads to which.
//!
//! In: the bytes of tables that this compiler packed. Out: [`TableWords`]. The layout is that of
//! [`maskwright_core::layout`].

use crate::pack::longest_list;
use maskwright_core::layout::{
    HEAD, SECTION_COUNT, TableSection, edge, header, mask, program, set,
    state::{BASE, MASK, MASK_OFFSET, ROW_OFFSET, STATE_WORDS},
};

/// The sections of tables as words.
pub(super) struct TableWords {
    header: Vec<u32>,
    sections: [Vec<u32>; SECTION_COUNT],
}

/// A node of a mask tree.
pub(super) struct PackedNode<'t> {
    /// Its length in words.
    pub(super) words: usize,
    /// Its sets, with their headroom.
    pub(super) sets: &'t [u32],
    /// Offsets of the nodes that it leads to.
    pub(super) children: Vec<u32>,
}

impl TableWords {
    /// Reads tables; `None` if they are not whole.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (chunks, _) = bytes.as_chunks::<4>();
        let words: Vec<u32> = chunks.iter().map(|c| u32::from_le_bytes(*c)).collect();
        let mut sections: [Vec<u32>; SECTION_COUNT] = Default::default();
        for (at, section) in sections.iter_mut().enumerate() {
            let entry = header::SECTIONS + 2 * at;
            let (offset, len) = (*words.get(entry)? as usize, *words.get(entry + 1)? as usize);
            *section = words.get(offset..offset.checked_add(len)?)?.to_vec();
        }
        let header = words.get(..header::SECTIONS)?.to_vec();
        Some(TableWords { header, sections })
    }

    pub(super) fn section(&self, section: TableSection) -> &[u32] {
        &self.sections[section as usize]
    }

    pub(super) fn state_count(&self) -> usize {
        self.header[header::STATES] as usize
    }

    /// Words of a mask.
    pub(super) fn mask_words(&self) -> usize {
        self.header[header::VOCAB_SIZE].div_ceil(32) as usize
    }

    /// The offset of a state's row.
    pub(super) fn row(&self, state: usize) -> u32 {
        self.section(TableSection::States)[state * STATE_WORDS + BASE] & ROW_OFFSET
    }

    /// Whether a state has a parent row.
    pub(super) fn has_parent(&self, state: usize) -> bool {
        self.state_count() * STATE_WORDS + state < self.section(TableSection::States).len()
    }

    /// The offset of a state's mask tree.
    pub(super) fn mask(&self, state: usize) -> u32 {
        self.section(TableSection::States)[state * STATE_WORDS + MASK] & MASK_OFFSET
    }

    /// The entries of a state's own row.
    pub(super) fn entries(&self, state: usize) -> impl Iterator<Item = u32> + '_ {
        let row = self.row(state) as usize;
        let classes = self.header[header::CLASSES] as usize;
        let entries = self
            .section(TableSection::Edges)
            .iter()
            .skip(row)
            .take(classes);
        let own = |(class, &entry): (usize, &u32)| {
            let is_own = entry != edge::EMPTY && (entry >> edge::CLASS_SHIFT) as usize == class;
            is_own.then_some(entry)
        };
        entries.enumerate().filter_map(own)
    }

    /// The length of the program at an offset, and the programs that it leads to.
    pub(super) fn program(&self, offset: u32) -> (usize, Vec<u32>) {
        let words = &self.section(TableSection::Programs)[offset as usize..];
        let count = (words[0] & program::COUNT) as usize;
        if words[0] & program::LOOK == 0 {
            return (1 + 2 * count, Vec::new());
        }
        let branches = words[2..2 + 2 * count].chunks(2).map(|pair| pair[1]);
        (
            2 + 2 * count,
            [words[1]].into_iter().chain(branches).collect(),
        )
    }

    /// The mask node at an offset.
    pub(super) fn node(&self, offset: u32) -> PackedNode<'_> {
        let words = &self.section(TableSection::Masks)[offset as usize..];
        let sets = (words[0] & mask::SETS) as usize;
        debug_assert!(words[0] & HEAD != 0);
        if words[0] & mask::LOOK == 0 {
            return PackedNode {
                words: 1 + sets,
                sets: &words[1..1 + sets],
                children: Vec::new(),
            };
        }
        let count = (words[0] >> mask::CHILDREN_SHIFT & mask::MAX_CHILDREN) as usize;
        let first = 2 + sets;
        let listed = words[first..first + 2 * count]
            .chunks(2)
            .map(|pair| pair[1]);
        let children = [words[first - 1]].into_iter().chain(listed);
        PackedNode {
            words: first + 2 * count,
            sets: &words[1..1 + sets],
            children: children.filter(|&child| child != mask::NO_NODE).collect(),
        }
    }

    /// The words of a set.
    pub(super) fn set(&self, id: u32) -> &[u32] {
        let (index, sets) = (
            self.section(TableSection::SetIndex),
            self.section(TableSection::Sets),
        );
        let start = index[id as usize] as usize;
        let end = index
            .get(id as usize + 1)
            .map_or(sets.len(), |&end| end as usize);
        &sets[start..end]
    }

    /// The planes of what a set is a difference to, if it is one.
    pub(super) fn bases(&self, id: u32) -> &[u32] {
        let words = self.set(id);
        match words[0] & set::KIND {
            set::LEVELS => &words[1..][..(words[0] >> set::PLANES_SHIFT & set::PLANES) as usize],
            _ => &[],
        }
    }

    /// How many words and ids a mask reads to include a set.
    pub(super) fn set_cost(&self, id: u32) -> usize {
        let words = self.set(id);
        let bases = self.bases(id).len();
        match words[0] {
            set::BITMAP => self.mask_words(),
            set::ACCEPT => self.ids(&words[1..], 1),
            set::REJECT => self.mask_words() + self.ids(&words[1..], 1),
            // What it is in the tables beside these: no set takes more.
            head if head & set::KIND == set::SHARED => {
                let vocab_size = self.header[header::VOCAB_SIZE] as usize;
                set::MAX_PLANES * self.mask_words() + 2 * longest_list(vocab_size)
            }
            _ => bases * self.mask_words() + self.ids(&words[1 + bases..], 2),
        }
    }

    /// The number of ids in this number of lists.
    fn ids(&self, mut words: &[u32], lists: usize) -> usize {
        let vocab_size = self.header[header::VOCAB_SIZE];
        let mut count = 0;
        for _ in 0..lists {
            let blocks = match words.first() {
                Some(&head) if head & set::FINE != 0 => {
                    let ids = (head & !set::FINE) as usize;
                    let counts = vocab_size.div_ceil(set::FINE_BLOCK).div_ceil(4) as usize;
                    count += ids;
                    words = words.get(1 + counts + ids.div_ceil(4)..).unwrap_or(&[]);
                    0
                }
                _ => vocab_size.div_ceil(set::BLOCK),
            };
            for _ in 0..blocks {
                let Some((&here, rest)) = words.split_first() else {
                    break;
                };
                count += here as usize;
                words = rest.get(here.div_ceil(2) as usize..).unwrap_or(&[]);
            }
        }
        count
    }
}
