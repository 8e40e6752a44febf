//! Shapes of regions: what the copies do with each byte. Walks through regions are kept for other
//! grammars by shape.
//!
//! In: the copies of regions. Out: [`Shapes`]: for each copied state to which its loop leads, which
//! state it is of which [shape](RegionShape). What walks of the trie find from there depends on
//! nothing else.

use super::regions::Copied;
use crate::mask::trie::regions::RegionShape;
use crate::pda::{Class, Classes, StateId};

/// A copied state as a state of a shape.
#[derive(Clone, Copy, Debug)]
pub struct InShape {
    /// The number of the shape.
    pub shape: u32,
    /// The number of the state in the shape.
    pub state: u8,
    /// The copy of the loop.
    pub home: StateId,
}

/// The shapes of the copied regions.
pub struct Shapes {
    /// The shapes, of which several may be equal.
    pub shapes: Vec<RegionShape>,
    of_copy: Vec<Option<InShape>>,
    /// The number of the first copied state.
    first: usize,
}

impl Shapes {
    /// The shapes of the regions with these `copies`, which are numbered from `first` on.
    pub fn new(copies: &[Copied], first: usize, classes: &Classes) -> Self {
        let of_symbol = classes.of_symbols();
        let mut distinct: Vec<Class> = Vec::new();
        for &class in &of_symbol {
            if !distinct.contains(&class) {
                distinct.push(class);
            }
        }
        let builder = ShapeBuilder {
            copies,
            first,
            of_symbol,
            distinct,
        };
        let mut shapes = Shapes {
            shapes: Vec::new(),
            of_copy: vec![None; copies.len()],
            first,
        };
        for (home, _) in copies.iter().enumerate().filter(|(_, of)| of.is_loop) {
            if let Some((shape, states)) = builder.shape(home) {
                shapes.add(shape, &states);
            }
        }
        shapes
    }

    /// Where a copied state is in the shape of its region, if it has a place there.
    pub fn of(&self, state: StateId) -> Option<InShape> {
        let at = state.index().checked_sub(self.first)?;
        self.of_copy[at]
    }

    /// Adds a shape with the copies that are its states; the first one is the loop.
    fn add(&mut self, shape: RegionShape, states: &[usize]) {
        let home = StateId::at(self.first + states[0]);
        let number = self.shapes.len() as u32;
        for (&copy, state) in states.iter().zip(0..) {
            self.of_copy[copy] = Some(InShape {
                shape: number,
                state,
                home,
            });
        }
        self.shapes.push(shape);
    }
}

/// Makes shapes of copied regions.
struct ShapeBuilder<'a> {
    copies: &'a [Copied],
    /// The number of the first copied state.
    first: usize,
    /// The class of each symbol.
    of_symbol: Vec<Class>,
    /// The classes in the order of their first symbols, which does not depend on how a grammar
    /// numbers them.
    distinct: Vec<Class>,
}

impl ShapeBuilder<'_> {
    /// The shape of the region whose loop is the copy `home`, and the copies that are its states,
    /// unless these are too many.
    fn shape(&self, home: usize) -> Option<(RegionShape, Vec<usize>)> {
        let mut states = vec![home];
        let mut steps: Vec<u8> = Vec::new();
        let mut of_class = vec![RegionShape::REFUSE; self.distinct.len()];
        let mut at = 0;
        while let Some(&copy) = states.get(at) {
            of_class.fill(RegionShape::REFUSE);
            let row = &self.copies[copy].row;
            for &class in &self.distinct {
                if let Ok(step) = row.binary_search_by_key(&class, |step| step.0) {
                    of_class[class as usize] = self.step(row[step].1, &mut states);
                }
            }
            if states.len() > RegionShape::MAX_STATES {
                return None;
            }
            steps.extend(self.of_symbol.iter().map(|&class| of_class[class as usize]));
            at += 1;
        }
        Some((RegionShape::new(steps), states))
    }

    /// A step of a copy; the copy that it leads to is one of `states` from now on.
    fn step(&self, next: Option<StateId>, states: &mut Vec<usize>) -> u8 {
        let Some(next) = next else {
            return RegionShape::LEAVE;
        };
        let next = next.index() - self.first;
        let known = states.iter().position(|&state| state == next);
        let place = known.unwrap_or_else(|| {
            states.push(next);
            states.len() - 1
        });
        // No shape has as many states as a byte can number.
        u8::try_from(place).unwrap_or(RegionShape::REFUSE)
    }
}
