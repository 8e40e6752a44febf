//! One example of each diagnostic.

/// The beginning of docs/diagnostics.md.
pub const HEAD: &str = "# Diagnostics

Every error and warning has a code, which is stable, its place in the text if it has one, and a way out. The command line draws them as
below, in colour on a terminal (`--color`, `NO_COLOR`). With `--json`, `check`, `compile` and `report` print them as objects with
`severity`, `code`, `message`, `file`, `line`, `column`, `end_line`, `end_column`, `labels` and `help`; `accept` and `mask` do so if they
refuse a grammar. `grammar!` reports them at the tokens of the macro, or at the string with the place in it. A build script prints each
warning in one line, and fails with the drawing of an error.

A warning is about something that is legal and probably not meant. It says only what is true of the grammar's language: an alternative
that is called unreachable adds no text.

A test of the command line writes this file (`UPDATE_DOCS=1 cargo test -p maskwright-cli --test diagnostics`). It reads each example, and
fails if a code has none.
";

/// Codes of diagnostics about a grammar as a whole, which have no place in it.
pub const GLOBAL: [&str; 4] = [
    "capped-vocabulary",
    "no-end-token",
    "unspellable",
    "wrong-depth",
];

/// The structural tag of a format.
pub fn tag_of(format: &str) -> String {
    format!("{{\"format\": {format}}}")
}

