//! Linked tools as tables: nothing is found out at run time.

use std::sync::Arc;

use maskwright::Vocabulary as Attached;
use maskwright::link::{Linked, Part};
use maskwright_compiler::link::{LinkTarget, NoStore};

use super::formats::{guides, tools, words};
use super::pair::Walked;
use super::*;

#[test]
fn masks_of_tables_are_those_of_the_whole() {
    let mut random = Random::new(7);
    for (name, special) in [
        ("qwen_3", false),
        ("qwen_3", true),
        ("harmony", true),
        ("glm_4_7", true),
    ] {
        let format = ToolFormat::named(name, &Default::default())
            .unwrap()
            .unwrap();
        let words = words(&format, special, &mut random);
        let compiler = Compiler::new(&words.vocabulary)
            .unwrap()
            .with_options(Options::default().threads(1));
        let target = Arc::new(LinkTarget::new(&compiler).unwrap());
        let mut options = ToolOptions::default();
        options.format = Some(FormatSource::Named(name.to_owned()));
        let pair = Pair::new(&tools(6), &options, &compiler, &words, &target, &NoStore).unwrap();
        let tables = pair.linked.to_tables().unwrap();

        let packed = words.vocabulary.pack().unwrap();
        let vocabulary = Attached::load(&packed).unwrap();
        let outer = Part::load(&tables.outer, vocabulary).unwrap();
        let base = tables
            .base
            .as_ref()
            .map(|base| Part::load(base, vocabulary).unwrap());
        let load = |piece| match &base {
            Some(base) => Part::load_beside(piece, base).unwrap(),
            None => Part::load(piece, vocabulary).unwrap(),
        };
        let pieces: Vec<Part<'_>> = tables.pieces.iter().map(|piece| load(piece)).collect();
        let linked = Linked::load(&tables.link, outer, &pieces).unwrap();
        let mut sum = Walked::default();
        for _ in 0..20 {
            sum += pair.walk_in(&linked, &guides(&format), &words, 60, &mut random);
        }
        assert!(
            sum.masks > 500 && sum.crossed > 20 && sum.drafts > 20,
            "{sum:?}"
        );

        // Other parts, and changed tables, are refused.
        assert!(Linked::load(&tables.link, outer, &pieces[1..]).is_err());
        for at in (0..tables.link.len()).step_by(7) {
            let mut changed = tables.link.clone();
            changed[at] ^= 0x10;
            assert!(Linked::load(&changed, outer, &pieces).is_err(), "byte {at}");
        }
        for at in 0..64.min(tables.outer.len()) {
            let mut changed = tables.outer.clone();
            changed[at] ^= 0x10;
            assert!(Part::load(&changed, vocabulary).is_err(), "byte {at}");
        }
    }
}
