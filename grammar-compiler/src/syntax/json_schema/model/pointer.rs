//! JSON pointers (RFC 6901), written after `#`.

use crate::maps::KeyedMap;
use crate::source::Span;
use crate::syntax::json_schema::document::{JsonNode, JsonValue, Member};

/// The longest pointer, in bytes. Each schema has some, and a long key would stand in those of all
/// schemas below it.
const MAX_LENGTH: usize = 1_000;

/// What stands for the rest of a longer one.
const REST: &str = "/…";

/// `pointer` and one more step; of a long one the beginning.
pub(super) fn push(pointer: &str, step: &str) -> String {
    if pointer.len() > MAX_LENGTH {
        return pointer.to_owned();
    }
    let mut longer = String::with_capacity(pointer.len() + 1 + step.len().min(MAX_LENGTH));
    longer.push_str(pointer);
    longer.push('/');
    for part in step.split_inclusive(['~', '/']) {
        match part.strip_suffix(['~', '/']) {
            Some(before) => {
                longer.push_str(before);
                longer.push_str(if part.ends_with('~') { "~0" } else { "~1" });
            }
            None => longer.push_str(part),
        }
        if longer.len() > MAX_LENGTH {
            let cut = (0..=MAX_LENGTH)
                .rev()
                .find(|&at| longer.is_char_boundary(at));
            longer.truncate(cut.unwrap_or(0));
            longer.push_str(REST);
            return longer;
        }
    }
    longer
}

/// A step of a walk: the node, what the step was called, and the place to show for it.
pub(super) struct PointerStep<'d> {
    pub node: &'d JsonNode,
    pub name: String,
    pub span: Span,
}

/// Objects by key: those that are large, from when they are first asked.
#[derive(Default)]
pub(super) struct KeyIndex<'d>(KeyedMap<*const JsonNode, KeyedMap<&'d str, usize>>);

impl<'d> KeyIndex<'d> {
    fn find(&mut self, node: &'d JsonNode, members: &'d [Member], key: &str) -> Option<&'d Member> {
        if members.len() < 32 {
            return members.iter().find(|member| member.key == key);
        }
        let keys = self.0.entry(node).or_insert_with(|| {
            let keys = members.iter().map(|member| member.key.as_str());
            keys.zip(0..).collect()
        });
        members.get(*keys.get(key)?)
    }

    /// The element of `node` that `step`, still escaped, names.
    pub fn step(&mut self, node: &'d JsonNode, step: &str) -> Option<PointerStep<'d>> {
        let name = unescape(step)?;
        match &node.value {
            JsonValue::Object(members) => {
                let member = self.find(node, members, &name)?;
                let (node, span) = (&member.value, member.span);
                Some(PointerStep { node, name, span })
            }
            JsonValue::Array(items) => {
                let plain = name == "0" || !name.starts_with(['0', '+']);
                let node = items.get(name.parse::<usize>().ok().filter(|_| plain)?)?;
                let span = label(node);
                Some(PointerStep { node, name, span })
            }
            _ => None,
        }
    }
}

/// What to mark for a node that has no key: all of it, or its bracket if it has parts.
pub(super) fn label(node: &JsonNode) -> Span {
    let has_parts = match &node.value {
        JsonValue::Array(items) => !items.is_empty(),
        JsonValue::Object(members) => !members.is_empty(),
        _ => false,
    };
    match has_parts {
        true => Span::new(node.span.start, node.span.start + 1),
        false => node.span,
    }
}

fn unescape(step: &str) -> Option<String> {
    let mut name = String::new();
    let mut rest = step.chars();
    while let Some(next) = rest.next() {
        name.push(match next {
            '~' => match rest.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            other => other,
        });
    }
    Some(name)
}

/// A URI's fragment without its percent-encoding; as it is, if it is not well encoded.
pub(super) fn percent_decoded(fragment: &str) -> String {
    let bytes = fragment.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = fragment.get(at + 1..at + 3).filter(|_| byte == b'%');
        let hex = hex.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(value) => {
                decoded.push(value);
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| fragment.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_pointers_are_cut() {
        let long = push("#", &"é/".repeat(600));
        assert!(long.len() > MAX_LENGTH && long.len() <= MAX_LENGTH + REST.len());
        assert!(long.ends_with(REST));
        assert_eq!(push(&long, "items"), long);
        let short = "a".repeat(MAX_LENGTH - 2);
        assert_eq!(push("#", &short), format!("#/{short}"));
    }

    #[test]
    fn escapes() {
        assert_eq!(push("#", "a/b~c"), "#/a~1b~0c");
        assert_eq!(unescape("a~1b~0c~01").as_deref(), Some("a/b~c~1"));
        assert_eq!(unescape("~2"), None);
        assert_eq!(unescape("~"), None);
        assert_eq!(percent_decoded("/a%20b%25%C3%A9"), "/a b%é");
        assert_eq!(percent_decoded("/100%/%zz%é"), "/100%/%zz%é");
        assert_eq!(percent_decoded("%ff"), "%ff");
    }
}
