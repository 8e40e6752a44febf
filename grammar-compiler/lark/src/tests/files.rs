//! Imported files.

use super::show;
use crate::{Imports, ReadOptions, read};

struct Files(&'static [(&'static str, &'static str)]);

impl Imports for Files {
    fn file(&self, path: &str) -> Option<String> {
        let (_, text) = self.0.iter().find(|(name, _)| *name == path)?;
        Some((*text).to_owned())
    }
}

fn lines(
    files: &'static [(&'static str, &'static str)],
    text: &str,
) -> Result<Vec<String>, String> {
    let read = read(text, &ReadOptions::default(), &Files(files), &mut || true);
    let place = |error: crate::Error| format!("{} @ {}", error.message, &text[error.span]);
    read.map(|lark| show::lark(&lark)).map_err(place)
}

const FILES: &[(&str, &str)] = &[
    (
        "base.lark",
        "%import .dir.more.C -> D\nexpr: number \"+\" D | B\nnumber: /0/\nB: /b/\n%ignore /i/",
    ),
    ("dir/more.lark", "%import .deep (E)\nC: E E\nother: nowhere"),
    ("dir/deep.lark", "E: \"e\""),
    ("wrong.lark", "a: \"x\"\nb: ? \"y\"\n"),
    ("unknown.lark", "\n a: x"),
    (
        "circle.lark",
        "%import .circle.a -> b\n%import .circle.b -> a",
    ),
];

#[test]
fn rules_come_with_what_they_need() {
    let found = lines(FILES, "start: e\n%import .base.expr -> e").unwrap();
    let expected = [
        "start: e",
        "e: <(base__number \"+\" dir__more__C) | base__B>",
        "base__number: __ANON_0",
        "dir__more__C: (\"e\" \"e\")",
        "base__B: /b/",
        "__ANON_0: /0/",
    ];
    let (mut found, mut expected) = (found, expected.map(String::from).to_vec());
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn imported_rules_can_be_replaced_where_they_are_used() {
    let text =
        "%import .base (expr, number, B)\nstart: expr\n%override number: \"n\"\n%extend B: /c/";
    assert_eq!(
        lines(FILES, text).unwrap(),
        [
            "expr: <(number \"+\" dir__more__C) | B>",
            "number: \"n\"",
            "start: expr",
            "B: </b/ | /c/>",
            "dir__more__C: (\"e\" \"e\")",
        ]
    );
}

#[test]
fn errors_name_the_file_and_point_at_the_import() {
    for (text, message) in [
        (
            "%import .wrong.a\nstart: a",
            "in `wrong.lark`, line 2, column 4: misplaced operator `?` @ %import .wrong.a",
        ),
        (
            "%import .unknown.a\nstart: a",
            "in `unknown.lark`, line 2, column 5: the rule `x` is not defined @ %import .unknown.a",
        ),
        (
            "%import .missing.a\nstart: a",
            "the file `missing.lark` to import is not given @ %import .missing.a",
        ),
        ("%import .base.exp\nstart: exp", "`base` has no `exp` @ exp"),
        (
            "%import .circle.a\nstart: a",
            "in `circle.lark`, line 1, column 17: `circle` has no `a` @ %import .circle.a",
        ),
        (
            "%import unicode.LU\nstart: LU",
            "Lark's library `unicode` is not built in @ %import unicode.LU",
        ),
        (
            "%import python (name)\nstart: name",
            "Lark's library `python` is not built in @ %import python (name)",
        ),
        (
            "%import nothing.X\nstart: X",
            "there is no library `nothing` @ %import nothing.X",
        ),
    ] {
        assert_eq!(lines(FILES, text).unwrap_err(), message);
    }
}

#[test]
fn imports_may_follow_their_use_and_come_twice() {
    let text = "start: B\n%import .base.B\n%import .base (B)";
    assert_eq!(lines(FILES, text).unwrap(), ["start: B", "B: /b/"]);
}
