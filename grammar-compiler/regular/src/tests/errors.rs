//! What is refused, where, and by which kind of error.

use super::{regex, text};
use crate::ErrorKind::{self, Empty, Syntax, Unsupported};
use crate::{Flags, Matching, Options, Pattern, terminal};

#[test]
fn errors_say_where_they_are() {
    let cases: &[(&str, ErrorKind, &str)] = &[
        (r"a(b", Syntax, "("),
        (r"ab)c", Syntax, ")"),
        (r"a[bc", Syntax, "["),
        (r"a[]", Syntax, "["),
        (r"[z-a]", Syntax, "z-a"),
        (r"[\d-x]", Syntax, r"\d-x"),
        (r"é*+", Unsupported, "*+"),
        (r"a{2}+", Unsupported, "{2}+"),
        (r"a**", Syntax, "*"),
        (r"*a", Syntax, "*"),
        (r"(?:+a)", Syntax, "+"),
        (r"^*a", Syntax, "*"),
        (r"a{3,2}", Syntax, "{3,2}"),
        (r"(a)\1", Unsupported, r"\1"),
        (r"(?P<n>a)(?P=n)", Unsupported, "(?P="),
        (r"(a)(?(1)b|c)", Unsupported, "(?("),
        (r"(?>a)b", Unsupported, "(?>"),
        (r"(?<n>a)", Syntax, "(?<"),
        (r"(?P<1>a)", Syntax, "(?P<1"),
        (r"(?P<n>a)(?P<n>b)", Syntax, "(?P<n>"),
        (r"a(?i)b", Syntax, "(?i"),
        (r"(?L:a)", Syntax, "(?L"),
        (r"(?#a", Syntax, "("),
        (r"\h", Syntax, r"\h"),
        (r"[\A]", Syntax, r"\A"),
        (r"\x4", Syntax, r"\x"),
        (r"\ud800", Syntax, r"\ud800"),
        (r"\400", Syntax, r"\400"),
        (r"\N{DIGIT ONE}", Unsupported, r"\N"),
        (r"\p{Nonsense}", Syntax, r"\p{Nonsense}"),
        (r"a\", Syntax, r"\"),
        (r"a$b", Unsupported, "$"),
        (r"(?:a$)*", Unsupported, "$"),
        (r"a\Zb", Unsupported, r"\Z"),
        (r"(?<=a$)b", Unsupported, "$"),
        (r"a(?!)", Empty, r"a(?!)"),
        (r"a(?=b)c", Empty, r"a(?=b)c"),
    ];
    for &(source, kind, place) in cases {
        let pattern = Pattern::Regex {
            source: source.to_owned(),
            flags: Flags::default(),
            start: 100,
        };
        let error = terminal(&pattern, &Options::default(), &mut || true).expect_err(source);
        assert_eq!(error.kind, kind, "{source}: {error}");
        let found = source.get(error.span.start - 100..error.span.end - 100);
        assert_eq!(found, Some(place), "{source}: {error}");
        assert!(
            !error.message.is_empty() && !error.help.is_empty(),
            "{source}"
        );
    }
}

#[test]
fn operands_have_no_open_look_ahead() {
    let open = || regex("a(?!b)");
    let closed = || regex("a(?!b).");
    let wrap: [fn(Pattern) -> Pattern; 3] = [
        |p| Pattern::Complement(Box::new(p)),
        |p| Pattern::Shortest(Box::new(p)),
        |p| Pattern::Intersection(vec![p.clone(), p]),
    ];
    for wrap in wrap {
        for matching in [Matching::Longest, Matching::Preferred] {
            let options = Options {
                matching,
                ..Options::default()
            };
            let error = terminal(&wrap(open()), &options, &mut || true).unwrap_err();
            assert_eq!(error.kind, Unsupported);
            assert_eq!(error.span, 0..6);
            assert!(terminal(&wrap(closed()), &options, &mut || true).is_ok());
        }
    }
}

#[test]
fn an_empty_terminal_is_an_error() {
    let none = [
        Pattern::Union(Vec::new()),
        Pattern::Range('b', 'a'),
        Pattern::Intersection(vec![text("a"), text("b")]),
        Pattern::Repeat {
            of: Box::new(text("a")),
            min: 3,
            max: Some(2),
        },
    ];
    for pattern in none {
        let error = terminal(&pattern, &Options::default(), &mut || true).unwrap_err();
        assert_eq!((error.kind, error.span), (Empty, 0..0));
    }
}
