//! The endings of a part: prefixes of tokens with which it can end within a token.
//!
//! In: the automaton of a part and the trie of the vocabulary. Out: [`Ending`]s. What holds after: each prefix with which some text of the part ends, and that has tokens behind it, is there. Others
//! may be there as well, which no mask then has: whatever lies on the stack is taken to be possible.

use maskwright_core::Crossing;
use maskwright_core::layout::part::ROOM;

use super::PartOf;
use super::check::exit_symbols;
use crate::mask::TokenTrie;
use crate::pda::{Class, Pda, StateId, Tree, TreeId};
use crate::terminals::{Ending, Terminals};

/// The endings of a part, with ids from that behind the last exit's; `None` if there are too many.
pub(crate) fn find(pda: &Pda, terminals: &Terminals, part: PartOf<'_>) -> Option<Vec<Ending>> {
    let backward = Backward::new(pda);
    let mut endings = Vec::new();
    let first = part.exits.first()? + part.exits.len() as u32;
    let room = ROOM as usize - part.exits.len();
    for (symbol, exit) in exit_symbols(pda, terminals, part.exits)
        .into_iter()
        .zip(part.exits)
    {
        let spelled = terminals.symbol(*exit)?;
        let ends = backward.before(
            &backward.before_symbol(symbol),
            pda.classes.of(terminals.lead),
        );
        if ends.is_empty() {
            continue;
        }
        let last = backward.last_bytes(pda, &ends);
        let lists = part.prefixes.by_last.iter().zip(last);
        let prefixes = lists
            .filter(|(_, is_last)| *is_last)
            .flat_map(|(list, _)| list);
        for Prefix { bytes, token } in prefixes {
            if !backward.can_end(pda, bytes, ends.clone()) {
                continue;
            }
            if endings.len() >= room {
                return None;
            }
            // A prefix whose length does not fit is too long for any reader.
            Crossing::ending(*token, bytes.len())?;
            endings.push(Ending {
                prefix: bytes.to_vec(),
                token: *token,
                symbol: spelled,
                id: first + endings.len() as u32,
            });
        }
    }
    Some(endings)
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
    match &pda.trees[tree.place()] {
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
#[derive(Clone, Debug)]
struct Prefix {
    bytes: Box<[u8]>,
    token: u32,
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
