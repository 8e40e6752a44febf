//! The oracle's mask: a walk of the vocabulary's trie with the chart as the stack.

use super::earley::Chart;

/// A trie of tokens.
#[derive(Clone, Debug)]
pub struct Trie {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    children: Vec<(u8, usize)>,
    tokens: Vec<u32>,
}

impl Trie {
    /// A trie of `(id, bytes)`; tokens without bytes match no text and are left out.
    pub fn new<'a>(tokens: impl IntoIterator<Item = (u32, &'a [u8])>) -> Self {
        let mut trie = Trie {
            nodes: vec![Node::default()],
        };
        for (id, bytes) in tokens {
            if !bytes.is_empty() {
                let node = bytes.iter().fold(0, |node, &byte| trie.child(node, byte));
                trie.nodes[node].tokens.push(id);
            }
        }
        trie
    }

    fn child(&mut self, node: usize, byte: u8) -> usize {
        if let Some(child) = self.nodes[node]
            .children
            .iter()
            .find(|child| child.0 == byte)
        {
            return child.1;
        }
        let new = self.nodes.len();
        self.nodes.push(Node::default());
        self.nodes[node].children.push((byte, new));
        new
    }
}

/// The tokens that may follow the chart's prefix: those after which it is still the prefix of a
/// sentence. The chart is as before afterwards.
pub fn allowed_tokens(chart: &mut Chart<'_>, trie: &Trie) -> Vec<u32> {
    let mut allowed = Vec::new();
    let mut path = vec![(0, 0)];
    while let Some((node, next)) = path.pop() {
        match trie.nodes[node].children.get(next) {
            Some(&(byte, child)) => {
                path.push((node, next + 1));
                if chart.push(byte) {
                    allowed.extend(&trie.nodes[child].tokens);
                    path.push((child, 0));
                }
            }
            None if path.is_empty() => {}
            None => chart.pop(),
        }
    }
    allowed.sort_unstable();
    allowed
}
