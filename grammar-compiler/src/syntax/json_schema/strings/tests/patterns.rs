//! What patterns match, against a matcher that tries every way.

use crate::limits::Deadline;
use crate::syntax::json_schema::strings::pattern;
use proptest::prelude::*;

/// A pattern; written down for the compiler, tried directly by the matcher.
#[derive(Clone, Debug)]
enum Re {
    Char(char),
    Class(bool, Vec<char>),
    Dot,
    Start,
    End,
    Boundary(bool),
    Seq(Vec<Re>),
    Alt(Vec<Re>),
    Repeat(Box<Re>, u32, Option<u32>, bool),
    Look(bool, bool, Box<Re>),
}

impl Re {
    fn text(&self) -> String {
        let join = |parts: &[Re], by: &str| parts.iter().map(Re::text).collect::<Vec<_>>().join(by);
        match self {
            Re::Char(c) => c.to_string(),
            Re::Class(negated, members) => {
                let members: String = members
                    .iter()
                    .map(|c| format!("\\x{:02x}", *c as u32))
                    .collect();
                format!("[{}{members}]", if *negated { "^" } else { "" })
            }
            Re::Dot => ".".into(),
            Re::Start => "^".into(),
            Re::End => "$".into(),
            Re::Boundary(true) => r"\b".into(),
            Re::Boundary(false) => r"\B".into(),
            Re::Seq(parts) => join(parts, ""),
            Re::Alt(parts) => format!("(?:{})", join(parts, "|")),
            Re::Repeat(re, min, max, lazy) => {
                let counts = match (min, max) {
                    (0, None) => "*".into(),
                    (1, None) => "+".into(),
                    (0, Some(1)) => "?".into(),
                    (min, None) => format!("{{{min},}}"),
                    (min, Some(max)) if min == max => format!("{{{min}}}"),
                    (min, Some(max)) => format!("{{{min},{max}}}"),
                };
                format!("({}){counts}{}", re.text(), if *lazy { "?" } else { "" })
            }
            Re::Look(behind, negative, re) => {
                let behind = if *behind { "<" } else { "" };
                let sign = if *negative { "!" } else { "=" };
                format!("(?{behind}{sign}{})", re.text())
            }
        }
    }

    /// Whether some way to match from `at` ends where `then` holds.
    fn matches(&self, text: &[char], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
        let is_word = |at: usize| {
            text.get(at)
                .is_some_and(|&c| c.is_ascii_alphanumeric() || c == '_')
        };
        match self {
            Re::Char(c) => text.get(at) == Some(c) && then(at + 1),
            Re::Class(negated, members) => {
                text.get(at)
                    .is_some_and(|c| members.contains(c) != *negated)
                    && then(at + 1)
            }
            Re::Dot => {
                text.get(at)
                    .is_some_and(|c| !"\n\r\u{2028}\u{2029}".contains(*c))
                    && then(at + 1)
            }
            Re::Start => at == 0 && then(at),
            Re::End => at == text.len() && then(at),
            Re::Boundary(wanted) => {
                let before = at > 0 && is_word(at - 1);
                (before != is_word(at)) == *wanted && then(at)
            }
            Re::Seq(parts) => match parts.split_first() {
                None => then(at),
                Some((first, rest)) => {
                    let rest = Re::Seq(rest.to_vec());
                    first.matches(text, at, &mut |at| rest.matches(text, at, then))
                }
            },
            Re::Alt(parts) => parts.iter().any(|p| p.matches(text, at, then)),
            Re::Repeat(re, min, max, _) => {
                if *min > 0 {
                    let rest = Re::Repeat(re.clone(), min - 1, max.map(|m| m - 1), false);
                    return re.matches(text, at, &mut |at| rest.matches(text, at, then));
                }
                if then(at) {
                    return true;
                }
                let rest = Re::Repeat(re.clone(), 0, max.map(|m| m.saturating_sub(1)), false);
                *max != Some(0)
                    && re.matches(text, at, &mut |to| to > at && rest.matches(text, to, then))
            }
            Re::Look(behind, negative, re) => {
                let found = if *behind {
                    (0..=at).any(|from| re.matches(text, from, &mut |to| to == at))
                } else {
                    re.matches(text, at, &mut |_| true)
                };
                found != *negative && then(at)
            }
        }
    }

    fn is_found(&self, text: &[char]) -> bool {
        (0..=text.len()).any(|at| self.matches(text, at, &mut |_| true))
    }
}

const ALPHABET: [char; 4] = ['a', 'b', '-', '\n'];

fn re(with_looks: bool) -> impl Strategy<Value = Re> {
    let char = prop::sample::select(&ALPHABET[..3]);
    let leaf = prop_oneof![
        4 => char.prop_map(Re::Char),
        1 => (any::<bool>(), prop::sample::subsequence(&ALPHABET[..], 0..4))
            .prop_map(|(negated, members)| Re::Class(negated, members)),
        1 => Just(Re::Dot),
        1 => Just(Re::Start),
        1 => Just(Re::End),
        1 => any::<bool>().prop_map(Re::Boundary),
    ];
    leaf.prop_recursive(4, 14, 3, move |inner| {
        let counts = (0u32..3, prop::option::of(0u32..3), any::<bool>());
        let look = (any::<bool>(), any::<bool>(), inner.clone());
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Re::Seq),
            2 => prop::collection::vec(inner.clone(), 1..4).prop_map(Re::Alt),
            2 => (inner, counts).prop_map(|(re, (min, more, lazy))| {
                Re::Repeat(Box::new(re), min, more.map(|more| min + more), lazy)
            }),
            if with_looks { 3 } else { 0 } => look.prop_map(|(behind, negative, re)| {
                Re::Look(behind, negative, Box::new(re))
            }),
        ]
    })
}

