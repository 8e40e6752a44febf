//! The tokens that cross a boundary.
//!
//! In: linked parts, the trie of their vocabulary and a [`Crossing`]. Out: the ids of its tokens,
//! ascending. The trie is walked below the crossing's prefix only, and within names along the names
//! only, so this takes microseconds.

use std::ops::Range;

use maskwright_core::link::{Crossing, LinkedWalk, Names, Parts, Place};

use crate::mask::TokenTrie;
use crate::mask::trie::TrieNodes;

/// The root of a trie.
const ROOT: u32 = 0;
/// So many names are many.
const MANY: usize = 32;
/// The most places that are [crowded].
const MAX_CROWDED: usize = 256;

/// For a piece and the last byte of a name in front of it: the tokens that begin with the byte and
/// go on in the piece, if they are known.
pub(super) type BehindNames<'a> = dyn Fn(u32, u8) -> Option<&'a [u32]> + 'a;

/// The tokens of a crossing. `named` are the tokens that some part names: they are not in the trie
/// by their texts.
pub(super) fn tokens<'a, P: Parts>(
    parts: &'a P,
    behind_names: &'a BehindNames<'a>,
    trie: &'a TokenTrie,
    named: &[u32],
    crossing: &Crossing,
) -> Box<[u32]> {
    let mut finder = Finder {
        parts,
        behind_names,
        trie,
        found: Vec::new(),
    };
    let (token, length) = crossing.prefix();
    let text = parts.vocabulary().bytes(token);
    let prefix = text.get(..length).unwrap_or(&[]);
    if let Some(start) = below(&trie.nodes, prefix) {
        finder.go_on(start, crossing);
    }
    finder.keep_text();
    if length == 0 {
        add_named(parts, named, crossing, &mut finder.found);
    }
    finder.into_tokens()
}

/// The tokens that begin with a byte and go on in a piece.
pub(super) fn behind_byte<P: Parts>(
    parts: &P,
    trie: &TokenTrie,
    byte: u8,
    piece: &Crossing,
) -> Box<[u32]> {
    let mut finder = Finder {
        parts,
        behind_names: &|_, _| None,
        trie,
        found: Vec::new(),
    };
    if let Some(node) = trie.nodes.child(ROOT, byte.into()) {
        finder.walk_parts(node, piece, true);
    }
    finder.keep_text();
    finder.into_tokens()
}

/// Adds the tokens that can follow as terminals. Within names there are such tokens only where a
/// name has ended.
fn add_named<P: Parts>(parts: &P, named: &[u32], crossing: &Crossing, found: &mut Vec<u32>) {
    if let Place::Names {
        hole, read, first, ..
    } = crossing.place
        && !(parts.names(hole)).is_some_and(|names| names.is_whole(first, read))
    {
        return;
    }
    let Ok(start) = LinkedWalk::new(parts, crossing) else {
        return;
    };
    let mut walk = LinkedWalk::nowhere(parts);
    found.extend(named.iter().copied().filter(|&id| {
        walk.copy_from(&start);
        walk.take_token(id)
    }));
}

/// The places within names at which many are left, the beginning first: a name and how many of its
/// bytes have been read. To find what may follow there takes longer than elsewhere.
pub(super) fn crowded(names: &Names<'_>) -> Vec<(u32, u16)> {
    let mut found = vec![(0, 0)];
    let mut open = vec![(0..names.len(), 0)];
    while let Some((mut left, read)) = open.pop() {
        if names.is_whole(left.start, read) {
            left.start += 1;
        }
        while let Some((_, alike)) = first_run(names, &left, read) {
            left.start = alike.end;
            if alike.len() >= MANY && found.len() < MAX_CROWDED {
                found.push((alike.start, read + 1));
                open.push((alike, read + 1));
            }
        }
    }
    found
}

/// The node of a prefix.
fn below(nodes: &TrieNodes, prefix: &[u8]) -> Option<u32> {
    let mut bytes = prefix.iter();
    bytes.try_fold(ROOT, |node, &byte| nodes.child(node, byte.into()))
}

/// Walks of the trie that add up tokens.
struct Finder<'p, P> {
    parts: &'p P,
    behind_names: &'p BehindNames<'p>,
    trie: &'p TokenTrie,
    found: Vec<u32>,
}

/// Where a walk stands within names.
struct Named {
    node: u32,
    /// The names that begin with what has been read.
    left: Range<u32>,
    /// The bytes that have been read.
    read: u16,
}

impl<'p, P: Parts> Finder<'p, P> {
    /// Adds the tokens below a node that go on where a crossing does.
    fn go_on(&mut self, node: u32, crossing: &Crossing) {
        let Place::Names {
            hole,
            read,
            first,
            after,
        } = crossing.place
        else {
            return self.walk_parts(node, crossing, false);
        };
        if let Some(names) = self.parts.names(hole) {
            let left = left(&names, first, read);
            let start = Named { node, left, read };
            self.walk_names(start, &names, after);
        }
    }

