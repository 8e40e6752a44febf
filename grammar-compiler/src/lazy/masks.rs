//! The walk: which tokens a situation allows.
//!
//! In: a situation and the vocabulary's trie. Out: its token mask, a bit for each id. What holds: a
//! token is in the mask if and only if its bytes lead somewhere from the situation, or the text may
//! end there and the token ends it.

use maskwright_core::layout::END_OF_TEXT;

use super::GaveUp;
use super::runs::{Run, Runs};
use super::situations::{DEAD, SituationId, Situations};
use super::vocabulary::LazyVocabulary;
use crate::mask::trie::exits::RunKind;
use crate::mask::trie::{Text, TokenTrie};

/// Subtrees of fewer nodes are walked node by node.
const WORTH_EXITS: u32 = 48;
/// Nodes at which two situations are compared before it is asked whether the situation has a
/// region, whose tokens need no comparison, and whether both begin runs.
const WORTH_RUNS: usize = 1_024;

/// A walk of the trie.
pub(super) struct Walk<'a> {
    vocabulary: &'a LazyVocabulary,
    pub(super) trie: &'a TokenTrie,
    pub(super) situations: &'a mut Situations,
    runs: &'a mut Runs,
    /// Nodes still to be visited, each with the situation at it.
    pub(super) pending: Vec<(u32, SituationId)>,
    /// The subtrees around a node that is visited, outermost first: where each ends, and the
    /// situation in it.
    open: Vec<(u32, SituationId)>,
    pub(super) mask: &'a mut [u32],
}

impl<'a> Walk<'a> {
    /// Writes the mask of a situation. No bit is set before.
    ///
    /// # Errors
    /// If a bound is passed. What was written has no meaning then.
    pub(super) fn fill(
        vocabulary: &'a LazyVocabulary,
        automaton: (&'a mut Situations, &'a mut Runs),
        situation: SituationId,
        mask: &'a mut [u32],
    ) -> Result<(), GaveUp> {
        let mut walk = Walk::new(vocabulary, automaton, mask);
        walk.pending.push((0, situation));
        walk.finish(situation)
    }

    /// Makes the mask of a situation from the mask of a `base`: it walks only the tokens that may
    /// differ. Before the name of a property, for example, a situation differs from one in any
    /// string only in the names that are declared. If the two lead to different situations along
    /// much of the trie, the mask is made from the region of the situation, if it has one.
    /// Otherwise tokens that stay in runs of one kind are passed over.
    ///
    /// # Errors
    /// If a bound is passed. What was written has no meaning then.
    pub(super) fn differ(
        vocabulary: &'a LazyVocabulary,
        automaton: (&'a mut Situations, &'a mut Runs),
        (situation, base): (SituationId, SituationId),
        mask: &'a mut [u32],
    ) -> Result<(), GaveUp> {
        let mut walk = Walk::new(vocabulary, automaton, mask);
        let mut differing = vec![(0, situation, base)];
        let mut compared = 0;
        while let Some((node, here, there)) = differing.pop() {
            let pair = (here, there);
            let is_long = compared > WORTH_RUNS;
            if !is_long || !walk.compare_runs(node, pair, &mut differing)? {
                walk.compare(node, pair, &mut differing)?;
            }
            compared += 1;
            if compared == WORTH_RUNS && walk.leave_region(situation)? {
                break;
            }
        }
        walk.finish(situation)
    }

    /// Corrects a mask that is right only for tokens of at most so many bytes.
    ///
    /// # Errors
    /// If a bound is passed. What was written has no meaning then.
    pub(super) fn correct(
        vocabulary: &'a LazyVocabulary,
        automaton: (&'a mut Situations, &'a mut Runs),
        (situation, bytes): (SituationId, u32),
        mask: &'a mut [u32],
    ) -> Result<(), GaveUp> {
        let mut walk = Walk::new(vocabulary, automaton, mask);
        let nodes = &walk.trie.nodes;
        let mut pending = vec![(0, situation, 0)];
        while let Some((node, situation, depth)) = pending.pop() {
            let row = *walk.situations.row(situation)?;
            for child in nodes.children(nodes.children_of(node)) {
                let below = &nodes[child.node];
                let Some(&to) = row.get(usize::from(child.symbol)) else {
                    continue;
                };
                if depth + u32::from(below.length) <= bytes {
                    continue;
                }
                if to == DEAD {
                    walk.refuse(below.first, below.last);
                } else {
                    walk.allow(below.first, below.own);
                    if below.end > child.node + 1 {
                        pending.push((child.node, to, depth + 1));
                    }
                }
            }
        }
        Ok(())
    }

    fn new(
        vocabulary: &'a LazyVocabulary,
        (situations, runs): (&'a mut Situations, &'a mut Runs),
        mask: &'a mut [u32],
    ) -> Self {
        runs.except.clear();
        Walk {
            vocabulary,
            trie: vocabulary.prepared().trie(),
            situations,
            runs,
            pending: Vec::new(),
            open: Vec::new(),
            mask,
        }
    }

