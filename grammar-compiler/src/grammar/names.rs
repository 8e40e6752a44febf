//! The names that rules can have in the grammar language.

/// Whether `text` is one name.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}

/// The length of the name at the start of `text`. A dot belongs to it only inside.
pub fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_word = |byte: Option<&u8>| {
        byte.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    };
    let mut length = 0;
    while is_word(bytes.get(length))
        || (length > 0 && bytes.get(length) == Some(&b'.') && is_word(bytes.get(length + 1)))
    {
        length += 1;
    }
    length
}
