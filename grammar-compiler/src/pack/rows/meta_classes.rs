//! Meta-equivalence classes: meta-class maps take classes as one for the rows that do not tell them
//! apart.
//!
//! In: distinct rows, and the parents chosen for them. Out: [`MetaClasses`]: a few maps of classes
//! to classes, and the entries of each row that are still stored. What holds after: each class has
//! the same answer as before, if a row is read through its map and, where it has no entry, its
//! parent through the parent's map.
//!
//! The classes are those that the whole automaton tells apart, and no row tells all of them apart:
//! the rows of numbers treat ten digits alike, those within a string nearly all classes. Scanner
//! generators do the same (flex's meta-equivalence classes, which are one map for all rows).
//!
//! Worth (`docs/ablation.md`): without maps tables are 2 % larger at the median and 39 % at the
//! 99th percentile.

use std::cmp::Reverse;

use super::class_set::ClassSet;
use super::entries::{REFUSE, RowEntry, class, entry, target};
use crate::intern::Sequences;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::Class;

/// The most maps.
const MAX_MAPS: usize = 32;
/// How many times its own words a map has to save: a step through a map takes some nanoseconds
/// more.
const WORTH: usize = 4;
/// The most partitions of classes that maps are chosen from.
const CANDIDATES: usize = 64;

/// Maps of classes, and the rows that are read through them.
pub struct MetaClasses {
    /// For each map the class that each class is taken as: the least one of its group.
    pub maps: Vec<Vec<u8>>,
    pub rows: Vec<OwnRow>,
}

/// The part of a row that is stored.
pub struct OwnRow {
    /// The map that it is read through: 0 takes each class as itself, the others are those of
    /// [`MetaClasses::maps`].
    pub map: usize,
    /// The row that answers where this one has no entry.
    pub parent: Option<usize>,
    pub entries: Vec<RowEntry>,
}

/// Chooses maps, and for each row the map with which it has the fewest entries.
pub fn choose(
    rows: &[&[RowEntry]],
    parents: &[Option<usize>],
    classes: Class,
    deadline: &Deadline,
) -> Result<MetaClasses, LimitExceeded> {
    let mut shapes = Shapes {
        classes,
        keys: Sequences::new(),
        all: Vec::new(),
    };
    let mut cells = Cells::new(classes);
    let mut of_row = Vec::with_capacity(rows.len());
    for (at, (row, parent)) in rows.iter().zip(parents).enumerate() {
        if at % 1024 == 1023 {
            deadline.check("packing rows")?;
        }
        cells.read(row, parent.map_or(&[], |parent| rows[parent]));
        of_row.push(shapes.add(&cells.runs));
    }
    let chosen = shapes.choose(deadline)?;
    let own = |(at, &shape): (usize, &u32)| {
        let ((_, has_parent), map) = chosen.of_shape[shape as usize];
        let parent = parents[at].filter(|_| has_parent);
        let shape = &shapes.all[shape as usize];
        let meta_class = map.checked_sub(1).map(|map| &chosen.maps[map].meta_class);
        OwnRow {
            map,
            parent,
            entries: entries(rows[at], shape.needed(has_parent), meta_class),
        }
    };
    Ok(MetaClasses {
        rows: of_row.iter().enumerate().map(own).collect(),
        maps: chosen.maps.into_iter().map(|map| map.meta_class).collect(),
    })
}

/// The entries of a row for these classes, which the map replaces.
fn entries(row: &[RowEntry], classes: ClassSet, meta_class: Option<&Vec<u8>>) -> Vec<RowEntry> {
    let mut own = ClassSet::default();
    for class in classes.iter() {
        own.insert(meta_class.map_or(class, |map| Class::from(map[class as usize])));
    }
    let mut left = row.iter().peekable();
    let mut entries = Vec::with_capacity(own.len());
    for of in own.iter() {
        while left.next_if(|&&entry| class(entry) < of).is_some() {}
        let found = left.next_if(|&&entry| class(entry) == of);
        entries.push(found.copied().unwrap_or(entry(of, REFUSE)));
    }
    entries
}

/// Reads rows as the keys of their shapes.
struct Cells {
    classes: Class,
    /// The distinct targets of classes; `REFUSE` first.
    targets: Vec<u32>,
    /// Runs of classes: the first class, and twice the number of the target, plus one if the parent
    /// answers differently.
    runs: Vec<TargetRun>,
}

type TargetRun = (Class, u16);

impl Cells {
    fn new(classes: Class) -> Self {
        Cells {
            classes,
            targets: Vec::new(),
            runs: Vec::new(),
        }
    }

