//! Delimiters as one automaton: Aho and Corasick's, over characters and tokens.
//!
//! In: delimiters as words. Out: [`Trie`]: a node for each prefix of a word, which knows the
//! longest of its own suffixes that is a prefix of a word too (`fail`), and the longest word that
//! it ends with (`out`). (Aho and Corasick, "Efficient string matching", 1975.) Both words and free
//! text are characters, so no word can occur across the middle of a character, and what leads
//! nowhere stays UTF-8.

use crate::id::id;
use crate::limits::{Deadline, LimitExceeded, Limits};
use std::collections::BTreeMap;

/// A symbol of words and free text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Symbol {
    /// A character.
    Char(char),
    /// One token of this id.
    Token(u32),
}

/// The symbols of a text without tokens.
pub(super) fn characters(text: &str) -> Vec<Symbol> {
    text.chars().map(Symbol::Char).collect()
}

id! {
    /// Index of a node: a prefix of a word. The root, the empty prefix, is 0.
    pub(super) struct PrefixId;
}

/// The automaton.
#[derive(Debug, Default)]
pub(super) struct Trie {
    nodes: Vec<WordPrefix>,
}

/// A prefix of a word.
#[derive(Debug, Default)]
struct WordPrefix {
    parent: PrefixId,
    /// The words that it is, by number.
    words: Vec<usize>,
    children: BTreeMap<Symbol, PrefixId>,
    fail: PrefixId,
    out: Option<PrefixId>,
    characters: usize,
    /// The longest suffix, itself included, that a token leads on from.
    by_token: Option<PrefixId>,
    /// Characters that do not lead to the root, from here or from a suffix.
    next: BTreeMap<char, PrefixId>,
}

impl WordPrefix {
    /// Whether a token leads on.
    fn has_token(&self) -> bool {
        // Tokens come behind characters.
        let last = self.children.last_key_value();
        last.is_some_and(|(symbol, _)| matches!(symbol, Symbol::Token(_)))
    }
}

/// What is being done.
const DOING: &str = "looking for delimiters in free text";

/// The symbols of a word that are taken in between two counts of the work.
const PART: usize = 1 << 10;

/// The most edges for each state that an automaton may have.
const EDGES: usize = 16;

impl Trie {
    pub(super) const ROOT: PrefixId = PrefixId::new(0);

