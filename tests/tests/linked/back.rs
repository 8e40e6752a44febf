//! Going back and drafts of matchers that own their parts: both lead across boundaries, and masks
//! stay the same.

use maskwright::OwnedMatcher;
use maskwright::link::Place;
use maskwright_compiler::link::LinkedTools;
use std::sync::Arc;

use super::formats::{guides, tools};
use super::pair::{choose, is_other};
use super::registry::{Formats, formats, registry, request};
use super::*;

type Owned = OwnedMatcher<Arc<LinkedTools>>;

/// Tokens of a text at most.
const TOKENS: usize = 80;
/// How often a text is gone back in.
const BACK: usize = 12;

/// A point of a text: the mask and where the text stands.
#[derive(PartialEq, Eq)]
struct Point {
    row: Vec<u32>,
    place: Place,
}

fn point(matcher: &Owned, words: usize) -> Point {
    let mut row = vec![0; words];
    matcher.mask().fill(&mut row).unwrap();
    let place = matcher.place();
    Point { row, place }
}

/// Follows a random text of a format. Returns its points, one more than tokens, and the tokens.
fn follow(
    matcher: &mut Owned,
    (all, format): (&Formats, usize),
    random: &mut Random,
) -> (Vec<Point>, Vec<u32>) {
    let words = all.words.texts.len().div_ceil(32);
    let (mut points, mut ids) = (vec![point(matcher, words)], Vec::new());
    let mut guide = String::new();
    while ids.len() < TOKENS {
        if guide.is_empty() {
            let guides = guides(&all.formats[format]);
            guide = random.pick(&guides).cloned().unwrap_or_default();
        }
        let last = points.last().unwrap();
        let Some(id) = choose(&last.row, &all.words, &guide, random) else {
            break;
        };
        matcher.accept_token(id).unwrap();
        if matcher.is_finished() {
            // The end of the text is no draft.
            matcher.rollback(1).unwrap();
            break;
        }
        let token = all.words.texts[id as usize].as_str();
        guide = guide.strip_prefix(token).unwrap_or("").to_owned();
        ids.push(id);
        points.push(point(matcher, words));
    }
    (points, ids)
}

/// Goes back and takes the rest again as drafts, one with a token that is not allowed. Returns how
/// often that crossed a boundary.
fn go_back(matcher: &mut Owned, points: &[Point], ids: &[u32], random: &mut Random) -> usize {
    let words = points[0].row.len();
    let mut crossed = 0;
    for _ in 0..BACK {
        let start = random.below(ids.len());
        matcher.rollback(ids.len() - start).unwrap();
        assert!(
            point(matcher, words) == points[start],
            "gone back to {start}"
        );
        let wrong = start + random.below(ids.len() - start);
        let is_allowed = |id: u32| points[wrong].row[id as usize / 32] >> (id % 32) & 1 == 1;
        if let Some(refused) = (0..256).find(|&id| !is_allowed(id)) {
            let mut draft = ids[start..].to_vec();
            draft[wrong - start] = refused;
            assert_eq!(matcher.accept_draft(&draft), wrong - start);
            assert!(
                point(matcher, words) == points[wrong],
                "a draft up to {wrong}"
            );
            matcher.rollback(wrong - start).unwrap();
        }
        assert_eq!(matcher.accept_draft(&ids[start..]), ids.len() - start);
        assert!(point(matcher, words) == points[ids.len()], "a whole draft");
        let mut pairs = points[start..].windows(2);
        crossed += usize::from(pairs.any(|pair| is_other(&pair[0].place, &pair[1].place)));
    }
    crossed
}

#[test]
fn going_back_and_drafts_cross_boundaries() {
    let mut crossed = 0;
    for special in [false, true] {
        let mut random = Random::new(8);
        let all = formats(special, &mut random);
        let registry = registry(&all.compiler, 256 << 20);
        let tools = tools(4);
        for (format, name) in all.names.iter().enumerate() {
            let handle = registry.get(&request(name, &tools)).unwrap();
            let Some(linked) = handle.linked() else {
                continue;
            };
            for _ in 0..3 {
                let mut matcher = Owned::linked(linked.clone()).unwrap();
                let (points, ids) = follow(&mut matcher, (&all, format), &mut random);
                if !ids.is_empty() {
                    crossed += go_back(&mut matcher, &points, &ids, &mut random);
                }
            }
        }
    }
    println!("{crossed} times across a boundary");
    assert!(crossed > 1_000, "{crossed}");
}