fn short_texts() -> Vec<Vec<char>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..4 {
        let to = all.len();
        for at in from..to {
            for c in ALPHABET {
                let mut longer: Vec<char> = all[at].clone();
                longer.push(c);
                all.push(longer);
            }
        }
        from = to;
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn like_the_matcher(re in re(true)) {
        let source = re.text();
        let language = pattern(&source, &Deadline::never()).unwrap();
        for text in short_texts() {
            let string: String = text.iter().collect();
            prop_assert_eq!(language.contains(&string), re.is_found(&text), "/{}/ {:?}", source, string);
        }
    }

    #[test]
    fn like_the_regex_crate(re in re(false)) {
        let source = re.text();
        let language = pattern(&source, &Deadline::never()).unwrap();
        // `.` leaves out less there, an empty class is not written `[]`, and words are of Unicode.
        let other = (source.replace('.', r"[^\n\r\u{2028}\u{2029}]"))
            .replace("[]", r"[^\s\S]").replace("[^]", r"[\s\S]")
            .replace(r"\b", r"(?-u:\b)").replace(r"\B", r"(?-u:\B)");
        let other = regex::Regex::new(&other).unwrap();
        for text in short_texts() {
            let string: String = text.iter().collect();
            prop_assert_eq!(language.contains(&string), other.is_match(&string), "/{}/ {:?}", source, string);
        }
    }
}

fn check(source: &str, members: &[&str], others: &[&str]) {
    let language =
        pattern(source, &Deadline::never()).unwrap_or_else(|error| panic!("/{source}/: {error}"));
    for text in members {
        assert!(language.contains(text), "/{source}/ must match {text:?}");
    }
    for text in others {
        assert!(
            !language.contains(text),
            "/{source}/ must not match {text:?}"
        );
    }
}

#[test]
fn searches() {
    check("", &["", "x"], &[]);
    check("b", &["b", "abc"], &["", "ac"]);
    check("^b|c$", &["b", "bx", "xc"], &["ab", "cx"]);
    check(
        "(^|,)a(,|$)",
        &["a", "x,a", "a,x", "x,a,y"],
        &["xa", "ax", "x,ay"],
    );
    check("a^", &[], &["a", ""]);
    check("$^", &[""], &["a", "\n"]);
    check("^a$", &["a"], &["a\n", "\na"]);
    check("^(?:x|^y)$", &["x", "y"], &["xy", ""]);
}

#[test]
fn assertions() {
    check(r"^(?!.*foo).*$", &["", "fo"], &["foo", "a foo b", "\n"]);
    check(
        r"^(?=.*[A-Z])(?=.*\d)[\w!]{4,}$",
        &["aB3!", "1234Z"],
        &["ab3!", "aB!!", "aB3"],
    );
    check(r"(?<=\$)\d+(?!\.)\b", &["$12", "a $1 b"], &["12", "$1."]);
    check(r"(?<!\\)%", &["%", "a%"], &[r"\%"]);
    check(r"^(?:(?!--)[^>])*$", &["a-b", ""], &["a--b", ">"]);
    check(r"\bcat\b", &["cat", "a cat!"], &["cats", "_cat"]);
    check(r"^(?=a(?<=^a)b)..$", &["ab"], &["ac", "xab"]);
    check(r"(?<=a(?=b).)c", &["abc"], &["axc", "bc"]);
    check(r"^(?=(?!(?=b)).)", &["a"], &["b", ""]);
    check(r"(?=a)*b", &["b"], &["a"]);
    check(r"^(a(?=.*b)|b)+$", &["ab", "aabab"], &["a", "ba"]);
}

#[test]
fn counted_repetitions() {
    let long = pattern("^.{1,5000}$", &Deadline::never()).unwrap();
    assert_eq!(long.lengths(), Some((1, Some(5000))));
    // Of equal copies under way the one that may go on longest stands for the others.
    let states = |source: &str| pattern(source, &Deadline::never()).unwrap().states().len();
    assert_eq!(states(r"^(\w+\s?){1,500}$"), 1001);
    assert_eq!(states(r"^(\w+\s?){500,}$"), 1001);
    assert_eq!(states("^(a{0,70}){70}$"), 4901);
    assert_eq!(states("[^]{0,10000}x"), 2);
    assert_eq!(states("(a?){5000}"), 1);
    assert!(pattern("^(?:a{1000}){1000}$", &Deadline::never()).is_err());
    assert!(pattern("^(?:){4294967295}$", &Deadline::never()).is_err());
    assert!(pattern("^(((((a{99}){99}){99}){99}){99})$", &Deadline::never()).is_err());
    assert!(pattern("a{99999999999}", &Deadline::never()).is_err());
    let nested = "(?:".repeat(100) + "a" + &"{2}){2}".repeat(100);
    assert!(pattern(&nested, &Deadline::never()).is_err());
    let error = pattern("^.{1,50000}$", &Deadline::never()).unwrap_err();
    assert!(error.to_string().contains("30000 states"), "{error}");
}