    /// The automaton of these words.
    ///
    /// # Errors
    /// If it would have more than [`EDGES`] edges for each of `limits.automaton_states`, or the
    /// deadline passes.
    pub(super) fn new<'w>(
        words: impl IntoIterator<Item = &'w [Symbol]>,
        limits: &Limits,
    ) -> Result<Self, LimitExceeded> {
        let deadline = Deadline::start(limits);
        let mut trie = Trie {
            nodes: vec![WordPrefix::default()],
        };
        for (word, symbols) in words.into_iter().enumerate() {
            deadline.tick(DOING)?;
            let mut end = Trie::ROOT;
            for part in symbols.chunks(PART) {
                deadline.ticks(part.len(), DOING)?;
                end = part
                    .iter()
                    .fold(end, |at, &symbol| trie.child_or_new(at, symbol));
            }
            trie.nodes[end.index()].words.push(word);
        }
        trie.link(limits, &deadline)?;
        Ok(trie)
    }

    fn child_or_new(&mut self, parent: PrefixId, symbol: Symbol) -> PrefixId {
        if let Some(&child) = self.nodes[parent.index()].children.get(&symbol) {
            return child;
        }
        let child = PrefixId::at(self.nodes.len());
        let is_character = matches!(symbol, Symbol::Char(_));
        let characters = self.nodes[parent.index()].characters + usize::from(is_character);
        self.nodes.push(WordPrefix {
            parent,
            characters,
            ..WordPrefix::default()
        });
        self.nodes[parent.index()].children.insert(symbol, child);
        child
    }

    /// Sets what depends on shorter prefixes, level by level. Stops when the deadline passes, or
    /// there would be too many edges.
    fn link(&mut self, limits: &Limits, deadline: &Deadline) -> Result<(), LimitExceeded> {
        let most = limits.automaton_states.saturating_mul(EDGES);
        let mut edges = 0;
        let mut level = vec![(Trie::ROOT, Trie::ROOT)];
        while !level.is_empty() {
            let mut deeper = Vec::new();
            for (node, fail) in level {
                let copied = self.nodes[fail.index()].next.len();
                edges += copied;
                deadline.ticks(1 + copied, DOING)?;
                if edges > most {
                    return Err(too_many(limits));
                }
                let of_fail = self.nodes[fail.index()].out.filter(|_| node != Trie::ROOT);
                let mut next = match node {
                    Trie::ROOT => BTreeMap::new(),
                    _ => self.nodes[fail.index()].next.clone(),
                };
                for (&symbol, &child) in &self.nodes[node.index()].children {
                    let of_child = match (symbol, node) {
                        (_, Trie::ROOT) => Trie::ROOT,
                        (Symbol::Char(c), _) => self.nodes[fail.index()]
                            .next
                            .get(&c)
                            .copied()
                            .unwrap_or(Trie::ROOT),
                        (Symbol::Token(_), _) => {
                            let mut steps = 0;
                            let through = self.through(fail, symbol).inspect(|_| steps += 1);
                            let child = through.flatten().next().unwrap_or(Trie::ROOT);
                            deadline.ticks(steps, DOING)?;
                            child
                        }
                    };
                    deeper.push((child, of_child));
                    if let Symbol::Char(c) = symbol {
                        next.insert(c, child);
                    }
                }
                let leads_on = self.nodes[node.index()].has_token();
                let of_suffix = self.nodes[fail.index()].by_token;
                let prefix = &mut self.nodes[node.index()];
                prefix.by_token = if leads_on { Some(node) } else { of_suffix };
                prefix.fail = fail;
                prefix.next = next;
                prefix.out = match prefix.words.is_empty() {
                    true => of_fail,
                    false => Some(node),
                };
            }
            level = deeper;
        }
        Ok(())
    }

    /// The children by a token of `node` and of all prefixes that it ends with from which a token
    /// leads on, longest first.
    fn through(
        &self,
        node: PrefixId,
        token: Symbol,
    ) -> impl Iterator<Item = Option<PrefixId>> + '_ {
        let suffixes = self.token_suffixes(node);
        suffixes.map(move |suffix| self.nodes[suffix.index()].children.get(&token).copied())
    }

    /// The prefixes that `node` ends with and that a token leads on from, longest first.
    fn token_suffixes(&self, node: PrefixId) -> impl Iterator<Item = PrefixId> + '_ {
        let shorter = |&node: &PrefixId| match node {
            Trie::ROOT => None,
            _ => self.nodes[self.nodes[node.index()].fail.index()].by_token,
        };
        std::iter::successors(self.nodes[node.index()].by_token, shorter)
    }

    /// The number of nodes: the root, and one for each other prefix of a word.
    pub(super) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// For each node the longest of its suffixes for which `is` holds.
    pub(super) fn longest_suffixes(&self, is: &[bool]) -> Vec<Option<PrefixId>> {
        let mut longest = vec![None; self.nodes.len()];
        let mut level = vec![Trie::ROOT];
        while !level.is_empty() {
            let mut deeper = Vec::new();
            for node in level {
                let fail = self.nodes[node.index()].fail;
                longest[node.index()] = match is[node.index()] {
                    true => Some(node),
                    false if node == Trie::ROOT => None,
                    false => longest[fail.index()],
                };
                deeper.extend(self.nodes[node.index()].children.values());
            }
            level = deeper;
        }
        longest
    }

    /// The words that end at a node and begin at the root.
    pub(super) fn words(&self, node: PrefixId) -> &[usize] {
        &self.nodes[node.index()].words
    }

    /// The longest word that a node ends with, as a node.
    pub(super) fn out(&self, node: PrefixId) -> Option<PrefixId> {
        self.nodes[node.index()].out
    }

    /// The characters of a node's prefix.
    pub(super) fn characters(&self, node: PrefixId) -> usize {
        self.nodes[node.index()].characters
    }

    /// The longer prefixes that begin with a node's.
    pub(super) fn children(&self, node: PrefixId) -> impl Iterator<Item = (Symbol, PrefixId)> + '_ {
        self.nodes[node.index()]
            .children
            .iter()
            .map(|(&symbol, &child)| (symbol, child))
    }

    /// Where characters lead in free text, ascending; all others lead to the root.
    pub(super) fn next(&self, node: PrefixId) -> impl Iterator<Item = (char, PrefixId)> + '_ {
        self.nodes[node.index()]
            .next
            .iter()
            .map(|(&c, &target)| (c, target))
    }

    /// Where tokens lead in free text: the prefixes that end with the token, longest first. All
    /// other tokens are no free text.
    pub(super) fn tokens(&self, node: PrefixId) -> BTreeMap<u32, Vec<PrefixId>> {
        let mut found: BTreeMap<u32, Vec<PrefixId>> = BTreeMap::new();
        for suffix in self.token_suffixes(node) {
            for (symbol, child) in self.children(suffix) {
                if let Symbol::Token(id) = symbol {
                    found.entry(id).or_default().push(child);
                }
            }
        }
        found
    }

    /// The nodes from which some word for which `is_live` holds can be completed, by number.
    pub(super) fn live(&self, is_live: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut live = vec![false; self.nodes.len()];
        // Children have greater numbers than their parents.
        for (node, prefix) in self.nodes.iter().enumerate().rev() {
            live[node] |= prefix.words.iter().any(|&word| is_live(word));
            live[prefix.parent.index()] |= live[node];
        }
        live
    }

    /// The word that is complete within another one before that one can be, if there is one that
    /// does not begin where it begins.
    pub(super) fn shadow(&self, word: &[Symbol]) -> Option<usize> {
        let mut at = Trie::ROOT;
        for symbol in word.split_last()?.1 {
            at = *self.nodes[at.index()].children.get(symbol)?;
            match self.out(at) {
                // A complete word at the beginning ends the free text first.
                Some(out) if out == at => return None,
                Some(out) => return self.words(out).first().copied(),
                None => {}
            }
        }
        None
    }
}

