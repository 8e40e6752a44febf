//! `max_tokens`: masks and what a matcher takes, against a slow reading of the definition, over whole vocabularies.

use maskwright::{Grammar, Matcher, OwnedGrammar, OwnedMatcher, State};
use maskwright_compiler::Compiler;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::effort;
use maskwright_tests::random::Random;
use serde_json::{Value, json};

/// What begins or ends a tag.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Text(&'static str),
    Token(u32),
}

use Mark::{Text, Token};

impl Mark {
    /// Whether it is the beginning of another one.
    fn begins(self, other: Mark) -> bool {
        match (self, other) {
            (Text(one), Text(other)) => other.starts_with(one),
            _ => self == other,
        }
    }
}

const OPEN: u32 = 1000;
const CLOSE: u32 = 1001;

/// Any number of tags with free text in them.
#[derive(Clone, Debug)]
struct Tags {
    begin: Mark,
    ends: Vec<Mark>,
    excludes: Vec<&'static str>,
    most: u16,
}

impl Tags {
    fn json(&self, names: &dyn Fn(u32) -> u32) -> Value {
        let mark = |mark: &Mark| match mark {
            Text(text) => json!(text),
            Token(id) => json!({"type": "token", "token": names(*id)}),
        };
        let content = json!({
            "type": "any_text", "max_tokens": self.most, "excludes": self.excludes,
        });
        let tag = json!({
            "type": "tag", "begin": mark(&self.begin), "content": content,
            "end": self.ends.iter().map(mark).collect::<Vec<_>>(),
        });
        json!({"type": "structural_tag", "format": {"type": "star", "content": tag}})
    }
}

/// A token: bytes, or a special one.
#[derive(Clone, Copy, Debug)]
enum Written<'t> {
    Bytes(&'t [u8]),
    Special(u32),
}

/// Where a text stands, by the definition.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    /// Between two tags, or in a begin.
    Between(usize),
    /// In free text.
    Within {
        text: Vec<u8>,
        /// The tokens that ended in it.
        tokens: u16,
        /// Once it has had its tokens, the characters that it then had, one that is not whole included.
        closed: Option<usize>,
    },
}

