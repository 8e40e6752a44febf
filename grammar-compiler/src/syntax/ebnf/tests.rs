//! One test for each kind of message, and a corpus of grammars that must be read or refused.

use super::*;
use crate::grammar::interpret::accepts;
use crate::limits::Limits;

fn read(text: &str) -> Result<Parsed, Error> {
    parse(&Source::new("test.ebnf", text), &ParseOptions::default())
}

/// The drawn error of `text`.
fn refusal(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

fn with_limits(text: &str, limits: Limits) -> Result<Parsed, Error> {
    parse(
        &Source::new("test.ebnf", text),
        &ParseOptions {
            limits,
            ..ParseOptions::default()
        },
    )
}

macro_rules! messages {
    ($($name:ident: $text:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let text: &str = $text;
                insta::assert_snapshot!(stringify!($name), refusal(text));
            }
        )*
    };
}

mod message {
    use super::*;
    use crate::limits::Limits;

    messages! {
        undefined_rules: "root ::= value sepp value | nmae\nname ::= value name\nvalue ::= sepp \"a\"\n";
        duplicate_rule: "root ::= a\na ::= \"x\"\n\n# far away\na ::= \"y\"";
        missing_root: "value ::= \"a\"\nroott ::= value";
        no_rules: "# nothing\n";
        unproductive_rules: "root ::= item\nitem ::= \"(\" item \")\"\nlone ::= item \"x\"\nempty ::= /[^\\s\\S]/";
        bad_escapes: r#"root ::= "\q" [\y] "\u12" "\U00110000" "\uD83D" "\xZ1""#;
        invalid_ranges: r"root ::= [z-a] [a-\d]";
        empty_classes: r"root ::= [] | [^\s\S]";
        bounds_in_the_wrong_order: "root ::= \"a\"{5,2}";
        bound_is_no_number: "root ::= \"a\"{two}";
        no_bound: "root ::= \"a\"{,}";
        bound_beyond_the_limit: "root ::= \"a\"{100001} \"b\"{2,99999999999}";
        nothing_to_repeat: "root ::= * \"a\"\nother ::= \"b\" | +";
        unexpected_words: "root ::= \"a\" , \"b\"\nother ::= Regex(\"a\" \"b\")";
        text_before_the_first_rule: "\"a\" | \"b\"";
        unexpected_end: "root ::= \"a\"{2";
        unexpected_character: "root ::= 'a' ; \u{0}";
        bracket_in_a_class: "root ::= [^]]";
        colon_instead_of_define: "root: \"a\"";
        unnamed_rule: "::= \"a\"";
        unclosed_literal: "root ::= \"abc\nnext ::= [a-z]";
        unclosed_class: "root ::= [abc\n";
        unclosed_group: "root ::= (\"a\" | (\"b\")\nnext ::= \"c\"";
        unopened_group: "root ::= \"a\")";
        unclosed_regex: "root ::= /ab[/]\nnext ::= \"a\"";
        empty_regex: "root ::= // a comment elsewhere";
        look_around_in_a_regex: "root ::= \"é\" /a(?=b)/";
        back_reference_in_a_regex_call: r#"root ::= Regex("\u0061\\(\\1", flags="i")"#;
        syntax_of_a_regex: "root ::= /a(b/ /[z-a]/";
        flag_of_a_regex: "root ::= /a/ix";
        arguments_of_regex: "root ::= Regex() | Regex(\"a\", json_string=maybe) | Regex(\"a\", \"b\")";
        arguments_of_substring: "root ::= Substring(\"a\", mode=\"words\")";
        tag_dispatch: "root ::= TagDispatch(\"a\") TagDispatch((\"a\", b), loop_after_dispatch=maybe) TagDispatch((\"\", b))\nb ::= TokenTagDispatch((x, b), excludes=(1))";
        tag_dispatch_triggers: "root ::= TagDispatch((\"abc\", b), (\"b\", b)) TagDispatch((\"abc\", b), excludes=(\"c\"))\nb ::= \"b\"";
        token_macro: "root ::= Token(12) ExcludeToken(3) \"a\"";
        token_macro_arguments: "root ::= Token() ExcludeToken(x)";
        unclosed_token: "root ::= <think";
        token_references: "root ::= <think> !<[12]> \"a\"";
        look_ahead: "root ::= \"a\" (=\"b\")";
        rule_options: "root[max_tokens=10, lazy] ::= \"a\"";
        a_warning_beside_an_error: "root ::= \"a\n\" b";
    }

