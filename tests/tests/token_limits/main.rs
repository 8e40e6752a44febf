//! `max_tokens`: masks and what a matcher takes, against a slow reading of the definition, over
//! whole vocabularies.

mod definition;
mod words;

use definition::Mark::{Text, Token};
use definition::{CLOSE, Mark, OPEN, Place, Tags};
use maskwright::{Grammar, Matcher, OwnedGrammar, OwnedMatcher, State};
use maskwright_compiler::syntax::GrammarText;
use maskwright_tests::effort;
use maskwright_tests::random::Random;
use serde_json::{Value, json};
use words::{Words, words};

/// Walks at random; each mask is compared over the whole vocabulary.
fn walk(words: &Words, tags: &Tags, grammar: &Grammar<'_>, random: &mut Random, steps: usize) {
    let mut matcher = Matcher::<8>::new(grammar).unwrap();
    let mut place = Place::Between(0);
    let mut taken = Vec::new();
    for _ in 0..steps {
        let mut allowed = Vec::new();
        for id in 0..words.eos {
            let next = tags.token(&place, words.written(id));
            assert_eq!(
                matcher.mask().contains(id),
                next.is_some(),
                "{:?} after {taken:?} at {place:?} in {tags:?}",
                words.written(id),
            );
            assert_eq!(matcher.check_draft(&[id]), usize::from(next.is_some()));
            allowed.extend(next.map(|next| (id, next)));
        }
        let is_end = place == Place::Between(0);
        assert_eq!(matcher.mask().contains(words.eos), is_end, "{taken:?}");
        // Tokens of several bytes mostly: there are many single ones.
        let only_long = random.below(3) > 0;
        let is_wanted = |id: u32| !only_long || id > 255;
        let wanted: Vec<_> = allowed.iter().filter(|(id, _)| is_wanted(*id)).collect();
        let picked = random.pick(&wanted).copied();
        let Some((id, next)) = picked.or_else(|| random.pick(&allowed)).cloned() else {
            panic!("no token may come after {taken:?} in {tags:?}");
        };
        matcher.accept_token(id).unwrap();
        check_copies(&matcher, grammar);
        taken.push(format!("{:?}", words.written(id)));
        place = next;
    }
}

/// Saved states and copies stand where the matcher stands, the count of tokens included.
fn check_copies(matcher: &Matcher<'_, 8>, grammar: &Grammar<'_>) {
    let mut bytes = [0; State::<8>::MAX_BYTES];
    let len = matcher.state().write_to(&mut bytes).unwrap();
    assert_eq!(len, matcher.state().byte_len());
    let again = State::<8>::read_from(&bytes[..len], grammar).unwrap();
    assert!(again == matcher.state());
    assert_eq!(
        again.write_to(&mut [0; State::<8>::MAX_BYTES]).unwrap(),
        len
    );
}

#[test]
fn masks_are_those_of_the_definition() {
    let words = words();
    let mut random = Random::new(31);
    let begins = [Text("<["), Text("<"), Token(OPEN)];
    let ends = [
        Text("]>"),
        Text("]"),
        Text("]]>"),
        Text("ab"),
        Text("é"),
        Text("é]"),
        Text("xé]>"),
        Token(CLOSE),
    ];
    let excludes = ["x", "]x", "ba"];
    let (mut compiled, mut refused) = (0, 0);
    for _ in 0..effort::of(60) {
        let mut pick = |from: &[Mark]| *random.pick(from).unwrap();
        let mut tags = Tags {
            begin: pick(&begins),
            ends: vec![pick(&ends)],
            excludes: Vec::new(),
            most: 0,
        };
        if random.below(3) == 0 {
            let another = *random.pick(&ends).unwrap();
            // Where one end is the beginning of another, both are open: not read here.
            let is_apart = !another.begins(tags.ends[0]) && !tags.ends[0].begins(another);
            tags.ends.extend(is_apart.then_some(another));
        }
        if random.below(4) == 0 {
            tags.excludes.extend(random.pick(&excludes));
        }
        tags.most = [0, 1, 1, 2, 3, 7][random.below(6)];
        let Ok((tables, vocabulary)) = words.compile(&tags) else {
            refused += 1;
            continue;
        };
        compiled += 1;
        let tokens = maskwright::Vocabulary::load(&vocabulary).unwrap();
        let grammar = Grammar::load(&tables).unwrap();
        let grammar = grammar.with_vocabulary(tokens).unwrap();
        for _ in 0..3 {
            walk(&words, &tags, &grammar, &mut random, 14);
        }
    }
    println!("{compiled} compiled, {refused} refused");
    assert!(compiled > refused && refused > 0);
}

fn simple(most: u16) -> Tags {
    Tags {
        begin: Text("<["),
        ends: vec![Text("]>")],
        excludes: Vec::new(),
        most,
    }
}

