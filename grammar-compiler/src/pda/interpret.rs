//! Runs a [`Pda`] as it is written, on any number of stacks: slow, for comparing the levels.

use super::{Alternative, BOTTOM, FrameId, Pda, StateId, Tree, TreeId};

/// One stack: a state and the frames below it, the top last.
pub type Stack = (StateId, Vec<FrameId>);

/// Whether `text` is a sentence.
pub fn accepts(pda: &Pda, text: &[u8]) -> bool {
    let mut stacks = vec![(pda.start, Vec::new())];
    for &byte in text {
        stacks = step(pda, &stacks, pda.classes.of(byte));
    }
    !step(pda, &stacks, pda.classes.end()).is_empty()
}

/// The stacks after one symbol, sorted, equal ones once.
pub fn step(pda: &Pda, stacks: &[Stack], class: super::Class) -> Vec<Stack> {
    let mut out = Vec::new();
    let mut pending = stacks.to_vec();
    while let Some((state, frames)) = pending.pop() {
        let Some(tree) = pda.edge(state, class) else {
            continue;
        };
        for alternative in resolve(pda, tree, &frames) {
            let next = apply(alternative, &frames);
            if alternative.again {
                pending.push(next)
            } else {
                out.push(next)
            }
        }
    }
    out.sort();
    out.dedup();
    out
}

/// The leaf of a tree on a stack.
pub fn resolve<'a>(pda: &'a Pda, mut tree: TreeId, frames: &[FrameId]) -> &'a [Alternative] {
    loop {
        match &pda.trees[tree.index()] {
            Tree::Leaf(alternatives) => return alternatives,
            Tree::Look { depth, branches } => {
                let at = frames.len().checked_sub(1 + *depth as usize);
                let frame = at.map_or(BOTTOM, |at| frames[at]);
                match branches.binary_search_by_key(&frame, |b| b.0) {
                    Ok(branch) => tree = branches[branch].1,
                    Err(_) => return &[],
                }
            }
        }
    }
}

fn apply(alternative: &Alternative, frames: &[FrameId]) -> Stack {
    let mut frames = frames[..frames.len().saturating_sub(alternative.pop as usize)].to_vec();
    frames.extend(alternative.push);
    (alternative.next, frames)
}
