//! Names of documents.
//!
//! In: the name that a text writes, and the name of the folder that the text lies in. Out: the name
//! that a source is asked for: steps that lead down, with `/` between them. What holds after: the
//! name means the same on every system, and does not lead out of the folder that it is taken from.

/// Why every name that starts at the root of a file system is refused.
const ABSOLUTE: &str = "a document is named by its path from the text that names it";
/// Why a name that climbs is refused.
const CLIMBS: &str = "`..` leads out of the folder of documents";

/// The name of the document that a text calls `reference`, where the text lies in `folder`: the
/// name of a folder, or empty. Only at its beginning may a reference have steps `.` and `..`, and
/// only as many as lead up to the root of the source.
///
/// # Errors
/// Why no document has this name.
pub(crate) fn resolve(folder: &str, reference: &str) -> Result<String, &'static str> {
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    let mut rest = reference;
    while let Some((first @ ("." | ".."), behind)) = rest.split_once('/') {
        if first == ".." && steps.pop().is_none() {
            return Err(CLIMBS);
        }
        rest = behind;
    }
    check(rest)?;
    steps.push(rest);
    Ok(steps.join("/"))
}

/// Whether this is the name of a document: steps that lead down.
///
/// # Errors
/// Why it is none.
pub(crate) fn check(name: &str) -> Result<(), &'static str> {
    if name.starts_with(['/', '\\']) {
        return Err(ABSOLUTE);
    }
    if name.contains('\\') {
        return Err("`/` stands between the steps of a name, not `\\`");
    }
    if name.contains([':', '\0']) {
        return Err("a name has no `:` and no character 0");
    }
    for step in name.split('/') {
        match step {
            "" => return Err("a step of the name is empty"),
            ".." => return Err(CLIMBS),
            "." => return Err("`.` is no step of a name"),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_down_from_the_text_that_has_them() {
        for (folder, reference, name) in [
            ("", "a", "a"),
            ("", "a b/c.d", "a b/c.d"),
            ("", "./a", "a"),
            ("", "...", "..."),
            ("a", "b", "a/b"),
            ("a/b", "../c", "a/c"),
            ("a/b", "./.././c", "a/c"),
            ("a/b", "../../c", "c"),
        ] {
            assert_eq!(resolve(folder, reference), Ok(name.to_owned()), "{name}");
        }
    }

    #[test]
    fn other_names_are_refused() {
        for (folder, reference) in [
            ("", ""),
            ("", "."),
            ("", ".."),
            ("", "/"),
            ("", "/etc/passwd"),
            ("", "//etc/passwd"),
            ("", ".//etc/passwd"),
            ("", "../a"),
            ("", "./../a"),
            ("a", "../../a"),
            ("", "a/.."),
            ("", "a/../b"),
            ("", "a/../../b"),
            ("a", "b/../c"),
            ("", "a//b"),
            ("", "a/"),
            ("", "a/./b"),
            ("", "..\\a"),
            ("", "a\\b"),
            ("", "\\a"),
            ("", "\\\\host\\share\\a"),
            ("", "C:a"),
            ("", "C:\\a"),
            ("", "C:/a"),
            ("", "../C:/a"),
            ("", "a:stream"),
            ("", "file:///etc/passwd"),
            ("", "a\0b"),
        ] {
            assert!(
                resolve(folder, reference).is_err(),
                "{folder} {reference:?}"
            );
        }
    }
}