/// The characters that begin in some bytes.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// Whether some bytes are the beginning of UTF-8.
fn is_text(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

impl Tags {
    fn entered(&self) -> Place {
        Place::Within {
            text: Vec::new(),
            tokens: 0,
            closed: (self.most == 0).then_some(0),
        }
    }

    fn byte(&self, place: &Place, byte: u8) -> Option<Place> {
        match place {
            Place::Between(at) => {
                let Text(begin) = self.begin else { return None };
                let is_next = begin.as_bytes().get(*at) == Some(&byte);
                is_next.then(|| match at + 1 == begin.len() {
                    true => self.entered(),
                    false => Place::Between(at + 1),
                })
            }
            Place::Within {
                text,
                tokens,
                closed,
            } => {
                let mut text = text.clone();
                text.push(byte);
                if !is_text(&text) {
                    return None;
                }
                let has = |word: &str| text.ends_with(word.as_bytes());
                let ends = self.ends.iter().filter_map(|end| match end {
                    Text(end) if has(end) => Some(end.len()),
                    _ => None,
                });
                if let Some(end) = ends.max() {
                    let before = characters(&text[..text.len() - end]);
                    let is_short = closed.is_none_or(|most| before <= most);
                    return is_short.then_some(Place::Between(0));
                }
                if self.excludes.iter().any(|word| has(word)) {
                    return None;
                }
                Some(Place::Within {
                    text,
                    tokens: *tokens,
                    closed: *closed,
                })
            }
        }
    }

    fn special(&self, place: &Place, id: u32) -> Option<Place> {
        match place {
            Place::Between(0) => (self.begin == Token(id)).then(|| self.entered()),
            Place::Between(_) => None,
            Place::Within { text, closed, .. } => {
                let is_whole = std::str::from_utf8(text).is_ok();
                let is_short = closed.is_none_or(|most| characters(text) <= most);
                let is_end = self.ends.contains(&Token(id));
                (is_whole && is_short && is_end).then_some(Place::Between(0))
            }
        }
    }

    fn token(&self, place: &Place, token: Written<'_>) -> Option<Place> {
        let mut at = place.clone();
        let mut has_left = false;
        match token {
            Written::Special(id) => at = self.special(place, id)?,
            Written::Bytes([]) => return None,
            Written::Bytes(bytes) => {
                for &byte in bytes {
                    at = self.byte(&at, byte)?;
                    has_left |= matches!(at, Place::Between(_));
                }
            }
        }
        if let Place::Within {
            text,
            tokens,
            closed: closed @ None,
        } = &mut at
            && !text.is_empty()
        {
            *tokens = match has_left {
                true => 1,
                false => *tokens + 1,
            };
            if *tokens >= self.most {
                *closed = Some(characters(text));
            }
        }
        self.can_end(&at, 0).then_some(at)
    }

    /// Whether some bytes or a token lead out of a text.
    fn can_end(&self, place: &Place, depth: usize) -> bool {
        let Place::Within {
            text,
            closed: Some(_),
            ..
        } = place
        else {
            return true;
        };
        let rest = |bytes: &[u8]| {
            let mut place = place.clone();
            bytes.iter().all(|&byte| match self.byte(&place, byte) {
                Some(next) => {
                    place = next;
                    true
                }
                None => false,
            }) && matches!(place, Place::Between(_))
        };
        let by_end = self.ends.iter().any(|end| match end {
            Token(id) => self.special(place, *id).is_some(),
            Text(end) => {
                let end = end.as_bytes();
                (0..end.len()).any(|done| text.ends_with(&end[..done]) && rest(&end[done..]))
            }
        });
        let is_whole = std::str::from_utf8(text).is_ok();
        by_end
            || !is_whole
                && depth < 3
                && [0x80, 0x82, 0x90, 0xA0, 0xA9, 0xAC, 0xBF]
                    .into_iter()
                    .filter_map(|byte| self.byte(place, byte))
                    .any(|next| self.can_end(&next, depth + 1))
    }
}

struct Words {
    compiler: Compiler,
    tokens: Vec<Vec<u8>>,
    open: u32,
    eos: u32,
}

/// All bytes; tokens that cross a boundary or two; two special ones, and one that ends the text.
fn words() -> Words {
    let crossing = [
        "ab",
        "a]",
        "]]",
        "b]>",
        "]>",
        "]><",
        "]><[",
        "<[",
        "[a",
        "<[a",
        "a]><[a",
        "]><[]>",
        "é",
        "aé",
        "é]",
        "é]>",
        "x]>",
        "xx",
        "]x",
        "aab",
        "\u{20AC}\u{20AC}",
        "<[\u{e9}",
    ];
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens.extend(crossing.map(|text| text.as_bytes().to_vec()));
    tokens.extend([b"a\xC3".to_vec(), b"\xA9]".to_vec(), b"\xE2\x82".to_vec()]);
    let open = tokens.len() as u32;
    tokens.resize(open as usize + 3, Vec::new());
    let eos = open + 2;
    let named = |(id, name): (u32, &str)| (id, name.to_owned());
    let special = [(open, "<|open|>"), (open + 1, "<|close|>")].map(named);
    let vocabulary = Vocabulary::from_tokens(tokens.clone(), vec![eos]).with_special(special);
    Words {
        compiler: Compiler::new(&vocabulary).unwrap(),
        tokens,
        open,
        eos,
    }
}

impl Words {
    fn id(&self, special: u32) -> u32 {
        self.open + special - OPEN
    }

    fn written(&self, id: u32) -> Written<'_> {
        match id >= self.open {
            true => Written::Special(OPEN + id - self.open),
            false => Written::Bytes(&self.tokens[id as usize]),
        }
    }

    fn compile(&self, tags: &Tags) -> Result<(Vec<u8>, Vec<u8>), &'static str> {
        let text = tags.json(&|id| self.id(id)).to_string();
        let text = GrammarText::structural_tag(text).tokens(self.compiler.tokens());
        let grammar = text
            .parse(&Default::default())
            .map_err(|error| error.code().as_str())?;
        let compiled = self.compiler.compile(&grammar.grammar);
        let compiled = compiled.map_err(|error| error.code().as_str())?;
        Ok((
            compiled.into_tables(),
            self.compiler
                .prepared()
                .unwrap()
                .vocabulary()
                .pack()
                .unwrap(),
        ))
    }
}

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

/// Bytes that are given without tokens do not count, and neither does what a draft would have taken.
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

/// Text that could be something else, or whose end is not told from what follows, has several readings, and no count.
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