    /// Visits all pending nodes, then allows the tokens that end a text if the text may end in the
    /// situation `of`.
    fn finish(&mut self, of: SituationId) -> Result<(), GaveUp> {
        while let Some((node, situation)) = self.pending.pop() {
            self.visit(node, situation)?;
        }
        self.correct_exceptions(of)?;
        let is_complete = self.situations.is_complete(of);
        self.set_end(is_complete);
        Ok(())
    }

    /// Corrects the tokens with characters that lead elsewhere than the runs and regions of this
    /// walk, which began in the situation `of`.
    fn correct_exceptions(&mut self, of: SituationId) -> Result<(), GaveUp> {
        let except = std::mem::take(&mut self.runs.except);
        let vocabulary = self.vocabulary;
        let tokens = vocabulary.prepared().vocabulary();
        for id in vocabulary.characters.tokens(&except) {
            let mut at = of;
            for &byte in tokens.bytes(id) {
                at = self.situations.row(at)?[usize::from(byte)];
                if at == DEAD {
                    break;
                }
            }
            match at == DEAD {
                true => self.mask[id as usize / 32] &= !(1 << (id % 32)),
                false => self.mask[id as usize / 32] |= 1 << (id % 32),
            }
        }
        Ok(())
    }

    /// Allows the tokens that end a text, or takes them out.
    fn set_end(&mut self, is_complete: bool) {
        let root = self.trie.nodes.children(self.trie.nodes.children_of(0));
        let Some(end) = root.last().filter(|child| child.symbol == END_OF_TEXT) else {
            return;
        };
        let end = &self.trie.nodes[end.node];
        match is_complete {
            true => self.allow(end.first, end.own),
            false if self.trie.twice.is_empty() => self.refuse(end.first, end.own),
            false => {}
        }
    }

    /// Corrects the mask below a node. The bytes up to the node lead to the situation `here`, and
    /// from the base to `there`.
    fn compare(
        &mut self,
        node: u32,
        (here, there): (SituationId, SituationId),
        differing: &mut Vec<(u32, SituationId, SituationId)>,
    ) -> Result<(), GaveUp> {
        let nodes = &self.trie.nodes;
        for child in nodes.children(nodes.children_of(node)) {
            self.compare_at(child.node, [here, there], differing)?;
        }
        Ok(())
    }

    /// The same where two situations begin runs of one kind: tokens that stay in one stay in the
    /// other as well. Returns whether they do.
    fn compare_runs(
        &mut self,
        node: u32,
        (here, there): (SituationId, SituationId),
        differing: &mut Vec<(u32, SituationId, SituationId)>,
    ) -> Result<bool, GaveUp> {
        let nodes = &self.trie.nodes;
        let top = &nodes[node];
        let size = top.end - node;
        if node == 0 || size < WORTH_EXITS {
            return Ok(false);
        }
        let mut of = |at| (self.runs).of(self.situations, (at, size), self.vocabulary);
        let (Some(run), Some(base)) = (of(here)?, of(there)?) else {
            return Ok(false);
        };
        let kind = run.known.kind;
        if kind != base.known.kind || kind.text && matches!(top.text, Text::Open(..)) {
            return Ok(false);
        }
        let length = run.length().min(base.length());
        for exit in run.known.exits.below(nodes, node, length) {
            let steps = top.steps_to(&nodes[exit]);
            if !kind.refuses(&nodes[exit]) {
                self.compare_at(exit, [run.after(steps), base.after(steps)], differing)?;
            }
        }
        Ok(true)
    }

    /// Corrects the mask at a node and below it. The bytes up to the symbol of the node lead to the
    /// first situation, and from the base to the second.
    fn compare_at(
        &mut self,
        node: u32,
        before: [SituationId; 2],
        differing: &mut Vec<(u32, SituationId, SituationId)>,
    ) -> Result<(), GaveUp> {
        let below = &self.trie.nodes[node];
        let mut targets = [DEAD; 2];
        for (target, at) in targets.iter_mut().zip(before) {
            match self.situations.row(at)?.get(usize::from(below.symbol)) {
                Some(&to) => *target = to,
                None => return Ok(()),
            }
        }
        match targets {
            [to, base] if to == base => {}
            [DEAD, _] => self.refuse(below.first, below.last),
            [to, DEAD] => {
                self.allow(below.first, below.own);
                self.pending.push((node, to));
            }
            [to, base] if below.end > node + 1 => differing.push((node, to, base)),
            _ => {}
        }
        Ok(())
    }

    /// Allows the tokens that end in a child of a node, and goes on with the children.
    fn visit(&mut self, node: u32, situation: SituationId) -> Result<(), GaveUp> {
        let nodes = &self.trie.nodes;
        let here = &nodes[node];
        let size = here.end - node;
        if size < WORTH_EXITS {
            return self.visit_all(node, situation);
        }
        let run = (self.runs).of(self.situations, (situation, size), self.vocabulary)?;
        // To find out the suffixes of one more kind takes a millisecond, and regions mostly have a
        // kind whose suffixes are known.
        let has_suffixes = |run: &Run| run.known.known_suffixes().is_some();
        if node == 0 && !run.as_ref().is_some_and(has_suffixes) && self.leave_region(situation)? {
            return Ok(());
        }
        if let Some(run) = run
            && !(run.known.kind.text && matches!(here.text, Text::Open(..)))
        {
            return self.leave(node, &run);
        }
        let row = self.situations.row(situation)?;
        for child in nodes.children(nodes.children_of(node)) {
            let to = row.get(usize::from(child.symbol)).copied();
            if let Some(to) = to.filter(|&to| to != DEAD) {
                let below = &nodes[child.node];
                if below.end > child.node + 1 {
                    self.pending.push((child.node, to));
                }
                allow(self.mask, self.trie.ending_at(below));
            }
        }
        Ok(())
    }