    #[test]
    fn too_deep() {
        let limits = Limits {
            nesting: 2,
            ..Limits::default()
        };
        let error = with_limits("root ::= (((\"a\")))", limits.clone()).unwrap_err();
        insta::assert_snapshot!("too_deep_groups", error);
        let error = with_limits("root ::= \"a\"?*+", limits.clone()).unwrap_err();
        insta::assert_snapshot!("too_deep_operators", error);
        let error = with_limits("root ::= (/((a))/)*", limits).unwrap_err();
        insta::assert_snapshot!("too_deep_regex", error);
    }

    #[test]
    fn too_long() {
        let limits = Limits {
            grammar_bytes: 10,
            ..Limits::default()
        };
        insta::assert_snapshot!(
            "too_long",
            with_limits("root ::= \"a\"", limits).unwrap_err()
        );
    }

    #[test]
    fn warnings() {
        let text = "root ::= \"a\nb\" \"\\x0ABC\"\nspare ::= \"c\" spare2\nspare2 ::= \"d\"";
        let source = Source::new("test.ebnf", text);
        let parsed = parse(&source, &ParseOptions::default()).unwrap();
        let drawn: Vec<String> = parsed
            .warnings
            .iter()
            .map(|warning| warning.render(Some(&parsed.sources), false))
            .collect();
        insta::assert_snapshot!("warnings", drawn.join("\n\n"));
    }
}