    /// Adds the tokens below a node at which the text stands within names.
    fn walk_names(&mut self, start: Named, names: &Names<'_>, after: u32) {
        let piece = |name: u32| Crossing {
            ending: 0,
            place: Place::Piece {
                piece: names.piece(name).unwrap_or(u32::MAX),
                after,
            },
            state: 0,
            piece: None,
        };
        let mut open = vec![start];
        while let Some(Named {
            node,
            mut left,
            read,
        }) = open.pop()
        {
            // Of names that begin alike, the one that ends here comes first.
            if names.is_whole(left.start, read) {
                self.walk_parts(node, &piece(left.start), false);
                left.start += 1;
            }
            while let Some((byte, alike)) = first_run(names, &left, read) {
                left.start = alike.end;
                let read = read + 1;
                let is_last = names.is_whole(alike.start, read) && !names.is_open(alike.start);
                if is_last
                    && node == ROOT
                    && let Some(known) = self.behind_name(names, alike.start, byte)
                {
                    self.found.extend_from_slice(known);
                    continue;
                }
                let Some(node) = self.trie.nodes.child(node, byte.into()) else {
                    continue;
                };
                if is_last {
                    self.walk_parts(node, &piece(alike.start), true);
                    continue;
                }
                // A token may end anywhere within names.
                self.add(node);
                open.push(Named {
                    node,
                    left: alike,
                    read,
                });
            }
        }
    }

    /// Adds the tokens below a node at which the text stands where a crossing goes on, and those of
    /// the node itself if they are asked for and may end there.
    fn walk_parts(&mut self, start: u32, crossing: &Crossing, with_own: bool) {
        let Ok(mut walk) = LinkedWalk::new(self.parts, crossing) else {
            return;
        };
        if with_own && walk.can_end() {
            self.add(start);
        }
        let trie = self.trie;
        let below = |node: u32| trie.nodes.children(trie.nodes.children_of(node)).iter();
        // Where the walk stands at each node on the way down, and the children of these nodes that
        // are left. Most children are refused without a look at their nodes.
        let (mut walks, mut open) = (vec![walk], vec![below(start)]);
        while let Some(children) = open.last_mut() {
            let Some(child) = children.next() else {
                open.pop();
                continue;
            };
            let depth = open.len();
            if walks.len() == depth {
                walks.push(LinkedWalk::nowhere(self.parts));
            }
            let (before, behind) = walks.split_at_mut(depth);
            let (Some(above), Some(next)) = (before.last_mut(), behind.first_mut()) else {
                return;
            };
            let byte = u8::try_from(child.symbol).ok();
            let Some(byte) = byte.filter(|&byte| !above.refuses(byte)) else {
                continue;
            };
            next.copy_from(above);
            if !next.step(byte) {
                continue;
            }
            let here = &trie.nodes[child.node];
            if here.first < here.own && next.can_end() {
                self.add(child.node);
            }
            open.push(below(child.node));
        }
    }

    /// The tokens that begin with the last byte of a name and go on behind it, if they are known.
    fn behind_name(&self, names: &Names<'_>, name: u32, byte: u8) -> Option<&'p [u32]> {
        (self.behind_names)(names.piece(name)?, byte)
    }

    /// Leaves out tokens that are terminals.
    fn keep_text(&mut self) {
        let outer = self.parts.outer();
        self.found.retain(|&id| outer.is_text(id));
    }

    /// The tokens, ascending.
    fn into_tokens(mut self) -> Box<[u32]> {
        self.found.sort_unstable();
        self.found.dedup();
        self.found.into()
    }

    /// Adds the tokens that end at a node.
    fn add(&mut self, node: u32) {
        let here = &self.trie.nodes[node];
        self.found.extend(self.trie.ending_at(here));
    }
}

/// The names that begin with the first bytes of a name; no name before it does.
fn left(names: &Names<'_>, first: u32, read: u16) -> Range<u32> {
    let Some(prefix) = names.name(first).get(..usize::from(read)) else {
        return first..first;
    };
    let is_left = |at: u32| at < names.len() && names.name(at).starts_with(prefix);
    // Mostly few names are left: the search stays near the first of them, in memory that has just
    // been read.
    let mut count = 1;
    while is_left(first + count) {
        count *= 2;
    }
    let end = names.len().min(first + count);
    first..end_of_run(first..end, is_left)
}

/// The first of these names' bytes at a place, and those of the names that have it there. They have
/// all bytes before in common.
fn first_run(names: &Names<'_>, left: &Range<u32>, at: u16) -> Option<(u8, Range<u32>)> {
    let byte = |name: u32| names.name(name).get(usize::from(at)).copied();
    let first = byte(left.start).filter(|_| !left.is_empty())?;
    let end = end_of_run(left.clone(), |name| byte(name) == Some(first));
    Some((first, left.start..end))
}

/// Where a run ends that is at the beginning of a range.
fn end_of_run(range: Range<u32>, is_in_it: impl Fn(u32) -> bool) -> u32 {
    if range.end.checked_sub(1).is_some_and(&is_in_it) {
        return range.end;
    }
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        match is_in_it(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}