/// Bytes that are given without tokens do not count, and neither does what a draft would have
/// taken.
#[test]
fn only_tokens_that_are_taken_count() {
    let words = words();
    let (tables, vocabulary) = words.compile(&simple(2)).unwrap();
    let vocabulary = maskwright::Vocabulary::load(&vocabulary).unwrap();
    let grammar = Grammar::load(&tables).unwrap();
    let grammar = grammar.with_vocabulary(vocabulary).unwrap();
    let mut matcher = Matcher::<8>::new(&grammar).unwrap();
    let token = |byte: u8| u32::from(byte);
    matcher.accept_bytes(b"<[many bytes").unwrap();
    assert_eq!(matcher.check_draft(&[token(b'a'); 5]), 2);
    matcher.accept_token(token(b'a')).unwrap();
    matcher.accept_bytes(b" and more").unwrap();
    assert!(matcher.mask().contains(token(b'z')));
    let before = matcher;
    matcher.accept_token(token(b'a')).unwrap();
    assert!(!matcher.mask().contains(token(b'a')) && matcher.mask().contains(token(b']')));
    assert!(matcher.accept_bytes(b"a").is_err());
    let mut forced = [0; 8];
    assert_eq!(matcher.forced_bytes(&mut forced), 2);
    assert_eq!(&forced[..2], b"]>");
    matcher.rollback(&before);
    assert!(matcher.mask().contains(token(b'a')));
    matcher.accept_bytes(b"]><[").unwrap();
    assert_eq!(matcher.check_draft(&[token(b'a'); 5]), 2);
}

/// The matcher with memory of its own goes back over the limit.
#[test]
fn owned_matchers_go_back() {
    let words = words();
    let (tables, vocabulary) = words.compile(&simple(3)).unwrap();
    let vocabulary = maskwright::OwnedVocabulary::load(vocabulary).unwrap();
    let grammar = OwnedGrammar::load(tables).unwrap();
    let grammar = grammar.with_vocabulary(&vocabulary).unwrap();
    let mut matcher = OwnedMatcher::new(&grammar, 8).unwrap().with_history(16);
    matcher.accept_bytes(b"<[").unwrap();
    for _ in 0..2 {
        for _ in 0..3 {
            matcher.accept_token(u32::from(b'a')).unwrap();
        }
        assert!(matcher.accept_token(u32::from(b'a')).is_err());
        matcher.rollback(3).unwrap();
    }
}

/// A saved state with a count that its text cannot have is refused.
#[test]
fn counts_that_are_read_are_checked() {
    let words = words();
    let (tables, vocabulary) = words.compile(&simple(3)).unwrap();
    let vocabulary = maskwright::Vocabulary::load(&vocabulary).unwrap();
    let grammar = Grammar::load(&tables).unwrap();
    let grammar = grammar.with_vocabulary(vocabulary).unwrap();
    let mut matcher = Matcher::<8>::new(&grammar).unwrap();
    matcher.accept_bytes(b"<[").unwrap();
    matcher.accept_token(u32::from(b'a')).unwrap();
    let mut bytes = vec![0; State::<8>::MAX_BYTES];
    let len = matcher.state().write_to(&mut bytes).unwrap();
    bytes.truncate(len);
    // 40 bytes, then state, height and count.
    assert_eq!(bytes[46], 1);
    bytes[46] = 3;
    let body = len - 4;
    let checksum = maskwright::crc32(&bytes[..body]).to_le_bytes();
    bytes[body..].copy_from_slice(&checksum);
    assert!(State::<8>::read_from(&bytes, &grammar).is_err());
}

/// Text that could be something else, or whose end is not told from what follows, has several
/// readings, and no count.
#[test]
fn limits_where_readings_differ_are_refused() {
    let text = json!({"type": "any_text", "max_tokens": 3});
    let constant = json!({"type": "const_string", "value": "ab"});
    let tag =
        |content: &Value| json!({"type": "tag", "begin": "<", "content": content, "end": ">"});
    let sequence = |parts: [&Value; 2]| json!({"type": "sequence", "elements": parts});
    let or = |parts: [&Value; 2]| json!({"type": "or", "elements": parts});
    let any = json!({"type": "any_text"});
    for format in [
        sequence([&text, &constant]),
        or([&text, &constant]),
        or([
            &tag(&text),
            &json!({"type": "regex", "pattern": "<[a-z]*>"}),
        ]),
        or([&tag(&text), &tag(&constant)]),
        or([&tag(&text), &tag(&any)]),
        sequence([&any, &tag(&text)]),
        tag(&or([&text, &constant])),
    ] {
        assert_eq!(compiled(&format), Err("token-limit"), "{format}");
    }
    let other = json!({"type": "tag", "begin": "[", "content": any, "end": "]"});
    for format in [
        text.clone(),
        tag(&text),
        or([&tag(&text), &other]),
        sequence([&tag(&text), &tag(&text)]),
        sequence([&tag(&text), &any]),
        tag(&sequence([&constant, &text])),
        json!({"type": "triggered_tags", "triggers": ["<"], "tags": [tag(&text)]}),
    ] {
        assert_eq!(compiled(&format), Ok(()), "{format}");
    }
}

fn compiled(format: &Value) -> Result<(), &'static str> {
    let words = words();
    let text = json!({"type": "structural_tag", "format": format}).to_string();
    let text = GrammarText::structural_tag(text).tokens(words.compiler.tokens());
    let grammar = text.parse(&Default::default()).unwrap().grammar;
    let compiled = words.compiler.compile(&grammar);
    compiled.map(drop).map_err(|error| error.code().as_str())
}
