//! The endings of a part: prefixes of tokens with which it can end within a token.
//!
//! In: the automaton of a part, the prefixes of the vocabulary's tokens, and the endings that are
//! known from the base. Out: [`Ending`]s. What holds after: each prefix with which some text of the
//! part ends, and that has tokens behind it, is there. Others may be there too, and no mask then
//! has them: the search takes every stack to be possible, and known endings come first whether the
//! part has them or not. The trie of a vocabulary depends on the endings, so parts with equal
//! endings share one trie: hence the known ones.

use crate::maps::KeyedSet;

use maskwright_core::Vocabulary;
use maskwright_core::layout::part::ROOM;
use maskwright_core::link::{Crossing, Part, Place};

use super::PartOf;
use super::check::exit_symbols;
use crate::limits::Deadline;
use crate::mask::TokenTrie;
use crate::pda::{Class, Pda, StateId, Tree, TreeId};
use crate::terminals::{Ending, Terminals};

/// The endings of a part, with ids from that behind the last exit's; `None` if there are too many.
/// When the deadline passes, it stops early.
pub(crate) fn find(
    pda: &Pda,
    terminals: &Terminals,
    part: PartOf<'_>,
    deadline: &Deadline,
) -> Option<Vec<Ending>> {
    let first = part.exits.first()? + part.exits.len() as u32;
    let room = ROOM as usize - part.exits.len();
    let own = own(pda, terminals, part, room, deadline)?;
    let all = with_known(&own, part.known, terminals.symbol(part.exits[0])?);
    let chosen = if all.len() <= room { all } else { own };
    let endings = (first..).zip(chosen).map(|(id, (prefix, symbol))| {
        // A prefix whose length does not fit is too long for any reader.
        Crossing::ending(prefix.token, prefix.bytes.len())?;
        Some(Ending {
            prefix: prefix.bytes.to_vec(),
            token: prefix.token,
            symbol,
            id,
        })
    });
    endings.collect()
}

/// A prefix with which a part can end, and the symbol of the exit that it takes then.
type FoundEnding<'p> = (&'p Prefix, u8);

/// The prefixes with which a part can end; `None` if there is no room for so many.
fn own<'p>(
    pda: &Pda,
    terminals: &Terminals,
    part: PartOf<'p>,
    room: usize,
    deadline: &Deadline,
) -> Option<Vec<FoundEnding<'p>>> {
    let backward = Backward::new(pda);
    let mut found = Vec::new();
    let symbols = exit_symbols(pda, terminals, part.exits);
    for (class, &exit) in symbols.into_iter().zip(part.exits) {
        let symbol = terminals.symbol(exit)?;
        let lead = pda.classes.of(terminals.lead);
        let ends = backward.before(&backward.before_symbol(class), lead);
        if ends.is_empty() {
            continue;
        }
        let last = backward.last_bytes(pda, &ends);
        let lists = part.prefixes.by_last.iter().zip(last);
        let prefixes = lists
            .filter(|(_, is_last)| *is_last)
            .flat_map(|(list, _)| list);
        for prefix in prefixes {
            let steps = ends.len() + prefix.bytes.len();
            deadline
                .ticks(steps, "looking at the ends of a part")
                .ok()?;
            if !backward.can_end(pda, &prefix.bytes, ends.clone()) {
                continue;
            }
            if found.len() >= room {
                return None;
            }
            found.push((prefix, symbol));
        }
    }
    Some(found)
}

/// The known prefixes, and behind them those that are not known. `symbol` is the one of the only
/// exit.
fn with_known<'p>(
    own: &[FoundEnding<'p>],
    known: &'p [Prefix],
    symbol: u8,
) -> Vec<FoundEnding<'p>> {
    let are_known: KeyedSet<&[u8]> = known.iter().map(|prefix| &prefix.bytes[..]).collect();
    let known = known.iter().map(|prefix| (prefix, symbol));
    let others = own.iter().copied();
    let others = others.filter(|(prefix, _)| !are_known.contains(&prefix.bytes[..]));
    known.chain(others).collect()
}

/// The states that lead to others, by class, whatever lies on the stack.
struct Backward {
    /// For each class pairs of a state and one that leads to it, ascending.
    by_class: Vec<Vec<(StateId, StateId)>>,
}