/// The rules that a substring is made of are not the writer's.
#[test]
fn warnings_name_rules_of_the_source() {
    let warned = |text: &str| -> Vec<String> {
        let warnings = read(text)
            .unwrap_or_else(|error| panic!("{error}"))
            .warnings;
        let messages = warnings.iter().map(|warning| warning.message().to_owned());
        messages.collect()
    };
    assert_eq!(warned(r#"root ::= Substring("a", "")"#), [""; 0]);
    let unused = warned(r#"root ::= "x" part ::= Substring("a", "b")"#);
    assert_eq!(unused, ["rule `part` is never used"]);
}

/// Sentences and non-sentences of `grammar`.
fn check(grammar: &str, sentences: &[&str], others: &[&str]) {
    let grammar = read(grammar)
        .unwrap_or_else(|error| panic!("{error}"))
        .grammar;
    for text in sentences {
        assert!(
            accepts(&grammar, text),
            "{text:?} must be a sentence of\n{grammar}"
        );
    }
    for text in others {
        assert!(
            !accepts(&grammar, text),
            "{text:?} must not be a sentence of\n{grammar}"
        );
    }
}

#[test]
fn layout_is_free() {
    check(
        "\u{FEFF}# head\r\nroot\n # between\n::=a b|\r\n\tc # tail\n(\n\"x\"\n)a::=\"1\"b::=\"2\" c ::= #\n \"3\"",
        &["12", "3x"],
        &["1", "3"],
    );
}

#[test]
fn names() {
    check(
        "root ::= a-b _c D.e.f 1st -  a-b ::= \"1\" _c ::= \"2\" D.e.f ::= \"3\" 1st ::= \"4\" - ::= \"5\"",
        &["12345"],
        &[],
    );
    // A dot that is not inside a name is any character.
    check("root ::= a. .a a ::= \"x\"", &["x12x"], &["xx"]);
    check("root ::= Regex (\"a\") Regex ::= \"r\"", &["ra"], &["a"]);
}

#[test]
fn empty_alternatives_and_groups() {
    check("root ::= \"a\" | | \"b\"", &["", "a", "b"], &["ab"]);
    check(
        "root ::= | \"a\" ( ) \"b\" ()? (|\"c\")",
        &["", "ab", "abc"],
        &["a"],
    );
    check("root ::=", &[""], &["a"]);
    check("root ::= a \"\" \na ::=\nb ::= a", &[""], &["a"]);
}

#[test]
fn repetitions() {
    check("root ::= \"ab\"{2}", &["abab"], &["ab", "abb", "ababab"]);
    check(
        "root ::= \"a\" { 1 , 2 } \"b\"{,2} \"c\"{0}",
        &["a", "aabb"],
        &["", "abbb", "ac"],
    );
    check(
        "root ::= \"a\"{2,} \"b\"{1, -1}",
        &["aab", "aaabbb"],
        &["ab", "aa"],
    );
    check(
        "root ::= \"a\"{2}{2} \"b\"+?",
        &["aaaa", "aaaabb"],
        &["aa", "aaab"],
    );
}

#[test]
fn literals_and_classes() {
    check(
        r#"root ::= "\x41\u00e9\U0001F600\uD83D\uDE00\"\\\/\t\e""#,
        &["Aé😀😀\"\\/\t\u{1b}"],
        &[],
    );
    check("root ::= \"a\nb\" [\n]", &["a\nb\n"], &[]);
    check(
        r#"root ::= [^"\\\x7F\x00-\x1F] | [\\] (["\\bfnrt] | "u" [0-9a-fA-F]{4})"#,
        &["é", "\\n", "\\u00fF"],
        &["\n", "\"", "\\x"],
    );
    check(r"root ::= [\d] [^\w] [^]", &["1-\n"], &["a-x", "1ax"]);
    check("root ::= .", &["\n", "😀"], &["", "ab"]);
}

#[test]
fn regular_expressions() {
    check(r"root ::= /a[/]\/b+/ /X/i", &["a//bx", "a//bbX"], &["a//x"]);
    check(
        r"root ::= /[[:alpha:]/][[:/]é\\/",
        &["/[é\\", "x:é\\"],
        &["1/é\\"],
    );
    check("root ::= /a.b/", &["a\nb"], &[]);
    check(r#"root ::= Regex("a.\\d", flags="i")"#, &["Ax1"], &["A\n1"]);
    check(
        r#"root ::= "\"" Regex(".*", json_string=true) "\"""#,
        &["\"aé\""],
        &["\"\"\"", "\"\\\"", "\"\t\""],
    );
    check("root ::= (/a|b/ \",\")* /^c$/", &["c", "a,b,c"], &["a,"]);
}

#[test]
fn substrings_are_runs_of_neighbouring_chunks() {
    check(
        "root ::= Substring(\"ab\", \"c\", \"ab\") \"!\"",
        &["!", "ab!", "abc!", "cab!", "abcab!"],
        &["a!", "abab!", "cc!", "bc!"],
    );
    check("root ::= Substring() Substring(\"a\")", &["", "a"], &["aa"]);
    let nothing = read("root ::= Substring(){2}").unwrap().grammar;
    assert_eq!(nothing.to_string(), "root ::= (){2}\n");
    let parsed = read("root ::= Substring(\"a\", \"b\") root-chunk-2 ::= \"x\"").unwrap();
    let names: Vec<&str> = parsed
        .grammar
        .rules
        .iter()
        .map(|rule| rule.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["root", "root-chunk-2", "root-chunk-2-", "root-chunk-3"]
    );
}

#[test]
fn another_rule_can_be_the_root() {
    let options = ParseOptions {
        root: "b".to_owned(),
        ..ParseOptions::default()
    };
    let parsed = parse(&Source::new("g", "a ::= \"x\"\nb ::= \"y\""), &options).unwrap();
    assert!(accepts(&parsed.grammar, "y"));
    assert_eq!(parsed.warnings.len(), 1);
}

#[test]
fn errors_point_into_the_pattern_of_a_call() {
    let text = r#"root ::= Regex("\u0061\\(\\1")"#;
    let error = read(text).unwrap_err();
    let span = error.diagnostics()[0].span().unwrap();
    assert_eq!(&text[span.start..span.end], r"\\1");
}

#[test]
fn reading_stops_after_some_errors() {
    let error = read(&"$".repeat(100_000)).unwrap_err();
    assert!(error.diagnostics().len() <= 20);
    let error = read(&format!("root ::= {}", "(".repeat(1000))).unwrap_err();
    assert!(error.diagnostics().len() <= 20);
}

#[test]
fn deep_input_does_not_overflow_the_stack() {
    let depth = 200;
    let groups = format!(
        "root ::= {}\"a\"{}",
        "(".repeat(depth),
        ")?".repeat(depth / 2) + &")".repeat(depth / 2)
    );
    assert_eq!(read(&groups).unwrap_err().code(), "limit-exceeded");
    let groups = format!(
        "root ::= {}\"a\"{}",
        "(\"b\"|\"c\" ".repeat(depth),
        ")".repeat(depth)
    );
    let deepest = read(&groups).unwrap().grammar;
    assert!(accepts(&deepest, "b"));
    assert_eq!(
        read(&deepest.to_string()).unwrap().grammar.rules[0].expr,
        deepest.rules[0].expr
    );
    for text in [
        format!("root ::= \"a\"{}", "?".repeat(1_000_000)),
        format!("root ::= {}", "(".repeat(1_000_000)),
        format!(
            "root ::= {}\"a\"{}",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ),
        format!("root ::= /{}a{}/", "(".repeat(100_000), ")".repeat(100_000)),
        format!("root ::= /a{}/", "?*".repeat(100_000)),
    ] {
        assert!(read(&text).is_err());
    }
}
