//! The compiler.
pub mod automata;
pub mod grammar;
pub mod limits;
pub mod source;
pub mod vocabulary;
pub mod lr;
pub mod pda;
pub mod mask;
pub mod pack;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod dev {
    use super::*;
    #[test]
    fn json() {
        let limits = limits::Limits::default();
        let d = limits::Deadline::start(&limits);
        for g in [testing::json()] {
            let t = std::time::Instant::now();
            let net = automata::build(&g, &limits, &d).unwrap();
            for m in &net.machines { println!("{} {} states", m.name, m.body.states.len()); }
            println!("{:?}", t.elapsed());
            let b = lr::build(lr::Positions::new(&net), &limits, &d).unwrap();
            println!("{:?} states {} frames {} trees {} classes {}", t.elapsed(), b.pda.states.len(), b.frames.len(), b.pda.trees.len(), b.pda.classes.count);
            for (i, f) in b.frames.iter().enumerate() { println!("{i} {f:?} under {:?}", b.pda.under[i]); }
            let looks = b.pda.states.iter().flat_map(|s| &s.edges).filter(|e| matches!(b.pda.trees[e.1 as usize], pda::Tree::Look{..})).count();
            println!("looks {looks} {:?}", pda::stacks::bound(&b.pda));
            let n = pda::need::needs(&b.pda).unwrap();
            println!("{:?}", n);
            for (t, ok) in [("{\"a\": [1, 2.5e3, true, {}], \"b\\u00e9\": null}", true), ("[1,]", false), ("[[[]]]", true), ("{\"a\":\"é\"}", true), ("", false), ("1", true), ("01", false)] {
                assert_eq!(pda::interpret::accepts(&b.pda, t.as_bytes()), ok, "{t}");
            }
            let mut toks: Vec<Vec<u8>> = (0..=255u8).map(|b| vec![b]).collect();
            toks.extend(["\"}", "\",", "]]", "[[", "{\"", "\":", "true", "},{"].map(|s| s.as_bytes().to_vec()));
            let v = vocabulary::Vocabulary::from_tokens(toks, vec![300]);
            let trie = mask::TokenTrie::new(&v);
            let m = mask::build(&b.pda, &n, &trie, 1, &d).unwrap();
            println!("{:?} nodes {} sets {}", t.elapsed(), m.nodes.len(), m.sets.len());
            let p = pack::pack(&pack::Input{pda: &b.pda, needs: &n, stacks: pda::stacks::bound(&b.pda), masks: &m, trie: &trie, eos: v.eos(), grammar_hash: 0, vocabulary_hash: 0}, &limits).unwrap();
            println!("{:?} {:?} {:?}", p.tables.len(), p.section_words, p.sets);
        }
    }
}
