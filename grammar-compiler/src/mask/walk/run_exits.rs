//! The exits of runs, found where they are worth it.

use std::rc::Rc;

use crate::mask::transitions::StateRun;
use crate::mask::trie::exits::{Exits, KeptExits, RunKind};
use crate::mask::trie::{Text, TokenTrie, TrieNodes};

/// The whole trie is searched for the exits of a kind of run once walks have met one in this many
/// of its nodes at runs of that kind.
const WORTH_EXITS: usize = 16;

/// For each kind of run the exits that its runs have in the trie.
pub struct RunExits<'a> {
    trie: &'a TrieNodes,
    /// The exits that other grammars' walks have found.
    kept: &'a KeptExits,
    kinds: &'a [RunKind],
    of_kind: Vec<ExitProgress>,
}

/// The exits of a kind of run, or the progress towards searching for them.
enum ExitProgress {
    /// The exits.
    Found(Rc<Exits>),
    /// The number of trie nodes that have been met at runs of the kind.
    Met(u32),
}

impl<'a> RunExits<'a> {
    /// The exits of these kinds, as far as they are known.
    pub fn new(tokens: &'a TokenTrie, kinds: &'a [RunKind]) -> Self {
        let known = |&kind: &RunKind| match tokens.exits.known(kind) {
            Some(known) => ExitProgress::Found(Rc::new(known)),
            None => ExitProgress::Met(0),
        };
        RunExits {
            trie: &tokens.nodes,
            kept: &tokens.exits,
            kinds,
            of_kind: kinds.iter().map(known).collect(),
        }
    }

    /// The exits of this kind of run. `None` while walks have met too few nodes at such runs, these
    /// `nodes` included, to pay for the search.
    pub fn of(&mut self, kind: u32, nodes: u32) -> Option<Rc<Exits>> {
        let progress = &mut self.of_kind[kind as usize];
        if let ExitProgress::Met(met) = progress {
            *met = met.saturating_add(nodes);
            if (*met as usize) < self.trie.len() / WORTH_EXITS {
                return None;
            }
            let kind = self.kinds[kind as usize];
            *progress = ExitProgress::Found(Rc::new(self.kept.of(self.trie, kind)));
        }
        match progress {
            ExitProgress::Found(exits) => Some(Rc::clone(exits)),
            ExitProgress::Met(_) => None,
        }
    }
}

/// Whether a walk can be taken along a run from a node. Within a character it is not known where
/// the next character begins.
pub fn goes_along(trie: &TrieNodes, node: u32, run: &StateRun) -> bool {
    let is_open = matches!(trie[node].text, Text::Open(..));
    run.along.is_some() && !(run.kind.text && is_open)
}

/// Adds the ranks of the tokens that end at `node` or in the run from there to `own`, and calls
/// `visit` for each exit with the number of steps along the run and the node.
pub fn each_exit(
    trie: &TrieNodes,
    node: u32,
    (run, exits): (&StateRun, &Exits),
    own: &mut Vec<(u32, u32)>,
    visit: &mut impl FnMut(u32, u32),
) {
    let top = &trie[node];
    let mut from = top.first;
    for exit in exits.below(trie, node, run.length) {
        let here = &trie[exit];
        if from < here.first {
            own.push((from, here.first));
        }
        from = here.last;
        if !run.kind.refuses(here) {
            visit(top.steps_to(here), exit);
        }
    }
    own.push((from, top.last));
}
