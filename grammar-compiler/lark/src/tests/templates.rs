//! Templates, `%override` and `%extend`.

use super::reads;

#[test]
fn templates_are_written_out_once_for_equal_arguments() {
    reads(
        "start: _sep{NUM, \",\"} _sep{NUM, \",\"} _sep{b, \"-\"}\n\
         _sep{x, s}: x (s x)*\nNUM: /1/\nb: \"b\"",
        &[
            "start: (_sep{NUM,COMMA} _sep{NUM,COMMA} _sep{b,MINUS})",
            "b: \"b\"",
            "_sep{NUM,COMMA}: (NUM (\",\" NUM)*)",
            "_sep{b,MINUS}: (b (\"-\" b)*)",
            "NUM: /1/",
        ],
    );
}

#[test]
fn templates_may_recur() {
    reads(
        "start: l{\"a\"}\nl{x}: x | l{x} \",\" x",
        &["start: l{A}", "l{A}: <\"a\" | (l{A} \",\" \"a\")>"],
    );
}

#[test]
fn arguments_may_be_expressions() {
    reads(
        "start: t{\"a\" | \"b\"*, u{\"c\"}}\nt{x, y}: x y\nu{x}: x x",
        &[
            "start: t{…,u{C}}",
            "u{C}: (\"c\" \"c\")",
            "t{…,u{C}}: (<\"a\" | \"b\"*> u{C})",
        ],
    );
}

#[test]
fn definitions_are_replaced_and_extended() {
    reads(
        "start: a A\na: \"x\"\nA: /b/\n%override a: \"y\"\n%extend a: \"z\"\n%extend A: \"c\"",
        &["start: (a A)", "a: <\"y\" | \"z\">", "A: </b/ | \"c\">"],
    );
}