impl Backward {
    fn new(pda: &Pda) -> Self {
        let mut by_class = vec![Vec::new(); pda.classes.count as usize];
        for (state, record) in pda.state_ids().zip(&pda.states) {
            for &(class, tree) in &record.edges {
                let mut targets = Vec::new();
                collect(pda, class, tree, &mut Vec::new(), &mut targets);
                by_class[class as usize].extend(targets.into_iter().map(|to| (to, state)));
            }
        }
        for pairs in &mut by_class {
            pairs.sort_unstable();
            pairs.dedup();
        }
        Backward { by_class }
    }

    /// The states from which a class leads to one of these.
    fn before(&self, states: &[StateId], class: Class) -> Vec<StateId> {
        let pairs = &self.by_class[class as usize];
        let of = |&state: &StateId| {
            let from = pairs.partition_point(|pair| pair.0 < state);
            let same = pairs[from..].iter().take_while(move |pair| pair.0 == state);
            same.map(|pair| pair.1)
        };
        let mut before: Vec<StateId> = states.iter().flat_map(of).collect();
        before.sort_unstable();
        before.dedup();
        before
    }

    /// The states that take a class.
    fn before_symbol(&self, class: Class) -> Vec<StateId> {
        let mut states: Vec<StateId> = self.by_class[class as usize]
            .iter()
            .map(|pair| pair.1)
            .collect();
        states.sort_unstable();
        states.dedup();
        states
    }

    /// Which bytes can lead to these states.
    fn last_bytes(&self, pda: &Pda, states: &[StateId]) -> [bool; 256] {
        let classes = 0..pda.classes.count;
        let can: Vec<bool> = classes
            .map(|class| !self.before(states, class).is_empty())
            .collect();
        std::array::from_fn(|byte| can[pda.classes.of(byte as u8) as usize])
    }

    /// Whether these bytes can lead to one of these states.
    fn can_end(&self, pda: &Pda, prefix: &[u8], mut states: Vec<StateId>) -> bool {
        for &byte in prefix.iter().rev() {
            states = self.before(&states, pda.classes.of(byte));
            if states.is_empty() {
                return false;
            }
        }
        true
    }
}

/// Adds the states that an edge can lead to.
fn collect(
    pda: &Pda,
    class: Class,
    tree: TreeId,
    seen: &mut Vec<TreeId>,
    targets: &mut Vec<StateId>,
) {
    if seen.contains(&tree) {
        return;
    }
    seen.push(tree);
    match &pda.trees[tree.index()] {
        Tree::Leaf(leaf) => {
            for alternative in leaf {
                match alternative.again {
                    false => targets.push(alternative.next),
                    true => {
                        if let Some(tree) = pda.edge(alternative.next, class) {
                            collect(pda, class, tree, seen, targets);
                        }
                    }
                }
            }
        }
        Tree::Look { branches, .. } => {
            for &(_, tree) in branches {
                collect(pda, class, tree, seen, targets);
            }
        }
    }
}

/// The prefixes of tokens that have tokens behind them, by their last byte.
#[derive(Clone, Debug)]
pub(crate) struct Prefixes {
    by_last: Vec<Vec<Prefix>>,
}

/// A prefix, and a token that begins with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    bytes: Box<[u8]>,
    token: u32,
}

/// The endings of a part that has been compiled.
pub(crate) fn of_part(part: &Part<'_>, vocabulary: &Vocabulary<'_>) -> Vec<Prefix> {
    let prefix = |ending| {
        let at_end = Crossing {
            ending,
            place: Place::Outer,
            state: 0,
            piece: None,
        };
        let (token, length) = at_end.prefix();
        let bytes = vocabulary.bytes(token).get(..length)?;
        Some(Prefix {
            bytes: bytes.into(),
            token,
        })
    };
    part.endings().filter_map(prefix).collect()
}

impl Prefixes {
    /// The prefixes of the tokens of a trie: a few milliseconds for 100,000 tokens.
    pub(crate) fn new(trie: &TokenTrie) -> Self {
        let mut by_last = vec![Vec::new(); 256];
        let mut path: Vec<(u32, u8)> = Vec::new();
        for (at, node) in (0u32..).zip(trie.nodes.iter()).skip(1) {
            while path.last().is_some_and(|&(end, _)| end <= at) {
                path.pop();
            }
            let Ok(byte) = u8::try_from(node.symbol) else {
                continue;
            };
            path.push((node.end, byte));
            if node.own < node.last {
                by_last[usize::from(byte)].push(Prefix {
                    bytes: path.iter().map(|&(_, byte)| byte).collect(),
                    token: trie.ids[node.own as usize],
                });
            }
        }
        Prefixes { by_last }
    }
}
