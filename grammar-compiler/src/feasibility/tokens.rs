//! The texts of all sequences of tokens, in symbol classes.
//!
//! In: the automaton's classes and the vocabulary's trie. Out: [`TokenTexts`], an automaton whose
//! node [`BETWEEN`] is between two tokens. It is nondeterministic, and as small as exactness
//! allows. Where each class of a token has a token of one byte, the token itself is not needed; nor
//! is one that is itself a sequence of other tokens. Only the rest is kept.

use crate::id::id;
use crate::limits::{Deadline, LimitExceeded};
use crate::mask::TokenTrie;
use crate::pda::{Class, Pda};
use crate::terminals::NOT_TEXT;

id! {
    /// Index of a node of a [`TokenTexts`].
    pub struct TextNode;
}

/// Between two tokens.
pub const BETWEEN: TextNode = TextNode::new(0);
/// A pseudo node that takes every symbol: text that need not be spelled.
pub const ANYWHERE: TextNode = TextNode::new(u32::MAX);

/// The automaton of all sequences of tokens.
#[derive(Debug)]
pub struct TokenTexts {
    /// Classes with a token of one byte; the end of the text counts as one.
    alone: Vec<bool>,
    /// Classes that some edge takes and that have no such token.
    missing: Vec<Class>,
    /// Of them, those in no token at all.
    never: Vec<Class>,
    /// The tokens that are needed besides.
    trie: ClassTrie,
}

impl TokenTexts {
    /// The automaton of all texts.
    pub fn of_all_bytes(pda: &Pda) -> Self {
        TokenTexts {
            alone: vec![true; usize::from(pda.classes.count)],
            missing: Vec::new(),
            never: Vec::new(),
            trie: ClassTrie::new(),
        }
    }

    /// The automaton of tokens' texts, or `None` if every class that an edge of `pda` takes has a
    /// token of one byte: then all texts can be spelled.
    ///
    /// # Errors
    ///
    /// If the deadline passes.
    pub fn new(
        pda: &Pda,
        tokens: &TokenTrie,
        deadline: &Deadline,
    ) -> Result<Option<Self>, LimitExceeded> {
        let used = used(pda);
        let alone = alone(pda, tokens);
        let is_missing: Vec<bool> = used.iter().zip(&alone).map(|(&u, &a)| u && !a).collect();
        if !is_missing.contains(&true) {
            return Ok(None);
        }
        let all = ClassTrie::of_tokens(pda, tokens, &used);
        let never = all.unused(&is_missing);
        let mut trie = ClassTrie::new();
        let mut steps = 0u32;
        for token in all.tokens(&is_missing) {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(64) {
                deadline.check("finding what the vocabulary spells")?;
            }
            if !all.is_sequence(&token) {
                trie.insert(&token);
            }
        }
        let missing = (0..pda.classes.count).filter(|&c| is_missing[c as usize]);
        Ok(Some(TokenTexts {
            alone,
            missing: missing.collect(),
            never,
            trie,
        }))
    }

    /// The same texts, as if one more class had a token of one byte.
    pub fn with(&self, class: Class) -> Self {
        let mut alone = self.alone.clone();
        alone[class as usize] = true;
        TokenTexts {
            alone,
            missing: self.missing.clone(),
            never: self.never.clone(),
            trie: self.trie.clone(),
        }
    }

    /// Classes that some edge takes and that have no token of one byte.
    pub fn missing(&self) -> &[Class] {
        &self.missing
    }

    /// Those of [`missing`](Self::missing) that are in no token.
    pub fn never(&self) -> Vec<Class> {
        self.never.clone()
    }

    /// Where a symbol leads from a node.
    pub fn moves(&self, node: TextNode, class: Class) -> impl Iterator<Item = TextNode> + use<> {
        if node == ANYWHERE {
            return [Some(ANYWHERE), None].into_iter().flatten();
        }
        let child = self
            .trie
            .child(node, class)
            .map(|c| (c, &self.trie.nodes[c.index()]));
        let inside = child.and_then(|(c, node)| (!node.next.is_empty()).then_some(c));
        let ends = child.is_some_and(|(_, node)| node.is_token)
            || node == BETWEEN && self.alone[class as usize];
        [inside, ends.then_some(BETWEEN)].into_iter().flatten()
    }
}

/// Classes that some edge takes.
fn used(pda: &Pda) -> Vec<bool> {
    let mut used = vec![false; pda.classes.count as usize];
    let edges = pda.states.iter().flat_map(|s| &s.edges);
    edges.for_each(|&(class, _)| used[class as usize] = true);
    used
}

/// Classes with a token of one byte, and the end of the text.
fn alone(pda: &Pda, tokens: &TokenTrie) -> Vec<bool> {
    let mut alone = vec![false; pda.classes.count as usize];
    alone[pda.classes.end() as usize] = true;
    let mut node = 1;
    while let Some(child) = tokens.nodes.get(node) {
        if let Ok(byte) = u8::try_from(child.symbol) {
            let of_lead = Some(byte) == pda.classes.token_lead;
            alone[pda.classes.of(byte) as usize] |= of_lead || child.first < child.own;
            if of_lead {
                mark_symbols(pda, tokens, node as u32, &mut alone);
            }
        }
        node = child.end as usize;
    }
    // A matcher takes these itself.
    for &symbol in &pda.classes.limits {
        alone[pda.classes.of(symbol) as usize] = true;
        if let Some(lead) = pda.classes.lead() {
            alone[lead as usize] = true;
        }
    }
    alone
}

