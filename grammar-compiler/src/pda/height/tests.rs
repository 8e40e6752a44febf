//! Heights of graphs by hand, and of random ones by definition.

use super::*;
use crate::limits::Limits;
use crate::source::Source;
use crate::syntax::json_schema::{SchemaOptions, Whitespace, parse};
use crate::{Automaton, Options};
use proptest::prelude::*;

/// The height of a graph of frames, all of whose cycles are recursion: under each, from the first
/// above the bottom, these.
fn of(under: &[&[u32]]) -> Height {
    let mut over = vec![Vec::new(); under.len() + 1];
    for (frame, under) in (1..).zip(under) {
        under
            .iter()
            .for_each(|&below| over[below as usize].push(frame));
    }
    let mut graph = FrameGraph::new(over);
    match graph.longest_path() {
        Some(longest) => Height::AtMost(longest),
        None => Height::Grows {
            by: graph
                .shortest_cycle(&Deadline::start(&Limits::default()))
                .unwrap(),
        },
    }
}

#[test]
fn without_recursion_the_longest_path_counts() {
    assert_eq!(of(&[]), Height::AtMost(0));
    assert_eq!(of(&[&[0]]), Height::AtMost(1));
    assert_eq!(of(&[&[0], &[0, 1], &[0, 1, 2], &[0]]), Height::AtMost(3));
    // Frames 2 and 3 lie on each other, and on nothing that a stack holds.
    assert_eq!(of(&[&[0], &[3], &[2]]), Height::AtMost(1));
    assert_eq!(Height::AtMost(3).to_string(), "no text needs more than 3");
}

#[test]
fn with_recursion_the_shortest_cycle_counts() {
    assert_eq!(of(&[&[0, 1]]), Height::Grows { by: 1 });
    assert_eq!(of(&[&[0, 2], &[1]]), Height::Grows { by: 2 });
    // Two cycles, of three frames and of two, which begin high up.
    let two = of(&[&[0], &[1, 4], &[2], &[3], &[1, 6], &[5]]);
    assert_eq!(two, Height::Grows { by: 2 });
    let grows = Height::Grows { by: 2 };
    assert_eq!(grows.to_string(), "grows with nesting, by 2 a level");
    assert_eq!((grows.at_most(), grows.grows_by()), (None, Some(2)));
}

/// What the height is by definition: all paths from the bottom, as sets of ends by length; cycles
/// by powers of the relation.
fn defined(under: &[Vec<u32>]) -> Height {
    let count = under.len() + 1;
    let lies_on = |above: usize, below: usize| {
        let list = above.checked_sub(1).map(|at| &under[at]);
        list.is_some_and(|list| list.contains(&(below as u32)))
    };
    let step = |ends: &[bool]| -> Vec<bool> {
        let reached = |above| (0..count).any(|below| ends[below] && lies_on(above, below));
        (0..count).map(reached).collect()
    };
    let from = |start: usize| {
        let first: Vec<bool> = (0..count).map(|at| at == start).collect();
        std::iter::successors(Some(first), |ends| Some(step(ends)))
    };
    let lengths = from(0).take(count + 1);
    let longest = lengths.take_while(|ends| ends.contains(&true)).count() - 1;
    if longest < count {
        return Height::AtMost(longest);
    }
    let mut reached = vec![false; count];
    for ends in from(0).take(count) {
        (0..count).for_each(|at| reached[at] |= ends[at]);
    }
    let cycle = |at: &usize| from(*at).skip(1).take(count).position(|ends| ends[*at]);
    let cycles = (0..count).filter(|&at| reached[at]);
    let by = cycles.filter_map(|at| cycle(&at)).min().unwrap() + 1;
    Height::Grows { by }
}

/// What is said of the grammar of a schema.
fn of_schema(text: &str) -> Height {
    let source = Source::new("schema", text);
    let options = SchemaOptions {
        whitespace: Whitespace::Compact,
        ..SchemaOptions::default()
    };
    let grammar = parse(&source, &options.into()).unwrap().grammar;
    let automaton = Automaton::new(&grammar, &Options::default()).unwrap();
    let deadline = Deadline::start(&Limits::default());
    let origin = Origin {
        network: &automaton.network,
        has_lexer: false,
        is_under_exact: true,
    };
    height(&automaton.pda, origin, &deadline).unwrap()
}

#[test]
fn counts_within_counts_have_a_bound() {
    // One frame serves several digits of several counts, so that frames can lie on each other in a
    // circle.
    let string = r#"{"type": "string", "maxLength": 40}"#;
    let list = |of: &str| format!(r#"{{"type": "array", "maxItems": 20, "items": {of}}}"#);
    let heights = [string, &list(string), &list(&list(string))].map(of_schema);
    let at_most = heights.map(|height| height.at_most().unwrap_or_else(|| panic!("{heights:?}")));
    assert!(at_most.is_sorted() && at_most[2] < 12, "{at_most:?}");
    let open = of_schema(r#"{"type": "array", "items": {}}"#);
    assert_eq!(open.grows_by(), Some(1));
}

proptest! {
    #[test]
    fn random_graphs_have_the_height_that_is_defined(
        under in (1usize..9).prop_flat_map(|count| {
            let below = proptest::collection::btree_set(0..=count as u32, 0..3);
            proptest::collection::vec(below, count)
        })
    ) {
        let under: Vec<Vec<u32>> = under.into_iter().map(|list| list.into_iter().collect()).collect();
        let lists: Vec<&[u32]> = under.iter().map(Vec::as_slice).collect();
        prop_assert_eq!(of(&lists), defined(&under));
    }
}