    fn read(&mut self, mut row: &[RowEntry], mut parent: &[RowEntry]) {
        self.targets.clear();
        self.targets.push(REFUSE);
        self.runs.clear();
        let mut next = 0;
        let head = |entries: &[RowEntry]| entries.first().map_or(Class::MAX, |&entry| class(entry));
        loop {
            let class = head(row).min(head(parent));
            if class > next && next < self.classes {
                self.add(next, 0);
            }
            if class == Class::MAX {
                break;
            }
            let take = |entries: &mut &[RowEntry]| match entries.split_first() {
                Some((&entry, rest)) if head(entries) == class => {
                    *entries = rest;
                    target(entry)
                }
                _ => REFUSE,
            };
            let (own, of_parent) = (take(&mut row), take(&mut parent));
            let number = number(&mut self.targets, own);
            self.add(class, 2 * number + u16::from(own != of_parent));
            next = class + 1;
        }
    }

    fn add(&mut self, class: Class, cell: u16) {
        if self.runs.last().is_none_or(|run| run.1 != cell) {
            self.runs.push((class, cell));
        }
    }
}

/// The number of a target, which may be new.
fn number(targets: &mut Vec<u32>, target: u32) -> u16 {
    let known = targets.iter().rposition(|&known| known == target);
    if known.is_none() {
        targets.push(target);
    }
    known.unwrap_or(targets.len() - 1) as u16
}

/// The shape of a row: which of its classes have the same target, and which have to be stored.
#[derive(Default)]
struct RowShape {
    /// How many rows have this shape.
    rows: usize,
    /// For each class the number of its block.
    block_of: Vec<u16>,
    /// The classes of each target, those that are refused first.
    blocks: Vec<ClassSet>,
    /// The classes for which the parent has another answer.
    differing: ClassSet,
    /// The classes that are not refused.
    taken: ClassSet,
    /// The fewest entries through a map of any kind.
    least: usize,
}

impl RowShape {
    fn new(runs: &[TargetRun], classes: Class) -> Self {
        let ends = runs.iter().skip(1).map(|run| run.0).chain([classes]);
        let last = runs.iter().map(|run| run.1 / 2).max().unwrap_or(0);
        let mut shape = RowShape {
            block_of: Vec::with_capacity(classes as usize),
            blocks: vec![ClassSet::default(); last as usize + 1],
            ..RowShape::default()
        };
        for (&(first, cell), end) in runs.iter().zip(ends) {
            let block = cell / 2;
            for class in first..end {
                shape.block_of.push(block);
                shape.blocks[block as usize].insert(class);
                if cell % 2 == 1 {
                    shape.differing.insert(class);
                }
                if block > 0 {
                    shape.taken.insert(class);
                }
            }
        }
        let blocks =
            |needed: ClassSet| shape.blocks.iter().filter(move |b| b.meets(needed)).count();
        shape.least = blocks(shape.differing).min(blocks(shape.taken));
        shape
    }

    /// The classes to be stored.
    fn needed(&self, has_parent: bool) -> ClassSet {
        if has_parent {
            self.differing
        } else {
            self.taken
        }
    }

    /// The fewest entries through a map, and whether the parent is kept for that; `None` if the map
    /// merges classes that this shape tells apart.
    fn cost(&self, map: &Map) -> Option<(usize, bool)> {
        let cost = |has_parent| {
            let needed = self.needed(has_parent);
            let mut cost = needed.len();
            for &(least, group) in &map.groups {
                let stored = needed.and(group).len();
                let block = self.blocks[self.block_of[least as usize] as usize];
                if stored > 0 && !group.is_within(block) {
                    return None;
                }
                cost -= stored.saturating_sub(1);
            }
            Some((cost, has_parent))
        };
        let with_parent = (self.differing != self.taken).then(|| cost(true));
        let costs = [cost(false), with_parent.flatten()];
        costs.into_iter().flatten().min()
    }
}

/// A map of classes.
#[derive(Default)]
struct Map {
    /// For each class the least one of its group.
    meta_class: Vec<u8>,
    /// The groups of several classes, each with its least class.
    groups: Vec<(Class, ClassSet)>,
}

impl Map {
    /// The map that takes each block as one class.
    fn of(shape: &RowShape) -> Self {
        let blocks = shape.blocks.iter();
        let groups = blocks.filter_map(|&block| Some((block.iter().next()?, block)));
        let groups: Vec<_> = groups.collect();
        let mut meta_class = vec![0; shape.block_of.len()];
        for &(least, group) in &groups {
            group
                .iter()
                .for_each(|class| meta_class[class as usize] = least as u8);
        }
        let several = |&(_, group): &(Class, ClassSet)| group.len() > 1;
        Map {
            meta_class,
            groups: groups.into_iter().filter(several).collect(),
        }
    }
}

