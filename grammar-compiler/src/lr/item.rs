//! Items and the entries of frames.

use crate::automata::MachineId;
use crate::maps::own_keys;

pub use crate::pda::MAX_SPREAD;

/// Within one edge, returns are followed down to this depth where that keeps the stack in one.
/// Deeper ones are deferred: the edge pops the frames that it knows, and the symbol is taken again.
pub const MAX_LOOK: u8 = 1;
/// Items that can only return do so at once, if their frame lies no deeper than this.
pub const MAX_RETURN: u8 = 2;

/// Which items share a stack, and so an item set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// All items whose frames lie close together. Stacks are few; in a grammar with many readings,
    /// states may be as many as sets of positions.
    #[default]
    Together,
    /// No items: each has its own stack. States are no more than positions, and stacks as many
    /// as there are readings.
    Apart,
}

impl Sharing {
    /// The greatest depth at which an edge follows returns.
    pub(super) fn look(self) -> u8 {
        match self {
            Sharing::Together => MAX_LOOK,
            Sharing::Apart => 0,
        }
    }

    /// The greatest depth at which items that can only return do so at once.
    pub(super) fn at_once(self) -> u8 {
        match self {
            Sharing::Together => MAX_RETURN,
            Sharing::Apart => 0,
        }
    }
}

/// A position in a machine, and how many frames below the top the machine was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Item {
    /// The position.
    pub node: u32,
    /// The depth of the frame that its machine was entered with; 0 is the top.
    pub depth: u8,
    /// If the item's return is deferred: the positions at which the symbol has been tried.
    pub tried: Tried,
}

own_keys!(Item);

/// Positions at which the symbol that is taken again has been tried; the first ones met, if there
/// are many. Each slot holds a position plus one, ascending; unused slots follow, and are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tried([u32; MAX_TRIED]);

/// No more positions than this are remembered. Forgetting one may cost a stack; the language stays
/// the same.
const MAX_TRIED: usize = 3;

impl Tried {
    /// Whether `node` is among them.
    pub fn contains(self, node: u32) -> bool {
        self.0.contains(&(node + 1))
    }

    /// Adds a position.
    pub fn insert(&mut self, node: u32) {
        if !self.contains(node)
            && let Some(free) = self.0.iter().position(|&slot| slot == 0)
        {
            self.0[free] = node + 1;
            self.0[..=free].sort_unstable();
        }
    }

    /// Adds all of `other`.
    pub fn union(&mut self, other: Tried) {
        let tried = other.0.into_iter().filter(|&slot| slot != 0);
        tried.for_each(|slot| self.insert(slot - 1));
    }
}

/// One line of a frame's goto map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GotoEntry {
    /// When this machine returns,
    pub machine: MachineId,
    /// go on at this position,
    pub resume: u32,
    /// whose own machine was entered this far below the frame: 0 is the next frame down, `u8::MAX`
    /// this one.
    pub depth: u8,
}

own_keys!(GotoEntry);

/// The caller was entered with the same frame as the callee: both begin at the same byte.
pub const SAME: u8 = u8::MAX;

/// The entries of a frame's goto map, which ascend, by which `machine` returns.
pub fn returns_of(frame: &[GotoEntry], machine: MachineId) -> &[GotoEntry] {
    let from = frame.partition_point(|entry| entry.machine < machine);
    let behind = &frame[from..];
    &behind[..behind.partition_point(|entry| entry.machine == machine)]
}
