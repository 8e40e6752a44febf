//! Masks: all kinds of token sets and their unions, and argmax over them.

mod support;

use maskwright_core::{Grammar, Matcher};
use std::collections::BTreeSet;
use support::{Random, Set, Spec};

/// One state whose mask is the union of these sets.
fn of_sets(size: u32, sets: Vec<Set>) -> Spec {
    let mut spec = Spec::new(b"x", vec![vec![]; size as usize], vec![]);
    let all: Vec<(u32, u8)> = (0..sets.len() as u32).map(|id| (id, 0)).collect();
    spec.sets = sets;
    let mask = spec.node(&all, None);
    spec.states = vec![support::StateSpec {
        mask,
        ..Default::default()
    }];
    spec
}

#[test]
fn unions_of_all_kinds_of_sets() {
    let mut random = Random(0x5eed);
    for size in [1, 31, 32, 33, 4_096, 65_536, 65_567, 140_001] {
        for round in 0..12 {
            let base = random.ids(size, 900);
            let share = [0, 2, 30, 1000][round % 4];
            let list = random.ids(size, share);
            let rejected = random.ids(size, 5);
            let planes: Vec<_> = (0..1 + round % 6).map(|_| random.ids(size, 500)).collect();
            let least = 1 + random.below((1 << planes.len()) - 1) as u32;
            let high = at_least(&planes, least, size);
            let (more, less) = (&random.ids(size, 20) - &high, &random.ids(size, 20) & &high);
            let (added, removed) = (&random.ids(size, 20) - &base, &random.ids(size, 20) & &base);
            let mut sets = vec![
                (Set::Accept(list.clone()), list),
                (
                    Set::Reject(rejected.clone()),
                    (0..size).filter(|id| !rejected.contains(id)).collect(),
                ),
                (
                    Set::Delta(u32::MAX, added.clone(), removed.clone()),
                    &(&base | &added) - &removed,
                ),
                (
                    Set::Levels(vec![], least, more.clone(), less.clone()),
                    &(&high | &more) - &less,
                ),
                (Set::Accept(random.ids(size, 1)), Default::default()),
            ];
            if let Set::Accept(ids) = &sets[4].0 {
                sets[4].1 = ids.clone();
            }
            for i in 0..5 {
                sets.swap(i, i + random.below(5 - i));
            }
            sets.truncate(round % 3 + 1);
            let of = sets.len() as u32;
            let mut packed: Vec<Set> = sets.iter().map(|s| s.0.clone()).collect();
            packed.iter_mut().for_each(|s| {
                if let Set::Delta(id, ..) = s {
                    *id = of;
                }
                if let Set::Levels(ids, ..) = s {
                    *ids = (of + 1..).take(planes.len()).collect();
                }
            });
            let mut spec = of_sets(size, packed);
            spec.sets.push(Set::Bitmap(base.clone()));
            spec.sets.extend(planes.into_iter().map(Set::Bitmap));
            let mut union: Vec<bool> = (0..size)
                .map(|id| sets.iter().any(|s| s.1.contains(&id)))
                .collect();
            if round % 5 == 0 {
                spec.masks = vec![];
                spec.states[0].mask =
                    spec.node(&(0..=of).map(|id| (id, 0)).collect::<Vec<_>>(), None);
                base.iter().for_each(|id| union[*id as usize] = true);
            }
            check_mask(&spec, &union, &mut random);
        }
    }
}

/// The ids whose level, by the planes of its bits, is at least this.
fn at_least(planes: &[BTreeSet<u32>], least: u32, size: u32) -> BTreeSet<u32> {
    let level = |id: u32| -> u32 {
        let bits = planes.iter().map(|plane| u32::from(plane.contains(&id)));
        (0u32..).zip(bits).map(|(at, bit)| bit << at).sum()
    };
    (0..size).filter(|&id| level(id) >= least).collect()
}

/// All ways to read a mask agree with `expected`.
fn check_mask(spec: &Spec, expected: &[bool], random: &mut Random) {
    let tables = spec.pack();
    let grammar = Grammar::load(&tables).unwrap();
    let matcher = Matcher::<4>::new(&grammar).unwrap();
    let mask = matcher.mask();
    let size = expected.len();
    let ids: Vec<u32> = (0..size as u32)
        .filter(|&id| expected[id as usize])
        .collect();
    assert!(mask.iter().eq(ids.iter().copied()));
    assert_eq!((mask.count(), mask.is_empty()), (ids.len(), ids.is_empty()));
    assert!(
        (0..size as u32 + 40)
            .step_by(1 + size / 5_000)
            .all(|id| mask.contains(id) == expected.get(id as usize).copied().unwrap_or(false))
    );
    let mut words = vec![!0; size.div_ceil(32) + 2];
    mask.fill(&mut words).unwrap();
    let bit = |id: usize| words[id / 32] >> (id % 32) & 1 == 1;
    assert!((0..32 * words.len()).all(|id| bit(id) == expected.get(id).copied().unwrap_or(false)));
    let short = mask.fill(&mut words[..size.div_ceil(32) - 1]).unwrap_err();
    assert_eq!(
        (short.needed, short.found),
        (size.div_ceil(32), size.div_ceil(32) - 1)
    );
    for len in [size, size + 5, size / 2] {
        let logits: Vec<f32> = (0..len).map(|_| random.below(50) as f32).collect();
        let mut applied = logits.clone();
        mask.apply(&mut applied);
        for id in 0..len {
            let allowed = expected.get(id).copied().unwrap_or(false);
            assert_eq!(
                applied[id],
                if allowed {
                    logits[id]
                } else {
                    f32::NEG_INFINITY
                }
            );
        }
        let allowed = ids.iter().copied().filter(|&id| (id as usize) < len);
        let best = allowed.reduce(|a, b| {
            if logits[b as usize] > logits[a as usize] {
                b
            } else {
                a
            }
        });
        assert_eq!(mask.argmax(&logits), best);
    }
}

#[test]
fn argmax_and_nan() {
    let spec = of_sets(70, vec![Set::Reject([3].into())]);
    let tables = spec.pack();
    let grammar = Grammar::load(&tables).unwrap();
    let matcher = Matcher::<1>::new(&grammar).unwrap();
    let mut logits = vec![f32::NAN; 70];
    assert_eq!(matcher.mask().argmax(&logits), Some(0));
    logits[3] = 9.0;
    logits[65] = f32::NEG_INFINITY;
    assert_eq!(matcher.mask().argmax(&logits), Some(65));
    logits[4] = -1.0;
    logits[66] = -1.0;
    assert_eq!(matcher.mask().argmax(&logits), Some(4));
    assert_eq!(matcher.mask().argmax::<f32>(&[]), None);
}