/// The distinct shapes of rows.
struct Shapes {
    classes: Class,
    keys: Sequences<TargetRun>,
    all: Vec<RowShape>,
}

/// The entries that a row needs, and whether it keeps its parent.
type Cost = (usize, bool);

/// The maps chosen, and for each shape its map and its cost.
struct ChosenMaps {
    maps: Vec<Map>,
    of_shape: Vec<(Cost, usize)>,
}

/// A map that may be chosen, and the costs of the shapes that it makes cheaper.
struct Candidate {
    map: Map,
    costs: Vec<(usize, Cost)>,
}

impl Shapes {
    fn add(&mut self, key: &[TargetRun]) -> u32 {
        let id = self.keys.intern(key);
        if id as usize == self.all.len() {
            self.all.push(RowShape::new(key, self.classes));
        }
        self.all[id as usize].rows += 1;
        id
    }

    /// Takes the map that saves most, as long as one saves enough.
    fn choose(&self, deadline: &Deadline) -> Result<ChosenMaps, LimitExceeded> {
        let fine = Map::default();
        let cost = |shape: &RowShape| (shape.cost(&fine).unwrap_or_default(), 0);
        let mut chosen = ChosenMaps {
            maps: Vec::new(),
            of_shape: self.all.iter().map(cost).collect(),
        };
        let mut candidates = self.candidates(&chosen.of_shape, deadline)?;
        while chosen.maps.len() < MAX_MAPS {
            deadline.check("packing rows")?;
            let saves = candidates.iter().map(|c| self.saves(c, &chosen.of_shape));
            let most = saves
                .enumerate()
                .max_by_key(|&(at, saved)| (saved, Reverse(at)));
            let Some((at, _)) = most.filter(|&(_, saved)| saved > worth(self.classes)) else {
                break;
            };
            let Candidate { map, costs } = candidates.remove(at);
            chosen.maps.push(map);
            for (shape, cost) in costs {
                let best = &mut chosen.of_shape[shape];
                if cost.0 < best.0.0 {
                    *best = (cost, chosen.maps.len());
                }
            }
        }
        Ok(chosen)
    }

    /// How many entries a map saves.
    fn saves(&self, candidate: &Candidate, best: &[(Cost, usize)]) -> usize {
        let saves = |&(shape, cost): &(usize, Cost)| {
            let (best, _) = best[shape];
            best.0.saturating_sub(cost.0) * self.all[shape].rows
        };
        candidate.costs.iter().map(saves).sum()
    }

    /// The partitions of classes that could save most.
    fn candidates(
        &self,
        fine: &[(Cost, usize)],
        deadline: &Deadline,
    ) -> Result<Vec<Candidate>, LimitExceeded> {
        if self.classes > 1 + Class::from(u8::MAX) {
            return Ok(Vec::new());
        }
        let mut partitions: Sequences<u16> = Sequences::new();
        let mut saved: Vec<(usize, &RowShape)> = Vec::new();
        let shapes = self.all.iter().zip(fine).enumerate();
        let shapes = shapes.map(|(at, (shape, &((cost, _), _)))| (at, shape, cost));
        let shapes: Vec<_> = shapes
            .filter(|&(_, shape, cost)| shape.least < cost)
            .collect();
        for &(_, shape, cost) in &shapes {
            let id = partitions.intern(&shape.block_of) as usize;
            if id == saved.len() {
                saved.push((0, shape));
            }
            saved[id].0 += shape.rows * (cost - shape.least);
        }
        saved.retain(|&(saved, _)| saved > worth(self.classes));
        saved.sort_by_key(|&(saved, _)| Reverse(saved));
        let candidate = |&(_, shape): &(usize, &RowShape)| {
            let map = Map::of(shape);
            let less = |&(at, shape, fine): &(usize, &RowShape, usize)| {
                let cost = shape.cost(&map).filter(|cost| cost.0 < fine)?;
                Some((at, cost))
            };
            let costs = shapes.iter().filter_map(less).collect();
            deadline.check("packing rows")?;
            Ok(Candidate { map, costs })
        };
        saved.iter().take(CANDIDATES).map(candidate).collect()
    }
}

/// How many words a map has to save.
fn worth(classes: Class) -> usize {
    WORTH * classes.div_ceil(4) as usize
}
