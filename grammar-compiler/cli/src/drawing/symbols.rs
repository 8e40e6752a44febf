//! Sets of symbols as text: ranges of bytes, and the end of the text.

use std::collections::BTreeSet;

use maskwright_compiler::pda::{Class, Pda};

/// The bytes of classes as ranges, and the end of the text.
pub(super) fn symbols(pda: &Pda, classes: &BTreeSet<Class>) -> String {
    let contains = |byte: u16| classes.contains(&pda.classes.of(byte as u8));
    let mut parts = Vec::new();
    let mut byte = 0u16;
    while byte < 256 {
        let first = byte;
        while byte < 256 && contains(byte) {
            byte += 1;
        }
        match byte - first {
            0 => byte += 1,
            1 => parts.push(show(first as u8)),
            _ => parts.push(format!("{}-{}", show(first as u8), show((byte - 1) as u8))),
        }
    }
    if classes.contains(&pda.classes.end()) {
        parts.push("end".into());
    }
    parts.join(" ")
}

fn show(byte: u8) -> String {
    match byte {
        b'!'..=b'~' => char::from(byte).to_string(),
        b' ' => "space".into(),
        b'\n' => "\\n".into(),
        b'\r' => "\\r".into(),
        b'\t' => "\\t".into(),
        _ => format!("{byte:02X}"),
    }
}
