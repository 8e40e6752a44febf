//! Needs against their definition, worked out without any care for cost.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::pda::{Alternative, Class, Tree, TreeId};
use crate::source::Source;
use crate::syntax::ebnf::{self, ParseOptions};
use crate::{Options, automaton};

const OWN: u8 = 3;

/// A state, or a state in which a class is taken again; and how many of the completion's own frames lie on top.
type Place = (StateId, Option<Class>, u8);
type Values = BTreeMap<Place, i32>;

/// The definition: who may choose what, on values from before.
struct Definition<'a> {
    pda: &'a Pda,
    general: i32,
    values: Values,
    assumed: Values,
}

impl Definition<'_> {
    /// The values of every place, passes within passes until nothing changes.
    fn solve(mut self) -> Values {
        let places: Vec<Place> = self.values.keys().copied().collect();
        loop {
            places.iter().for_each(|&place| {
                self.values.insert(place, self.general);
            });
            loop {
                let next: Values = places.iter().map(|&p| (p, self.value(p))).collect();
                if next == self.values {
                    break;
                }
                self.values = next;
            }
            if self.values == self.assumed {
                return self.values;
            }
            self.assumed = self.values.clone();
        }
    }

    fn value(&self, (state, again, own): Place) -> i32 {
        let edges = match again {
            Some(class) => self.pda.edge(state, class).map(|tree| (class, tree)),
            None if self.pda.states[state as usize].edges.is_empty() => return 0,
            None => None,
        };
        let edges = match again {
            Some(_) => edges.into_iter().collect(),
            None => self.pda.states[state as usize].edges.clone(),
        };
        self.game(&edges, own).clamp(0, self.general)
    }

    fn game(&self, edges: &[(Class, TreeId)], own: u8) -> i32 {
        let (mut best, mut look) = (UNKNOWN, u8::MAX);
        for &(class, tree) in edges {
            match &self.pda.trees[tree as usize] {
                Tree::Leaf(leaf) => {
                    let costs = leaf.iter().map(|a| self.cost(a, class, own));
                    best = costs.fold(best, i32::min);
                }
                Tree::Look { depth, .. } => look = look.min(*depth),
            }
        }
        let mut worst: Option<i32> = None;
        for frame in 0..self.pda.under.len() as u16 {
            let mut some = false;
            let below: Vec<(Class, TreeId)> = edges
                .iter()
                .filter_map(|&(class, tree)| match &self.pda.trees[tree as usize] {
                    Tree::Look { depth, branches } if *depth == look => {
                        let to = branches.iter().find(|b| b.0 == frame)?.1;
                        some = true;
                        Some((class, to))
                    }
                    _ => Some((class, tree)),
                })
                .collect();
            if some && below.iter().any(|e| self.is_live(e.1)) {
                worst = worst.max(Some(self.game(&below, own)));
            }
        }
        best.min(worst.unwrap_or(UNKNOWN))
    }

    fn cost(&self, alternative: &Alternative, class: Class, own: u8) -> i32 {
        let left = own.saturating_sub(alternative.pop) + u8::from(alternative.push.is_some());
        let place = (alternative.next, alternative.again.then_some(class), left);
        let rest = match () {
            () if left > OWN => UNKNOWN,
            () if alternative.pop > own => *self.assumed.get(&place).unwrap_or(&0),
            () => self.values[&place],
        };
        match rest {
            UNKNOWN => UNKNOWN,
            rest => rest + i32::from(alternative.push.is_some()) - i32::from(alternative.pop),
        }
    }

    fn is_live(&self, tree: TreeId) -> bool {
        let mut live = false;
        self.pda.leaves(tree, &mut |leaf| live |= !leaf.is_empty());
        live
    }
}

fn by_definition(pda: &Pda, general: i32) -> Vec<i32> {
    let states = 0..pda.states.len() as StateId;
    let mut places: BTreeSet<(StateId, Option<Class>)> =
        states.clone().map(|s| (s, None)).collect();
    for &(class, tree) in pda.states.iter().flat_map(|state| &state.edges) {
        pda.leaves(tree, &mut |leaf| {
            let again = leaf.iter().filter(|a| a.again);
            places.extend(again.map(|a| (a.next, Some(class))));
        });
    }
    // What is taken again may be so once more.
    loop {
        let before = places.len();
        for (state, class) in places.clone() {
            if let Some(class) = class
                && let Some(tree) = pda.edge(state, class)
            {
                pda.leaves(tree, &mut |leaf| {
                    let again = leaf.iter().filter(|a| a.again);
                    places.extend(again.map(|a| (a.next, Some(class))));
                });
            }
        }
        if places.len() == before {
            break;
        }
    }
    let places = places.into_iter();
    let places = places.flat_map(|(state, again)| (0..=OWN).map(move |own| (state, again, own)));
    let definition = Definition {
        pda,
        general,
        values: places.map(|place| (place, general)).collect(),
        assumed: Values::new(),
    };
    let values = definition.solve();
    states.map(|state| values[&(state, None, 0)]).collect()
}

#[test]
fn needs_are_what_their_definition_says() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/grammars");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "ebnf") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let source = Source::new("test", &text);
        let Ok(parsed) = ebnf::parse(&source, &ParseOptions::default()) else {
            continue;
        };
        let Ok(automaton) = automaton(&parsed.grammar, &Options::default()) else {
            continue;
        };
        let pda = &automaton.pda;
        if pda.states.len() > 150 {
            continue;
        }
        let deadline = Deadline::start(&crate::limits::Limits::default());
        let game = Game::new(pda, &deadline).unwrap();
        for general in [general_bound(&automaton.built.positions), 4, UNKNOWN] {
            let values = solve(&game, general, &deadline).unwrap();
            let found: Vec<i32> = (0..pda.states.len() as StateId)
                .map(|state| values[game.root(state) as usize])
                .collect();
            assert_eq!(found, by_definition(pda, general), "{}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}
