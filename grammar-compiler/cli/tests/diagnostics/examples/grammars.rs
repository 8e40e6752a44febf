//! Diagnostics of grammars, regular expressions and vocabularies.

use super::Input::{
    Ambiguous, Build, Compiled, Depth, Deterministic, Ebnf, Lark, Lonely, Named, PedanticEbnf,
    Regex, Tokenizer, Vocabulary,
};
use super::{Example, Input, example};

pub const EXAMPLES: &[Example] = &[
    example(
        "ambiguous",
        "A text that the grammar reads in two ways. Masks do not depend on the reading. `maskwright check` looks for such a text; compiling does not.",
        Ambiguous("root ::= stmt\nstmt ::= \"if \" stmt (\" else \" stmt)? | [a-z]"),
    ),
    example(
        "ambiguous-escape",
        "A hexadecimal escape is followed by another digit, which is a character of its own.",
        Ebnf(r#"root ::= "\x0a1""#),
    ),
    example(
        "ambiguous-token",
        "Several tokens have the name that the grammar gives.",
        Named("root ::= Token(\"twice\")"),
    ),
    example(
        "bad-escape",
        "A backslash before a character that it cannot escape.",
        Ebnf(r#"root ::= "\q""#),
    ),
    example(
        "build",
        "A build script asks for something that cannot be done.",
        Build,
    ),
    example(
        "control-token",
        "A text of the grammar spells a control token of the vocabulary. A model that means the token never writes its characters.",
        Named("root ::= [a-z]+ \"<|end|>\""),
    ),
    example(
        "dot-newline",
        "A `.` in a regular expression takes a line feed too, and no flag says that this is meant.",
        Regex("name: .{1,20}"),
    ),
    example(
        "double-repetition",
        "Two quantifiers in a row in a regular expression.",
        Regex("(ab)+{2}"),
    ),
    example(
        "duplicate-rule",
        "Two rules have one name.",
        Ebnf("root ::= \"a\" item\nitem ::= \"b\"\nitem ::= \"c\""),
    ),
    example(
        "empty-class",
        "A class without any character.",
        Ebnf("root ::= \"a\" []"),
    ),
    example(
        "empty-regex",
        "A regular expression without a pattern: `//` looks like a comment.",
        Ebnf("root ::= \"a\" // not a comment\n"),
    ),
    example(
        "empty-rule",
        "A rule that matches only the empty text.",
        Ebnf("root ::= \"a\" sign \"1\"\nsign ::= \"\" | ()"),
    ),
    example(
        "invalid-argument",
        "`Regex(…)` or `Substring(…)` with arguments that it does not take.",
        Ebnf("root ::= Regex(\"a\", colour=\"red\")"),
    ),
    example(
        "invalid-range",
        "A range of a class whose ends are the wrong way round, or are no characters.",
        Ebnf("root ::= [z-a]"),
    ),
    example(
        "invalid-repetition",
        "The lower bound of a repetition is above the upper one.",
        Ebnf("root ::= \"a\"{4,2}"),
    ),
    example(
        "large-rule",
        "One rule takes 512 KiB of the tables or more, and more than half of them.",
        Input::Large,
    ),
    example(
        "lark-invalid",
        "A mistake in a Lark grammar: of its notation, of a name that is not defined, or \
         of what stands where it may not.",
        Lark("start: \"turn\" swich\nswitch: \"on\" | \"off\""),
    ),
    example(
        "lark-unsupported",
        "Something in a Lark grammar that has a meaning and is not supported, \
         such as a reference to a group in a regular expression.",
        Lark("start: STRING\nSTRING: /(\"|').*?\\1/"),
    ),
    example(
        "limit-exceeded",
        "One of the `Limits` is passed; the message names it.",
        Regex("a{1000000}"),
    ),
    example(
        "missing-root",
        "The grammar lacks the rule for the whole text.",
        Ebnf("start ::= \"a\""),
    ),
    example(
        "never-matches",
        "A regular expression that no text matches.",
        Regex("a^b"),
    ),
    example(
        "no-documents",
        "A rule names another document, and the caller gave no source of documents: a text opens no files by itself.",
        Lonely("root ::= \"<\" json_schema(\"person.json\") \">\""),
    ),
    example(
        "no-end-token",
        "The tokenizer's file names no token that is known to end a sequence: a `.tiktoken` file leaves special tokens out, and other files may give it an unusual name.",
        Tokenizer(
            r#"{"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"added_tokens":[{"id":1,"content":"<EOT>","special":true}]}"#,
        ),
    ),
    example(
        "not-a-byte",
        "A character of several bytes where the pattern is about bytes.",
        Regex("(?-u:é)"),
    ),
    example(
        "not-deterministic",
        "The option `deterministic` is set, and a matcher would need a second stack.",
        Deterministic("root ::= \"a\"* \"c\" | n\nn ::= \"a\" n \"b\" | \"\""),
    ),
    example(
        "nothing-to-repeat",
        "An operator without something before it.",
        Ebnf("root ::= * \"a\""),
    ),
    example(
        "raw-newline",
        "A literal contains the end of a line: often a quote is missing.",
        Ebnf("root ::= \"a\nb\""),
    ),
    example(
        "regex-slashes",
        "A regular expression stands between slashes, as in JavaScript. Here they are a part of the text, as are the flags behind them.",
        Regex("/yes|no/i"),
    ),
    example(
        "regex-syntax",
        "A regular expression that cannot be read.",
        Regex("(?z)a"),
    ),
    example(
        "token-or-text",
        "One token could be read as text and as a token in one place, so a matcher could not tell what it was.",
        Named("root ::= \"a\" | ExcludeToken(\"b\")"),
    ),
    example(
        "token-without-vocabulary",
        "A grammar names a token, but is read without a vocabulary.",
        Ebnf("root ::= <|call|>"),
    ),
    example(
        "unbounded-digits",
        "Digits can go on without end. Most grammars of numbers allow that, so `maskwright check` says it only with `--pedantic`.",
        PedanticEbnf("root ::= \"-\"? [0-9]+"),
    ),
    example(
        "unbounded-whitespace",
        "A loop over white space only: a model can stay in it for ever, since the mask always allows another blank.",
        Ebnf("root ::= \"[\" ws [0-9] ws \"]\"\nws ::= [ \\t\\n]*"),
    ),
    example(
        "unclosed-class",
        "A class without its `]`.",
        Ebnf("root ::= [a-z"),
    ),
    example(
        "unclosed-group",
        "A group without its `)`.",
        Ebnf("root ::= (\"a\""),
    ),
    example(
        "unclosed-literal",
        "A literal without its closing quote.",
        Ebnf("root ::= \"a"),
    ),
    example(
        "unclosed-regex",
        "A regular expression without its closing `/`.",
        Ebnf("root ::= /a+"),
    ),
    example(
        "undefined-rule",
        "A name that no rule has.",
        Ebnf("root ::= item\nitems ::= \"a\" items | \"a\""),
    ),
    example(
        "unexpected-character",
        "A character that nothing can begin with.",
        Ebnf("root ::= \"a\" ; \"b\""),
    ),
    example(
        "unexpected-end",
        "The grammar ends within a rule.",
        Ebnf("root ::= \"a\"{2"),
    ),
    example(
        "unexpected-word",
        "A word that cannot stand where it stands.",
        Ebnf("root ::= \"a\" | , \"b\""),
    ),
    example(
        "unknown-class",
        "A Unicode class that is not known.",
        Regex(r"\p{Klingon}"),
    ),
    example(
        "unknown-token",
        "The name or id of a token that the vocabulary does not have.",
        Named("root ::= <[1000]>"),
    ),
    example(
        "unnamed-rule",
        "A `::=` without a name before it.",
        Ebnf("::= \"a\""),
    ),
    example(
        "unopened-group",
        "A `)` without its `(`.",
        Ebnf("root ::= \"a\")"),
    ),
    example(
        "unproductive-rule",
        "A rule that no text matches, since every way through it comes back to such a rule.",
        Ebnf("root ::= \"a\" | list\nlist ::= \"[\" list \"]\""),
    ),
    example(
        "unreachable-alternative",
        "An alternative that adds no text: it is the same as another one, or no text matches it.",
        Ebnf("root ::= \"on\" | \"off\" | \"on\""),
    ),
    example(
        "unreadable-grammar",
        "A document that a grammar embeds, and that cannot be read: its name leads out of the folder of documents, it is not there, or it is no text.",
        Ebnf("root ::= \"<\" json_schema(\"nowhere.json\") \">\""),
    ),
    example(
        "unspellable",
        "The vocabulary has no tokens for bytes that the grammar demands. This is an error if no sentence is left, otherwise a warning.",
        Compiled("root ::= \"yes\" | \"no\"\n", b"e"),
    ),
    example(
        "unsupported-anchor",
        "An anchor that holds in some matches, but not in all.",
        Regex("(^a|b)+"),
    ),
    example(
        "unsupported-atomic-group",
        "An atomic group or a possessive quantifier.",
        Regex("(?>a+)b"),
    ),
    example(
        "unsupported-backreference",
        "A back-reference: what it matches is not regular.",
        Regex(r"(a+)\1"),
    ),
    example(
        "unsupported-lookahead",
        "Look-ahead in the grammar language.",
        Ebnf("root ::= \"a\" (= \"b\")"),
    ),
    example(
        "unsupported-lookaround",
        "Look-around in a regular expression.",
        Regex("a(?=b)"),
    ),
    example(
        "unsupported-regex-flag",
        "A flag that the compiler does not honour.",
        Regex("(?m)a"),
    ),
    example(
        "unsupported-rule-option",
        "Options between a rule's name and `::=`.",
        Ebnf("root[lazy] ::= \"a\""),
    ),
    example(
        "unsupported-word-boundary",
        "`\\b` or `\\B`.",
        Regex(r"a\b b"),
    ),
    example(
        "unused-rule",
        "A rule that the root does not reach.",
        Ebnf("root ::= \"a\"\nspare ::= \"b\""),
    ),
    example(
        "vocabulary",
        "The vocabulary cannot be used.",
        Vocabulary("gpt-7"),
    ),
    example(
        "wrong-depth",
        "The depth that was asked for (`--depth`, `depth = …` in `grammar!`, `Builder::depth`) is more than a matcher can have, or less than any text needs.",
        Depth(
            "root ::= list\nlist ::= \"[\" pair \"]\"\npair ::= \"(\" (list | \"x\") \")\"",
            1,
        ),
    ),
];
