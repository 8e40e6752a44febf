//! Needs against their definition, worked out without any care for cost.

use std::collections::BTreeMap;

use super::*;
use crate::pda::{Alternative, Class, Tree, TreeId};
use crate::source::Source;
use crate::syntax::ebnf::{self, ParseOptions};
use crate::{Options, automaton};

const OWN: u8 = 3;
const MAX_POP: u8 = 8;

/// A state, and how many of the completion's own frames lie on top.
type Place = (StateId, u8);
type Values = BTreeMap<Place, i32>;

/// The definition: who may choose what, on values from before.
struct Definition<'a> {
    pda: &'a Pda,
    general: i32,
    values: Values,
    assumed: Values,
}

/// An edge, its class, and the frames popped before it. Without a tree it may or may not accept its symbol.
type Edge = (Option<TreeId>, Class, u8);

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

    fn value(&self, (state, own): Place) -> i32 {
        let edges = &self.pda.states[state as usize].edges;
        if edges.is_empty() {
            return 0;
        }
        let edges = edges.iter().map(|&(class, tree)| (Some(tree), class, 0));
        let (best, _) = self.game(edges.collect(), own, &mut Vec::new());
        best.clamp(0, self.general)
    }

    /// What the best of these edges costs, and whether any can be taken at all.
    fn game(&self, edges: Vec<Edge>, own: u8, known: &mut Vec<(u8, u16)>) -> (i32, bool) {
        let (mut best, mut taken, mut live, mut look) = (UNKNOWN, false, false, u8::MAX);
        let mut looking: Vec<Edge> = Vec::new();
        let mut todo = edges;
        while let Some((tree, class, popped)) = todo.pop() {
            let Some(tree) = tree else {
                looking.push((None, class, popped));
                live = true;
                continue;
            };
            match &self.pda.trees[tree as usize] {
                Tree::Look { depth, .. } => {
                    look = look.min(popped + depth);
                    looking.push((Some(tree), class, popped));
                    let mut any = false;
                    self.pda.leaves(tree, &mut |leaf| any |= !leaf.is_empty());
                    live |= any;
                }
                Tree::Leaf(leaf) => {
                    for a in leaf {
                        match (a.again, self.pda.edge(a.next, class)) {
                            (false, _) => {
                                taken = true;
                                best = best.min(self.cost(a, popped, own));
                            }
                            (true, Some(_)) if popped + a.pop > MAX_POP => {
                                todo.push((None, class, 0));
                            }
                            (true, Some(next)) => todo.push((Some(next), class, popped + a.pop)),
                            (true, None) => {}
                        }
                    }
                }
            }
        }
        live |= taken;
        if look == u8::MAX {
            return (best, live);
        }
        let above = known.iter().find(|k| k.0 + 1 == look).map(|k| k.1);
        let mut worst: Option<i32> = None;
        for frame in 0..self.pda.under.len() as u16 {
            if above.is_some_and(|above| !self.pda.under[above as usize].contains(&frame)) {
                continue;
            }
            let mut some = false;
            let below = looking.iter().filter_map(|&(tree, class, popped)| {
                match tree.map(|tree| &self.pda.trees[tree as usize]) {
                    Some(Tree::Look { depth, branches }) if popped + depth == look => {
                        let to = branches.iter().find(|b| b.0 == frame)?.1;
                        some = true;
                        Some((Some(to), class, popped))
                    }
                    _ => Some((tree, class, popped)),
                }
            });
            let below: Vec<Edge> = below.collect();
            known.push((look, frame));
            let (cost, is_live) = self.game(below, own, known);
            known.pop();
            if some && (is_live || taken) {
                worst = worst.max(Some(cost.min(best)));
            }
        }
        (best.min(worst.unwrap_or(UNKNOWN)), live)
    }

    fn cost(&self, alternative: &Alternative, popped: u8, own: u8) -> i32 {
        let pop = popped + alternative.pop;
        let left = own.saturating_sub(pop) + u8::from(alternative.push.is_some());
        let place = (alternative.next, left);
        let rest = match () {
            () if left > OWN => UNKNOWN,
            () if pop > own => *self.assumed.get(&place).unwrap_or(&0),
            () => self.values[&place],
        };
        match rest {
            UNKNOWN => UNKNOWN,
            rest => rest + i32::from(alternative.push.is_some()) - i32::from(pop),
        }
    }
}

fn by_definition(pda: &Pda, general: i32) -> Vec<i32> {
    let states = 0..pda.states.len() as StateId;
    let places = states
        .clone()
        .flat_map(|state| (0..=OWN).map(move |own| (state, own)));
    let definition = Definition {
        pda,
        general,
        values: places.map(|place| (place, general)).collect(),
        assumed: Values::new(),
    };
    let values = definition.solve();
    states.map(|state| values[&(state, 0)]).collect()
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
        let game = write(pda, &deadline).unwrap();
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
