//! The codes of all diagnostics. Each has a section in docs/diagnostics.md, which a test makes from
//! an example of it.
//!
//! The list stands once, in the table at the end: the name of the variant and the code as users see
//! it. They are ascending. A code is never used for something else.

use std::fmt;
use std::str::FromStr;

/// Makes [`Code`] and what must name every code from one table.
macro_rules! codes {
    ($($name:ident = $text:literal,)*) => {
        /// What kind of error or warning a diagnostic is. The names are stable, and documented with
        /// an example each in docs/diagnostics.md.
        ///
        /// A code compares with a string: `error.code() == "undefined-rule"`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Code {
            /// All codes, ascending.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The code as it is shown, such as `undefined-rule`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }
        }
    };
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == text
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
    }
}

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        match Code::ALL.binary_search_by_key(&text, |code| code.as_str()) {
            Ok(place) => Ok(Code::ALL[place]),
            Err(_) => Err(UnknownCode),
        }
    }
}

/// A text that is not the name of a [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownCode;

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no diagnostic has this code")
    }
}

impl std::error::Error for UnknownCode {}

codes! {
    Ambiguous = "ambiguous",
    AmbiguousEscape = "ambiguous-escape",
    AmbiguousToken = "ambiguous-token",
    BadEscape = "bad-escape",
    Build = "build",
    ControlToken = "control-token",
    DotNewline = "dot-newline",
    DoubleRepetition = "double-repetition",
    DuplicateRule = "duplicate-rule",
    EmptyClass = "empty-class",
    EmptyRegex = "empty-regex",
    EmptyRule = "empty-rule",
    FormatMalformed = "format-malformed",
    InvalidArgument = "invalid-argument",
    InvalidRange = "invalid-range",
    InvalidRepetition = "invalid-repetition",
    JsonDuplicateKey = "json-duplicate-key",
    JsonNumber = "json-number",
    JsonString = "json-string",
    JsonSyntax = "json-syntax",
    LargeRule = "large-rule",
    LarkInvalid = "lark-invalid",
    LarkUnsupported = "lark-unsupported",
    LimitExceeded = "limit-exceeded",
    MissingRoot = "missing-root",
    NeverMatches = "never-matches",
    NoDocuments = "no-documents",
    NoEndToken = "no-end-token",
    NotAByte = "not-a-byte",
    NotDeterministic = "not-deterministic",
    NothingToRepeat = "nothing-to-repeat",
    RawNewline = "raw-newline",
    RegexSlashes = "regex-slashes",
    RegexSyntax = "regex-syntax",
    SchemaDraft = "schema-draft",
    SchemaFormat = "schema-format",
    SchemaLenient = "schema-lenient",
    SchemaMalformed = "schema-malformed",
    SchemaNoKeyword = "schema-no-keyword",
    SchemaNoValue = "schema-no-value",
    SchemaOtherDocument = "schema-other-document",
    SchemaPattern = "schema-pattern",
    SchemaRecursion = "schema-recursion",
    SchemaReference = "schema-reference",
    SchemaStyle = "schema-style",
    SchemaUndecided = "schema-undecided",
    SchemaUnknownKeyword = "schema-unknown-keyword",
    SchemaUnsatisfiable = "schema-unsatisfiable",
    TagAdjacentText = "tag-adjacent-text",
    TagBegin = "tag-begin",
    TagBorderedEnd = "tag-bordered-end",
    TagControlTrigger = "tag-control-trigger",
    TagEndInContent = "tag-end-in-content",
    TagEndIsTrigger = "tag-end-is-trigger",
    TagExcludedTrigger = "tag-excluded-trigger",
    TagMalformed = "tag-malformed",
    TagShadowed = "tag-shadowed",
    TagUnknownField = "tag-unknown-field",
    TagUnknownType = "tag-unknown-type",
    TagUnsupported = "tag-unsupported",
    TagUnusedTrigger = "tag-unused-trigger",
    TagWithoutEnd = "tag-without-end",
    TokenLimit = "token-limit",
    TokenOrText = "token-or-text",
    TokenWithoutVocabulary = "token-without-vocabulary",
    ToolChoice = "tool-choice",
    ToolFormat = "tool-format",
    ToolMalformed = "tool-malformed",
    ToolName = "tool-name",
    ToolReasoning = "tool-reasoning",
    ToolUnknownField = "tool-unknown-field",
    UnboundedDigits = "unbounded-digits",
    UnboundedWhitespace = "unbounded-whitespace",
    UnclosedClass = "unclosed-class",
    UnclosedGroup = "unclosed-group",
    UnclosedLiteral = "unclosed-literal",
    UnclosedRegex = "unclosed-regex",
    UndefinedRule = "undefined-rule",
    UnexpectedCharacter = "unexpected-character",
    UnexpectedEnd = "unexpected-end",
    UnexpectedWord = "unexpected-word",
    UnknownClass = "unknown-class",
    UnknownToken = "unknown-token",
    UnnamedRule = "unnamed-rule",
    UnopenedGroup = "unopened-group",
    UnproductiveRule = "unproductive-rule",
    UnreachableAlternative = "unreachable-alternative",
    UnreadableGrammar = "unreadable-grammar",
    Unspellable = "unspellable",
    UnsupportedAnchor = "unsupported-anchor",
    UnsupportedAtomicGroup = "unsupported-atomic-group",
    UnsupportedBackreference = "unsupported-backreference",
    UnsupportedClassOperator = "unsupported-class-operator",
    UnsupportedLookahead = "unsupported-lookahead",
    UnsupportedLookaround = "unsupported-lookaround",
    UnsupportedRegexFlag = "unsupported-regex-flag",
    UnsupportedRuleOption = "unsupported-rule-option",
    UnsupportedWordBoundary = "unsupported-word-boundary",
    UnusedRule = "unused-rule",
    Vocabulary = "vocabulary",
    WrongDepth = "wrong-depth",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_ascending_and_read_back() {
        assert!(Code::ALL.is_sorted_by(|a, b| a.as_str() < b.as_str()));
        for &code in Code::ALL {
            assert_eq!(code.to_string().parse(), Ok(code));
        }
        assert_eq!("undefined".parse::<Code>(), Err(UnknownCode));
    }
}
