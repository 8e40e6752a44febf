//! Which grammars can be parts.
//!
//! In: the automaton of a grammar, and its exits. Out: nothing, or why it is not a part. What holds
//! after: one stack is enough; where an exit can be taken, the stack is empty and nothing else can
//! be taken.

use crate::pda::stacks::Stacks;
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, StateId, Tree, TreeId};
use crate::terminals::Terminals;

/// Whether a grammar can be a part with these exits.
///
/// # Errors
/// Why it cannot.
pub(crate) fn check(
    pda: &Pda,
    stacks: Stacks,
    terminals: &Terminals,
    exits: &[u32],
) -> Result<(), &'static str> {
    if stacks != Stacks::Proved(1) {
        return Err("it needs more than one stack");
    }
    if !terminals.limits.is_empty() {
        return Err("it counts the tokens of a text");
    }
    let lead = pda.classes.of(terminals.lead);
    let symbols: Vec<Class> = exit_symbols(pda, terminals, exits);
    let mut apart = symbols.clone();
    apart.sort_unstable();
    apart.dedup();
    if apart.len() < symbols.len() {
        return Err("two of its exits are the same");
    }
    for (state, record) in pda.state_ids().zip(&pda.states) {
        let Some(tree) = pda.edge(state, lead) else {
            continue;
        };
        for way in ways(pda, tree) {
            if way.leads_to_exit(pda, lead, &symbols, &mut Vec::new()) {
                way.check(pda, state, lead, &symbols, &record.top)?;
            }
        }
    }
    Ok(())
}

/// The classes of the second symbols of exits.
pub(super) fn exit_symbols(pda: &Pda, terminals: &Terminals, exits: &[u32]) -> Vec<Class> {
    let symbols = exits.iter().filter_map(|&id| terminals.symbol(id));
    symbols.map(|symbol| pda.classes.of(symbol)).collect()
}

/// One leaf of an edge: the frames that lead to it, by depth, and its alternatives.
struct EdgeLeaf<'p> {
    looks: Vec<(u8, FrameId)>,
    leaf: &'p [Alternative],
}

/// The leaves of an edge that have alternatives.
fn ways(pda: &Pda, tree: TreeId) -> Vec<EdgeLeaf<'_>> {
    let mut found = Vec::new();
    let mut pending = vec![(tree, Vec::new())];
    while let Some((tree, looks)) = pending.pop() {
        match &pda.trees[tree.index()] {
            Tree::Leaf(leaf) if leaf.is_empty() => {}
            Tree::Leaf(leaf) => found.push(EdgeLeaf { looks, leaf }),
            Tree::Look { depth, branches } => {
                pending.extend(branches.iter().map(|&(frame, tree)| {
                    let own = [(*depth, frame)];
                    (tree, looks.iter().copied().chain(own).collect())
                }));
            }
        }
    }
    found
}

impl EdgeLeaf<'_> {
    /// Whether a token that begins with this edge can be an exit.
    fn leads_to_exit(
        &self,
        pda: &Pda,
        lead: Class,
        symbols: &[Class],
        seen: &mut Vec<StateId>,
    ) -> bool {
        self.leaf.iter().any(|alternative| {
            if !alternative.again {
                let edges = &pda.states[alternative.next.index()].edges;
                return edges.iter().any(|(class, _)| symbols.contains(class));
            }
            if seen.contains(&alternative.next) {
                return false;
            }
            seen.push(alternative.next);
            let tree = pda.edge(alternative.next, lead);
            let ways = tree.map_or_else(Vec::new, |tree| ways(pda, tree));
            let mut ways = ways.iter();
            ways.any(|way| way.leads_to_exit(pda, lead, symbols, seen))
        })
    }

    /// Whether this can happen on an empty stack.
    fn is_at_bottom(&self) -> bool {
        self.looks.iter().all(|&(_, frame)| frame == BOTTOM)
    }

    fn check(
        &self,
        pda: &Pda,
        state: StateId,
        lead: Class,
        symbols: &[Class],
        top: &[FrameId],
    ) -> Result<(), &'static str> {
        let on_empty = *top == [BOTTOM] || self.looks.contains(&(0, BOTTOM));
        let [
            Alternative {
                pop: 0,
                push: None,
                next,
                again: false,
            },
        ] = self.leaf
        else {
            return Err("it can end where its stack is not empty");
        };
        if !on_empty {
            return Err("it can end where its stack is not empty");
        }
        let behind = &pda.states[next.index()].edges;
        let [(symbol, tree)] = behind[..] else {
            return Err("where it can end it can also go on");
        };
        let is_plain = pda.trees[tree.index()].goto().is_some();
        if !symbols.contains(&symbol) || !is_plain {
            return Err("where it can end it can also go on");
        }
        let edges = &pda.states[state.index()].edges;
        let mut others = edges.iter().filter(|(class, _)| *class != lead);
        if others.any(|&(_, tree)| ways(pda, tree).iter().any(EdgeLeaf::is_at_bottom)) {
            return Err("where it can end it can also go on");
        }
        Ok(())
    }
}