    /// Visits all nodes below a node in the order in which they lie in memory.
    fn visit_all(&mut self, node: u32, situation: SituationId) -> Result<(), GaveUp> {
        let nodes = &self.trie.nodes;
        let past = nodes[node].end;
        self.open.clear();
        let (mut until, mut from) = (past, situation);
        let mut at = node + 1;
        while at < past {
            while at >= until {
                (until, from) = self.open.pop().unwrap_or((past, situation));
            }
            let here = &nodes[at];
            let row = self.situations.row(from)?;
            match row.get(usize::from(here.symbol)) {
                Some(&to) if to != DEAD => {
                    allow(self.mask, self.trie.ending_at(here));
                    at += 1;
                    if here.end > at {
                        self.open.push((until, from));
                        (until, from) = (here.end, to);
                    }
                }
                _ => at = here.end,
            }
        }
        Ok(())
    }

    /// Allows the tokens that stay in the region of a situation, and goes on where tokens leave it;
    /// whatever the mask had before is gone, and nothing is pending but that. Returns whether the
    /// situation has a region: without one nothing changes.
    fn leave_region(&mut self, situation: SituationId) -> Result<bool, GaveUp> {
        let known = (self.runs).region(self.situations, situation, self.vocabulary)?;
        let Some((known, suffixes)) = known
            .as_deref()
            .and_then(|known| Some((known, known.suffixes(self.trie)?)))
        else {
            return Ok(false);
        };
        self.mask.copy_from_slice(&suffixes.inside);
        self.pending.clear();
        let nodes = &self.trie.nodes;
        let mut pending = vec![(0, situation)];
        while let Some((node, situation)) = pending.pop() {
            let row = *self.situations.row(situation)?;
            for child in nodes.children(nodes.children_of(node)) {
                if known.exits.has(child.node) {
                    self.exit(child.node, situation, &known.kind)?;
                } else if known.exits.are_below(child.node, nodes[child.node].end)
                    && let Some(&to) = row.get(usize::from(child.symbol))
                    // Only a character that leaves the region otherwise leads nowhere: its tokens
                    // are corrected.
                    && to != DEAD
                {
                    pending.push((child.node, to));
                }
            }
        }
        Ok(true)
    }

    /// Allows the tokens below a node that stay in a run, and goes on where tokens leave it.
    fn leave(&mut self, node: u32, run: &Run) -> Result<(), GaveUp> {
        let nodes = &self.trie.nodes;
        let top = &nodes[node];
        if node == 0
            && let Some(suffixes) = run.known.suffixes(self.trie)
        {
            let classes = self.alike(run, suffixes)?;
            return self.leave_by_suffixes(run, suffixes, &classes);
        }
        // What ends at the node itself was allowed where the way came to it.
        let mut from = top.own;
        for exit in run.known.exits.below(nodes, node, run.length()) {
            let here = &nodes[exit];
            self.allow(from, here.first);
            from = here.last;
            self.exit(exit, run.after(top.steps_to(here)), &run.known.kind)?;
        }
        self.allow(from, top.last);
        Ok(())
    }

    /// Goes on at a node whose symbol leaves a run of a kind, in the situation before that symbol.
    pub(super) fn exit(
        &mut self,
        exit: u32,
        situation: SituationId,
        kind: &RunKind,
    ) -> Result<(), GaveUp> {
        let here = &self.trie.nodes[exit];
        if kind.refuses(here) {
            return Ok(());
        }
        let row = self.situations.row(situation)?;
        let to = row.get(usize::from(here.symbol)).copied();
        if let Some(to) = to.filter(|&to| to != DEAD) {
            self.allow(here.first, here.own);
            if here.end > exit + 1 {
                self.pending.push((exit, to));
            }
        }
        Ok(())
    }

    /// Allows the tokens of a range of ranks.
    fn allow(&mut self, from: u32, to: u32) {
        allow(
            self.mask,
            &self.trie.ids[from as usize..to.max(from) as usize],
        );
    }

    /// Takes the tokens of a range of ranks out again.
    pub(super) fn refuse(&mut self, from: u32, to: u32) {
        for &id in &self.trie.ids[from as usize..to as usize] {
            self.mask[id as usize / 32] &= !(1 << (id % 32));
        }
    }
}

/// Allows tokens in a mask.
pub(super) fn allow(mask: &mut [u32], ids: &[u32]) {
    for &id in ids {
        mask[id as usize / 32] |= 1 << (id % 32);
    }
}