/// That the automaton would be too large.
pub(super) fn too_many(limits: &Limits) -> LimitExceeded {
    LimitExceeded::new(
        "automaton_states",
        limits.automaton_states,
        "free text with so many delimiters needs too many edges",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trie(words: &[&str]) -> Trie {
        let words: Vec<Vec<Symbol>> = words.iter().map(|word| characters(word)).collect();
        Trie::new(words.iter().map(Vec::as_slice), &Limits::default()).unwrap()
    }

    /// The words that are found, where they end: the longest at each place.
    fn found(words: &[&str], text: &str) -> Vec<(usize, usize)> {
        let trie = trie(words);
        let mut at = Trie::ROOT;
        let mut found = Vec::new();
        for (end, c) in text.chars().enumerate() {
            at = trie
                .next(at)
                .find(|next| next.0 == c)
                .map_or(Trie::ROOT, |next| next.1);
            found.extend(trie.out(at).map(|out| (end + 1, trie.words(out)[0])));
        }
        found
    }

    #[test]
    fn words_are_found_wherever_they_are() {
        assert_eq!(found(&["ab", "b"], "xabb"), [(3, 0), (4, 1)]);
        assert_eq!(found(&["abcd", "bc"], "abcx"), [(3, 1)]);
        assert_eq!(found(&["aba"], "ababa"), [(3, 0), (5, 0)]);
        assert_eq!(found(&["é", "aé"], "aéé"), [(2, 1), (3, 0)]);
        assert_eq!(found(&["aab"], "aaab"), [(4, 0)]);
    }

    #[test]
    fn words_within_words_are_told() {
        let shadow = |words: &[&str], word: &str| trie(words).shadow(&characters(word));
        assert_eq!(shadow(&["abcd", "bc"], "abcd"), Some(1));
        assert_eq!(shadow(&["abcd", "bcd"], "abcd"), None);
        assert_eq!(shadow(&["abcd", "ab"], "abcd"), None);
        assert_eq!(shadow(&["abcd", "ab", "bc"], "abcd"), None);
        assert_eq!(shadow(&["abcd", "abc", "b"], "abcd"), Some(2));
    }
}
