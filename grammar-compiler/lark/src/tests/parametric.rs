//! Parametric rules.

use super::{lark, reads};

#[test]
fn permutations() {
    let text = "start: perm::0x0\nperm::_: \"\" %if is_ones([0:2])\n\
                | \"a\" perm::set_bit(0) %if bit_clear(0)\n\
                | \"b\" perm::set_bit(1) %if bit_clear(1)";
    reads(
        text,
        &[
            "start: perm::0",
            "perm::0: <(\"a\" perm::1) | (\"b\" perm::2)>",
            "perm::1: (\"b\" perm::3)",
            "perm::2: (\"a\" perm::3)",
            "perm::3: ()",
        ],
    );
}

#[test]
fn counters() {
    reads(
        "start: n::2\nn::_: \"a\" n::decr(_) %if gt(_, 0) | \"\" %if is_zeros([0:8])",
        &[
            "start: n::2",
            "n::2: (\"a\" n::1)",
            "n::1: (\"a\" n::0)",
            "n::0: ()",
        ],
    );
    reads(
        "start: n::0\nn::_: n::incr([0:2]) \"a\" %if lt([0:2],1) | \"b\"",
        &["start: n::0", "n::0: <(n::1 \"a\") | \"b\">", "n::1: \"b\""],
    );
}

#[test]
fn functions_and_conditions() {
    for (argument, value) in [
        ("_", 10),
        ("set_bit(0)", 11),
        ("clear_bit(1)", 8),
        ("bit_and(0x3)", 2),
        ("bit_or(5)", 15),
        ("incr([0:2])", 11),
        ("incr([1:2])", 10),
        ("decr([1:4])", 8),
        ("decr([2:3])", 10),
        ("incr(_)", 11),
        ("7", 7),
    ] {
        let text = format!(
            "start: a::10\na::_: b::{argument} %if true | c::_\nb::_: c::_\nc::_: \"x\" %if ge(_,0)"
        );
        let lark = lark(&text).unwrap();
        let name = format!("b::{value}");
        assert!(
            lark.rules.iter().any(|rule| rule.name == name),
            "{argument}: no {name}"
        );
    }
    for (condition, holds) in [
        ("bit_set(1)", true),
        ("bit_set(0)", false),
        ("bit_clear(63)", true),
        ("is_ones([1:2])", true),
        ("is_zeros([2:3])", true),
        ("eq([1:4], 5)", true),
        ("ne(_, 10)", false),
        ("le(_, 9)", false),
        ("bit_count_eq(_, 2)", true),
        ("bit_count_lt([0:3], 1)", false),
        ("and(bit_set(1), bit_set(3))", true),
        ("or(bit_set(0), bit_set(2))", false),
        ("not(and(bit_set(1), ge(_, 10)))", false),
    ] {
        let shown = if holds {
            "a::10: <\"x\" | \"y\">"
        } else {
            "a::10: \"y\""
        };
        reads(
            &format!("start: a::10\na::_: \"x\" %if {condition} | \"y\""),
            &["start: a::10", shown],
        );
    }
}

#[test]
fn no_alternative_may_be_left() {
    reads(
        "start: a::1\na::_: \"x\" %if eq(_, 0)",
        &["start: a::1", "a::1: <>"],
    );
}
