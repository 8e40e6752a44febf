//! Errors of names and of what stands where it may not: their words and places.

use super::{all_refused, refuses};

#[test]
fn names() {
    all_refused(&[
        ("start: a", "the rule `a` is not defined", "a"),
        ("start: A", "the terminal `A` is not defined", "A"),
        ("start: \"a\"\nb: c", "the rule `c` is not defined", "c"),
        ("start: \"a\"\nt{x}: y", "the rule `y` is not defined", "y"),
        (
            "%import common.BLAH\nstart: BLAH",
            "`common` has no `BLAH`",
            "BLAH",
        ),
        (
            "%import common\nstart: \"a\"",
            "expected `.` and a name, or names in brackets, found the end of the line",
            "\n",
        ),
        (
            "%import common.INT -> int\nstart: int",
            "`INT` and `int` are not both terminals",
            "int",
        ),
        ("root: \"a\"", "the start rule `start` is not defined", ""),
        ("", "the start rule `start` is not defined", ""),
        (
            "start{x}: x",
            "`start` cannot be the start: it is a template",
            "start",
        ),
        (
            "start::_: start::_",
            "`start` cannot be the start: it has a parameter",
            "start",
        ),
        (
            "%declare foo\nstart: \"a\"",
            "`foo` is a rule's name",
            "foo",
        ),
        (
            "%declare\nstart: \"a\"",
            "expected the name of a terminal after `%declare`, found the end of the line",
            "\n",
        ),
        (
            "%extend a: \"x\"\nstart: \"a\"",
            "`a` cannot be extended: it is not defined before",
            "a",
        ),
        (
            "%override start: \"x\"\nstart: \"a\"",
            "`start` cannot be overridden: it is not defined before",
            "start",
        ),
        (
            "start: \"a\"\n%extend start[lazy]: \"b\"",
            "`%extend start` does not have its parameters",
            "start",
        ),
    ]);
    let near = |text, name| {
        let help = super::lark(text).unwrap_err().help;
        assert_eq!(help, format!("did you mean `{name}`?"));
    };
    near("start: valeu\nvalue: \"x\"", "value");
    near("%import common.NUMBR\nstart: NUMBR", "NUMBER");
    near("Start: \"a\"\nstrat: \"b\"", "Start");
    let help = super::lark("start: ESCAPED_STRING").unwrap_err().help;
    assert_eq!(help, "`%import common.ESCAPED_STRING` imports it");
}

#[test]
fn defined_twice() {
    let text = "start: A\nA: \"a\"\nA: \"b\"";
    let error = refuses(text, "the terminal `A` is defined twice", "A");
    assert_eq!(error.span, 16..17);
    assert_eq!(error.also, [(9..10, "first defined here".to_owned())]);
    all_refused(&[
        (
            "start: \"a\"\nstart: \"b\"",
            "the rule `start` is defined twice",
            "start",
        ),
        (
            "%import common.INT\nINT: \"x\"\nstart: INT",
            "the terminal `INT` is defined twice",
            "INT",
        ),
        (
            "%declare X X\nstart: X",
            "the terminal `X` is defined twice",
            "X",
        ),
        (
            "start: t{\"a\"}\nt{x, x}: x",
            "the parameter `x` is named twice",
            "x",
        ),
    ]);
}

#[test]
fn terminals() {
    all_refused(&[
        (
            "start: A\nA: b\nb: \"x\"",
            "the rule `b` cannot stand in a terminal",
            "b",
        ),
        (
            "start: \"a\"\n%ignore b\nb: \"x\"",
            "the rule `b` cannot stand in a terminal",
            "b",
        ),
        (
            "start: A\nA: \"x\" A | \"y\"",
            "the terminal `A` is defined by itself",
            "A",
        ),
        (
            "start: A\nA: \"a\" | B\nB: \"b\" A",
            "the terminal `A` is defined by itself",
            "A",
        ),
        (
            "start: A\nA: <[98]>",
            "a token of the vocabulary cannot stand in a terminal",
            "<[98]>",
        ),
        (
            "start: A\nA: %json {}",
            "`%json` cannot stand in a terminal",
            "%json {}",
        ),
        (
            "start: A\nA: %lark {}",
            "`%lark` cannot stand in a terminal",
            "%lark {}",
        ),
        (
            "start: A\nA: @x",
            "another grammar cannot stand in a terminal",
            "@x",
        ),
        (
            "start: A\nA: t{\"x\"}\nt{x}: x",
            "a template cannot stand in a terminal",
            "t{\"x\"}",
        ),
        (
            "start: A\nA: q::0\nq::_: q::_",
            "a parametric rule cannot stand in a terminal",
            "q::0",
        ),
        (
            "start: A\nA: \"a\" %if bit_set(0)",
            "a condition on a parameter cannot stand in a terminal",
            "\"a\" %if bit_set(0)",
        ),
        (
            "start: A\nA: B\n%declare B",
            "`B` is declared only, and has no pattern",
            "B",
        ),
        (
            "start: A\nA{x}: x",
            "the terminal `A` cannot have parameters",
            "x",
        ),
        (
            "start: A\nA::_: \"x\"",
            "the terminal `A` cannot have parameters",
            "::_",
        ),
        (
            "start: A & B\nA: \"a\"\nB: \"b\"",
            "`&` cannot stand in a rule",
            "A & B",
        ),
        ("start: ~A\nA: \"a\"", "`~` cannot stand in a rule", "~A"),
        (
            "start: A\nA: ~",
            "expected an item after `~`, found the end of the grammar",
            "",
        ),
    ]);
}

