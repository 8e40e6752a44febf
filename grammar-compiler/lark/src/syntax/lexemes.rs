//! Names, numbers and lists of tokens, as they are written.

use crate::error::Error;
use crate::grammar::Token as Special;
use std::ops::Range;

/// The length of the name at the beginning. A `-` belongs to it unless it begins `->`.
pub(super) fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let underscores = bytes.iter().take_while(|byte| **byte == b'_').count();
    if !bytes.get(underscores).is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    let mut length = underscores;
    while let Some(byte) = bytes.get(length) {
        let is_hyphen = *byte == b'-'
            && bytes
                .get(length + 1)
                .is_some_and(|next| next.is_ascii_alphanumeric());
        if !(byte.is_ascii_alphanumeric() || *byte == b'_' || is_hyphen) {
            break;
        }
        length += 1;
    }
    length
}

/// The length of the number at the beginning: decimal, hexadecimal or with a fraction.
pub(super) fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return 2 + hexadecimal
            .bytes()
            .take_while(u8::is_ascii_hexdigit)
            .count();
    }
    let whole = digits(text);
    match text[whole..].strip_prefix('.').map(digits) {
        Some(fraction) if fraction > 0 => whole + 1 + fraction,
        _ => whole,
    }
}

/// `17,20-29]`, `^…]` or `*]`, what stands between `<[` and `>`.
pub(super) fn special_ids(text: &str, span: &Range<usize>) -> Result<Special, Error> {
    let wrong = || {
        Error::new(
            "expected numbers of tokens, such as `<[17,20-29]>`",
            span.clone(),
        )
        .help("`<[^17]>` is any other, `<[*]>` any token; no blanks inside")
    };
    let list = text.strip_suffix(']').ok_or_else(wrong)?;
    if list == "*" {
        return Ok(Special::Any);
    }
    let (is_negated, list) = match list.strip_prefix('^') {
        Some(list) => (true, list),
        None => (false, list),
    };
    let id = |text: &str| {
        let all = text.bytes().all(|byte| byte.is_ascii_digit());
        if all { text.parse::<u32>().ok() } else { None }
    };
    let mut ids = Vec::new();
    for range in list.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = id(first).zip(id(last)).ok_or_else(wrong)?;
        if first > last {
            let message = format!("the range {first}-{last} of tokens is empty");
            return Err(Error::new(message, span.clone()).help("write the smaller number first"));
        }
        ids.push((first, last));
    }
    Ok(if is_negated {
        Special::NotIds(ids)
    } else {
        Special::Ids(ids)
    })
}