/// Marks the symbols of terminals, which stand below `lead`. In the grammar the lead and the symbol
/// occur only together, as in one token, so each may count as a token by itself. A symbol that is
/// also a byte of text may not, since it can occur without the lead.
fn mark_symbols(pda: &Pda, tokens: &TokenTrie, lead: u32, alone: &mut [bool]) {
    let children = tokens.nodes.children(tokens.nodes.children_of(lead));
    let symbols = children
        .iter()
        .filter_map(|child| u8::try_from(child.symbol).ok());
    for symbol in symbols.filter(|symbol| NOT_TEXT.contains(symbol)) {
        alone[pda.classes.of(symbol) as usize] = true;
    }
}

/// Tokens as strings of classes.
#[derive(Clone, Debug)]
struct ClassTrie {
    /// The nodes by [`TextNode`]; the root is [`BETWEEN`].
    nodes: Vec<ClassNode>,
}

#[derive(Clone, Debug, Default)]
struct ClassNode {
    next: Vec<(Class, TextNode)>,
    is_token: bool,
}

impl ClassTrie {
    fn new() -> Self {
        ClassTrie {
            nodes: vec![ClassNode::default()],
        }
    }

    /// The tokens whose bytes are all of used classes.
    fn of_tokens(pda: &Pda, tokens: &TokenTrie, used: &[bool]) -> Self {
        let mut trie = ClassTrie::new();
        // The nodes of the trie on the way down: where the subtree of each ends, and its node here.
        let mut open = vec![(u32::MAX, BETWEEN)];
        let mut node = 1;
        while let Some(here) = tokens.nodes.get(node) {
            while open.len() > 1 && open[open.len() - 1].0 <= node as u32 {
                open.pop();
            }
            let class = u8::try_from(here.symbol)
                .ok()
                .map(|byte| pda.classes.of(byte));
            let Some(class) = class.filter(|&c| used[c as usize]) else {
                node = here.end as usize;
                continue;
            };
            let child = trie.add(open[open.len() - 1].1, class);
            trie.nodes[child.index()].is_token |= here.first < here.own;
            open.push((here.end, child));
            node += 1;
        }
        trie
    }

    fn child(&self, node: TextNode, class: Class) -> Option<TextNode> {
        let next = &self.nodes[node.index()].next;
        next.iter().find(|n| n.0 == class).map(|n| n.1)
    }

    fn add(&mut self, node: TextNode, class: Class) -> TextNode {
        if let Some(child) = self.child(node, class) {
            return child;
        }
        let child = TextNode::at(self.nodes.len());
        self.nodes.push(ClassNode::default());
        self.nodes[node.index()].next.push((class, child));
        child
    }

    fn insert(&mut self, token: &[Class]) {
        let add = |node, &class: &Class| self.add(node, class);
        let node = token.iter().fold(BETWEEN, add);
        self.nodes[node.index()].is_token = true;
    }

    /// The tokens that hold one of these classes, in the order of a depth-first walk.
    fn tokens(&self, classes: &[bool]) -> Vec<Vec<Class>> {
        let mut out = Vec::new();
        let mut path: Vec<Class> = Vec::new();
        let mut stack = vec![(BETWEEN, 0usize)];
        while let Some((node, at)) = stack.pop() {
            let here = &self.nodes[node.index()];
            if at == 0 && here.is_token && path.iter().any(|&c| classes[c as usize]) {
                out.push(path.clone());
            }
            match here.next.get(at) {
                Some(&(class, child)) => {
                    stack.push((node, at + 1));
                    stack.push((child, 0));
                    path.push(class);
                }
                None => drop(path.pop()),
            }
        }
        out
    }

    /// The classes, of these, that are in no token.
    fn unused(&self, of: &[bool]) -> Vec<Class> {
        let mut rest = of.to_vec();
        let edges = self.nodes.iter().flat_map(|n| &n.next);
        edges.for_each(|&(class, _)| rest[class as usize] = false);
        (0..).zip(rest).filter(|r| r.1).map(|r| r.0).collect()
    }

    /// Whether two or more other tokens in a row spell this one.
    fn is_sequence(&self, token: &[Class]) -> bool {
        let mut reached = vec![false; token.len() + 1];
        reached[0] = true;
        for from in 0..token.len() {
            if !reached[from] {
                continue;
            }
            let mut node = BETWEEN;
            for (at, &class) in token.iter().enumerate().skip(from) {
                let Some(child) = self.child(node, class) else {
                    break;
                };
                node = child;
                let is_itself = from == 0 && at + 1 == token.len();
                reached[at + 1] |= self.nodes[node.index()].is_token && !is_itself;
            }
        }
        reached[token.len()]
    }
}
