//! Lark's library `common`.

/// How its module is called.
pub(crate) const FILE: &str = "common";

/// The terminals of the library, in the notation itself.
pub(crate) const TEXT: &str = r#"
DIGIT: "0".."9"
HEXDIGIT: "a".."f" | "A".."F" | DIGIT
INT: DIGIT+
SIGNED_INT: ["+" | "-"] INT
DECIMAL: INT "." INT? | "." INT
_EXP: ("e" | "E") SIGNED_INT
FLOAT: INT _EXP | DECIMAL _EXP?
SIGNED_FLOAT: ["+" | "-"] FLOAT
NUMBER: FLOAT | INT
SIGNED_NUMBER: ["+" | "-"] NUMBER
ESCAPED_STRING: /"(?:[^"\\\n]|(\\.))*"/
LCASE_LETTER: "a".."z"
UCASE_LETTER: "A".."Z"
LETTER: UCASE_LETTER | LCASE_LETTER
WORD: LETTER+
CNAME: ("_" | LETTER) ("_" | LETTER | DIGIT)*
WS_INLINE: (" " | /\t/)+
WS: /[ \t\f\r\n]/+
CR: /\r/
LF: /\n/
NEWLINE: (CR? LF)+
SH_COMMENT: /#[^\n]*/
CPP_COMMENT: /\/\/[^\n]*/
C_COMMENT: /\/\*([^*]|\*+[^*\/])*\*+\//
SQL_COMMENT: /--[^\n]*/
"#;

/// The terminals whose regular expressions are longer here than in Lark, which orders terminals by
/// that, with Lark's length.
pub(crate) const LENGTHS: [(&str, usize); 1] = [("C_COMMENT", 13)];

/// Whether the library has a terminal of this name.
pub(crate) fn has(name: &str) -> bool {
    TEXT.lines().any(|line| {
        line.split_once(':')
            .is_some_and(|(defined, _)| defined == name)
    })
}