/// What is read.
pub enum Input {
    /// A grammar.
    Ebnf(&'static str),
    /// A regular expression.
    Regex(&'static str),
    /// A JSON Schema.
    Schema(&'static str),
    /// A grammar that names tokens of a vocabulary of single bytes, of which two more are called `twice`.
    Named(&'static str),
    /// A structural tag's format.
    Tag(&'static str),
    /// A structural tag's format that is compiled for all single bytes.
    CompiledTag(&'static str),
    /// Tools, and the format of their calls.
    Tools(&'static str, &'static str),
    /// A format of tool calls.
    ToolFormat(&'static str),
    /// A JSON Schema and a keyword that may be ignored.
    Lenient(&'static str, &'static str),
    /// A schema, and the style of its texts.
    Styled(&'static str, &'static str),
    /// A grammar that is compiled for single bytes without these.
    Compiled(&'static str, &'static [u8]),
    /// The same with a cap on the number of stacks.
    Capped(&'static str, &'static [u8]),
    /// A grammar, and the depth that its matchers are to have.
    Depth(&'static str, usize),
    /// A grammar that is to be deterministic.
    Deterministic(&'static str),
    /// A grammar in which an ambiguous text is looked for.
    Ambiguous(&'static str),
    /// A grammar whose masks are all different, for a vocabulary of all words of one to four letters.
    Large,
    /// The name of a vocabulary.
    Vocabulary(&'static str),
    /// A `tokenizer.json`.
    Tokenizer(&'static str),
    /// A build script without a vocabulary.
    Build,
}

/// An example of a code.
pub struct Example {
    /// The code.
    pub code: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What brings it about.
    pub input: Input,
}

const fn example(code: &'static str, meaning: &'static str, input: Input) -> Example {
    Example {
        code,
        meaning,
        input,
    }
}

use Input::{
    Ambiguous, Build, Capped, Compiled, CompiledTag, Depth, Deterministic, Ebnf, Lenient, Named,
    Regex, Schema, Styled, Tag, Tokenizer, ToolFormat, Tools, Vocabulary,
};

/// All examples.
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
        "capped-vocabulary",
        "The number of stacks is capped, and the vocabulary has no token of one byte for some byte that the grammar takes.",
        Capped(
            "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"a\" | \"b\"",
            b"b",
        ),
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
        "format-malformed",
        "A format of tool calls lacks something, or its parts could not be told apart when an output is read back.",
        ToolFormat("{\"call\": \"<call>{{nme}}: {{arguments}}</call>\"}"),
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
        "json-duplicate-key",
        "A key occurs twice in one object of a schema.",
        Schema("{\"type\": \"null\",\n \"type\": \"string\"}"),
    ),
    example(
        "json-number",
        "A word that looks like a number but is not one in JSON.",
        Schema("{\"minimum\": 01}"),
    ),
    example(
        "json-string",
        "A string of a schema with an escape or character that JSON does not allow.",
        Schema(r#"{"type": "a\x"}"#),
    ),
    example(
        "json-syntax",
        "The schema is not JSON.",
        Schema("{\"type\": \"null\",}"),
    ),
    example(
        "large-rule",
        "One rule takes 512 KiB of the tables or more, and more than half of them.",
        Input::Large,
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
        "A literal goes over the end of a line: often a quote is missing.",
        Ebnf("root ::= \"a\nb\""),
    ),
    example(
        "regex-syntax",
        "A regular expression that cannot be read.",
        Regex("(?z)a"),
    ),
    example(
        "schema-draft",
        "The draft is not known, or a keyword means something else in it.",
        Schema("{\"$schema\": \"https://json-schema.org/draft/2030-01/schema\"}"),
    ),
    example(
        "schema-format",
        "A format that is unknown, or whose strings are not a regular set.",
        Schema("{\"type\": \"string\", \"format\": \"regex\"}"),
    ),
    example(
        "schema-lenient",
        "A keyword that cannot be honoured exactly is ignored, since the option `lenient` names it.",
        Lenient("{\"type\": \"string\", \"format\": \"regex\"}", "format"),
    ),
    example(
        "schema-malformed",
        "A keyword has a value that its definition does not allow.",
        Schema("{\"type\": \"int\"}"),
    ),
    example(
        "schema-no-value",
        "A part of a schema that no value satisfies, though the whole has values.",
        Schema("{\"properties\": {\n  \"unit\": {\"type\": \"string\", \"enum\": [1, 2]}}}"),
    ),
    example(
        "schema-other-document",
        "A reference leads into a document that was not provided.",
        Schema("{\"$ref\": \"https://example.com/person.json\"}"),
    ),
    example(
        "schema-pattern",
        "A pattern that is not a regular expression, or not regular.",
        Schema(r#"{"type": "string", "pattern": "(a)\\1"}"#),
    ),
    example(
        "schema-recursion",
        "A schema that refers to itself for the same value, not for a part of it.",
        Schema(
            "{\"$defs\": {\"a\": {\"not\": {\"$ref\": \"#/$defs/a\"}}}, \"$ref\": \"#/$defs/a\"}",
        ),
    ),
    example(
        "schema-reference",
        "A reference leads to a place that does not exist.",
        Schema("{\"$ref\": \"#/$defs/persn\", \"$defs\": {\"person\": {}}}"),
    ),
    example(
        "schema-style",
        "The style in which a model writes the arguments of a tool cannot write a value or a name.",
        Styled(
            "{\"type\": \"object\", \"properties\": {\n  \"tag\": {\"enum\": [\"<b>\", \"</parameter>\"]}}}",
            "qwen_xml",
        ),
    ),
    example(
        "schema-undecided",
        "Keywords whose combination cannot be honoured exactly.",
        Schema("{\"type\": \"array\", \"uniqueItems\": true}"),
    ),
    example(
        "schema-unknown-keyword",
        "A keyword that looks like a misspelled known one.",
        Schema("{\"type\": \"array\", \"maxItem\": 3}"),
    ),
    example(
        "schema-unsatisfiable",
        "No value can satisfy the schema.",
        Schema("{\"type\": \"string\", \"enum\": [1]}"),
    ),
    example(
        "tag-adjacent-text",
        "Free text of a structural tag directly after free text: an end, trigger or exclude that begins in the one and ends in the other is not seen.",
        Tag(r#"{"type": "sequence", "elements": [
  {"type": "any_text", "excludes": ["<x>"]},
  {"type": "any_text"}]}"#),
    ),
    example(
        "tag-begin",
        "The begin of a tag starts with none of the triggers, or with several.",
        Tag(r#"{"type": "triggered_tags", "triggers": ["<tool"],
 "tags": [{"begin": "<call>", "content": {"value": "x"}, "end": "</call>"},
          {"begin": "<tool>", "content": {"value": "x"}, "end": "</tool>"}]}"#),
    ),
    example(
        "tag-bordered-end",
        "An end whose beginning is also its ending, so that it can overlap with itself. Free text ends where the end is first complete.",
        Tag(r#"{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": "```"}"#),
    ),
    example(
        "tag-end-in-content",
        "A regular expression in a tag can match a text that contains the tag's own end. The grammar is exact, but a program that cuts the output at the first end cuts it elsewhere.",
        Tag(
            r#"{"type": "tag", "begin": "<", "content": {"type": "regex", "pattern": "[^>]*>?"}, "end": ">"}"#,
        ),
    ),
    example(
        "tag-end-is-trigger",
        "A trigger that is also an end of a tag around the free text.",
        Tag(r#"{"type": "tag", "begin": "", "end": "<call>", "content":
 {"type": "triggered_tags", "triggers": ["<call>"],
  "tags": [{"begin": "<call>", "content": {"value": "x"}, "end": "</call>"}]}}"#),
    ),
    example(
        "tag-excluded-trigger",
        "A trigger that holds an exclude of the same free text: nothing could trigger it.",
        Tag(r#"{"type": "dispatch", "rules": [["<call>", {"value": "x"}]], "excludes": ["<"]}"#),
    ),
    example(
        "tag-malformed",
        "A structural tag is malformed: a field is missing or of another kind, a list or text is empty, a number is out of range.",
        Tag(r#"{"type": "triggered_tags", "triggers": [""], "tags": []}"#),
    ),
    example(
        "tag-shadowed",
        "A trigger or an end that can never be complete, since another delimiter of the same free text is complete within it.",
        Tag(
            r#"{"type": "dispatch", "rules": [["<tool_call>", {"value": "x"}], ["_call", {"value": "y"}]]}"#,
        ),
    ),
    example(
        "tag-unknown-field",
        "A field that this type of format does not have. Ignoring it would change the language that the author meant.",
        Tag(r#"{"type": "any_text", "exclude": ["<think>"]}"#),
    ),
    example(
        "tag-unknown-type",
        "An unknown type of format.",
        Tag(r#"{"type": "any_txt"}"#),
    ),
    example(
        "tag-unsupported",
        "A part of structural tags that is not supported.",
        Tag(r#"{"type": "any_text", "max_tokens": 100000}"#),
    ),
    example(
        "tag-unused-trigger",
        "A trigger with which no tag begins.",
        Tag(r#"{"type": "triggered_tags", "triggers": ["<a>", "<b>"],
 "tags": [{"begin": "<a>", "content": {"value": "x"}, "end": "</a>"}]}"#),
    ),
    example(
        "tag-without-end",
        "Nothing ends the free text of a tag.",
        Tag(r#"{"type": "tag", "begin": "<think>", "content": {"type": "any_text"}, "end": ""}"#),
    ),
    example(
        "token-limit",
        "The tokens of a text are limited, but the matcher could not count them, or could not end the text after them.",
        CompiledTag(
            r#"{"elements": [{"type": "any_text", "max_tokens": 10}, {"type": "const_string", "value": "."}]}"#,
        ),
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
        "tool-choice",
        "`tool_choice` names a tool that does not exist, or there are no tools.",
        Tools(
            r#"{"tools": [{"name": "search"}], "tool_choice": {"type": "tool", "name": "serach"}}"#,
            "qwen_3",
        ),
    ),
    example(
        "tool-format",
        "No format of tool calls is given, or it is not known or cannot be read.",
        Tools(r#"[{"name": "search"}]"#, "qwen3"),
    ),
    example(
        "tool-malformed",
        "A tool lacks something, or a field of it is of the wrong kind.",
        Tools(r#"[{"type": "web_search", "name": "search"}]"#, "qwen_3"),
    ),
    example(
        "tool-name",
        "Two tools have one name, or the format cannot write a name so that it is read back.",
        Tools(r#"[{"name": "search(web)"}]"#, "pythonic"),
    ),
    example(
        "tool-unknown-field",
        "A tool has an unknown field. It is ignored, since providers add fields of their own.",
        Tools(
            r#"[{"name": "search", "paramters": {"type": "object"}}]"#,
            "qwen_3",
        ),
    ),
    example(
        "unbounded-stacks",
        "The compiler could not prove how many stacks a text may need. With `capped` (`--capped`, `capped = true` in `grammar!`, `Builder::capped`) this is a warning: a matcher drops the readings past the cap, and refuses text that only they allow.",
        Compiled(
            "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"a\" | \"b\"",
            &[],
        ),
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
        "A grammar or a schema that another grammar embeds, and that cannot be read.",
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