#[test]
fn options() {
    all_refused(&[
        (
            "T[lazy]: /a/\nstart: T",
            "the terminal `T` cannot have options",
            "[",
        ),
        ("start[foo=1]: \"a\"", "rules have no option `foo`", "foo"),
        (
            "start[max_tokens=3, max_tokens=4]: \"a\"",
            "the option `max_tokens` is given twice",
            "max_tokens",
        ),
        (
            "start[temperature=abc]: \"a\"",
            "expected a number that is not negative, found `abc`",
            "abc",
        ),
        (
            "start[max_tokens=x]: \"a\"",
            "expected a count, found `x`",
            "x",
        ),
        (
            "start[max_tokens]: \"a\"",
            "expected `=` after `max_tokens`, found `]`",
            "]",
        ),
        (
            "start[suffix=\"\"]: \"a\"",
            "`suffix` must not be empty",
            "\"\"",
        ),
        (
            "start[stop=\"\"]: \"a\"",
            "`stop=\"\"` is not supported",
            "\"\"",
        ),
        (
            "start[stop=5]: \"a\"",
            "expected a string, a regular expression or a terminal, found `5`",
            "5",
        ),
        (
            "start[stop=a]: \"a\"\na: \"b\"",
            "the rule `a` cannot stand in a rule with `lazy`, `suffix` or `stop`",
            "a",
        ),
        (
            "start[stop=\"a\", suffix=\"b\"]: \"x\"",
            "a rule has one of `suffix` and `stop`",
            "suffix",
        ),
        (
            "start[stop_capture=\"m\"]: \"x\"",
            "`stop_capture` needs `stop` or `suffix`",
            "stop_capture",
        ),
        (
            "start[stop=\"x\", stop_capture=\"bad name\"]: \"a\"",
            "the name of a capture cannot be \"bad name\"",
            "\"bad name\"",
        ),
        (
            "start[stop=\"x\", stop_capture=M]: \"a\"",
            "expected a string, found `M`",
            "M",
        ),
        (
            "start: r\nr[lazy]: \"a\" r | \"b\"",
            "the rule `r` cannot stand in a rule with `lazy`, `suffix` or `stop`",
            "r",
        ),
        (
            "start: r\nr[suffix=\"!\"]: s\ns: /x/",
            "the rule `s` cannot stand in a rule with `lazy`, `suffix` or `stop`",
            "s",
        ),
        (
            "start: r\nr[lazy]: <[1]>",
            "a token of the vocabulary cannot stand in a rule with `lazy`, `suffix` or `stop`",
            "<[1]>",
        ),
        (
            "start: t{\"a\"}\nt{x}[max_tokens=1]: x",
            "`max_tokens` is not supported for templates",
            "max_tokens",
        ),
        (
            "start: a::0\na::_[max_tokens=10]: a::_",
            "`max_tokens` is not supported for parametric rules",
            "max_tokens",
        ),
        (
            "start[lazy",
            "expected `]`, found the end of the grammar",
            "",
        ),
        (
            "a.99999999999: \"x\"\nstart: a",
            "this priority is too large",
            "99999999999",
        ),
        (
            "a.x: \"x\"\nstart: a",
            "expected a priority, found `x`",
            "x",
        ),
    ]);
}

#[test]
fn templates_and_parameters() {
    all_refused(&[
        (
            "start: foo{x}\nfoo: \"a\"",
            "`foo` is no template",
            "foo{x}",
        ),
        ("start: t\nt{x}: x", "the template `t` needs arguments", "t"),
        (
            "start: t{\"a\", \"b\"}\nt{x}: x",
            "the template `t` takes 1 argument",
            "t{\"a\", \"b\"}",
        ),
        ("start: t{x}\nt{x}: x", "the rule `x` is not defined", "x"),
        (
            "start: n\nn::_: n::_",
            "the rule `n` needs a parameter",
            "n",
        ),
        (
            "start: n::1\nn: \"a\"",
            "the rule `n` has no parameter",
            "n::1",
        ),
        (
            "start: n::5\nn::_: \"x\"",
            "the rule `n` does not use its parameter",
            "::_",
        ),
        (
            "start: foo\nfoo: bar::_\nbar::_: bar::_",
            "an argument from a parameter stands in `foo`, which has none",
            "bar::_",
        ),
        (
            "start: a %if bit_set(0)\na: \"x\"",
            "a condition on a parameter stands in `start`, which has none",
            "a %if bit_set(0)",
        ),
        (
            "start: n::x(1)\nn::_: n::_",
            "there is no function `x`",
            "x",
        ),
        (
            "start: n::0\nn::_: \"x\" %if foo(1)",
            "there is no condition `foo`",
            "foo",
        ),
        (
            "start: n::0\nn::_: \"x\" %if bit_set(64)",
            "bits are numbered from 0 to 63",
            "64",
        ),
        (
            "start: n::0\nn::_: \"x\" %if is_ones([4:2])",
            "this range holds no bits",
            "[4:2]",
        ),
        (
            "start: n::99999999999999999999\nn::_: n::_",
            "`99999999999999999999` is not a number of at most 64 bits",
            "99999999999999999999",
        ),
    ]);
}
