//! The rules of forms: a reader gets the values that the form has written.
//!
//! Each function checks one property that readers rely on; its comment says which.

use super::FormError;
use maskwright_core::style::{ENTITIES, Form, Kind};

/// No text of a form has more bytes.
const MAX_TEXT: usize = 256;
/// No form forbids more characters.
const MAX_CHARACTERS: usize = 64;

type Checked = Result<(), FormError>;

fn wrong(field: &'static str, why: impl Into<String>) -> Checked {
    let why = why.into();
    Err(FormError { field, why })
}

/// Refuses a form whose texts could be read back otherwise than they were meant.
pub(super) fn check(form: &Form<'_>) -> Checked {
    sizes(form)?;
    keys(form)?;
    words(form)?;
    end(form)?;
    match (form.item, form.closing) {
        (None, _) => Ok(()),
        (Some(item), None) => items_by_ends(form, item),
        (Some(item), Some(closing)) => items_by_marks(form, item, closing),
    }
}

fn sizes(form: &Form<'_>) -> Checked {
    let (before, behind) = form.closing.unwrap_or_default();
    let texts = [
        ("open", form.open),
        ("key_end", form.key_end),
        ("end", form.end),
        ("kind_end", form.kind_end),
        ("integer", form.integer.unwrap_or_default()),
        ("item", form.item.unwrap_or_default()),
        ("closing", before),
        ("closing", behind),
    ];
    let kinds = form.kinds.map(|word| ("kinds", word));
    for (field, text) in texts.into_iter().chain(kinds) {
        if text.len() > MAX_TEXT {
            return wrong(field, format!("has more than {MAX_TEXT} bytes"));
        }
    }
    let characters = [("forbidden", form.forbidden), ("escapes", form.escapes)];
    for (field, characters) in characters {
        if characters.len() > MAX_CHARACTERS {
            return wrong(field, format!("has more than {MAX_CHARACTERS} characters"));
        }
    }
    let begins = [
        ("open", Some(form.open)),
        ("item", form.item),
        ("end", Some(form.end)),
        ("key_end", Some(form.key_end)),
    ];
    for (field, text) in begins {
        match text.map(|text| text.chars().next()) {
            Some(None) => return wrong(field, "is empty"),
            // Blanks before tags are passed over.
            Some(Some(first)) if first.is_whitespace() && field != "key_end" => {
                return wrong(field, "begins with a blank");
            }
            _ => {}
        }
    }
    Ok(())
}

/// A key ends at the first [`Form::key_end`], and is what its characters and entities say.
fn keys(form: &Form<'_>) -> Checked {
    let is_entity = |c: &char| ENTITIES.iter().any(|entity| entity.0 == *c);
    if let Some(c) = form.escapes.iter().find(|c| !is_entity(c)) {
        return wrong(
            "escapes",
            format!("names {c:?}, for which XML has no entity"),
        );
    }
    if !form.escapes.is_empty() && !form.escapes.contains(&'&') {
        return wrong("escapes", "does not name `&`, with which entities begin");
    }
    let in_entities = |c: char| {
        let mut used = ENTITIES
            .iter()
            .filter(|entity| form.escapes.contains(&entity.0));
        used.any(|entity| entity.1.contains(c))
    };
    let first = form.key_end.chars().next().unwrap_or_default();
    if !form.forbidden.contains(&first) && !form.escapes.contains(&first) {
        return wrong(
            "forbidden",
            format!("does not have {first:?}, with which `key_end` begins"),
        );
    }
    if in_entities(first) {
        return wrong(
            "key_end",
            format!("begins with {first:?}, which stands in entities"),
        );
    }
    match form.not_first {
        Some(first) if in_entities(first) => wrong(
            "not_first",
            format!("is {first:?}, which stands in entities"),
        ),
        _ => Ok(()),
    }
}

/// The word at the beginning of a text is known without what follows.
fn words(form: &Form<'_>) -> Checked {
    let mut words: Vec<&str> = form.kinds.to_vec();
    words.sort_unstable();
    words.dedup();
    if form.integer.is_some_and(|integer| words.contains(&integer)) {
        return wrong("integer", "is a word of `kinds` too");
    }
    for (field, word) in (words.iter().map(|&word| ("kinds", word)))
        .chain(form.integer.map(|word| ("integer", word)))
    {
        let others = words.iter().copied().chain(form.integer);
        let longer = others
            .into_iter()
            .find(|other| *other != word && other.starts_with(word));
        if let Some(longer) = longer {
            return wrong(field, format!("has `{word}`, with which `{longer}` begins"));
        }
        let next = word.chars().chain(form.kind_end.chars()).next();
        if form.gap && next.is_none_or(char::is_whitespace) {
            return wrong("gap", "is followed by nothing that ends blanks");
        }
    }
    Ok(())
}

/// The first [`Form::end`] behind a text that does not contain it is the one that was written
/// there, and no JSON text contains one.
fn end(form: &Form<'_>) -> Checked {
    let end = form.end;
    let mut lengths = (1..end.len()).filter(|&length| end.is_char_boundary(length));
    if let Some(border) = lengths.find(|&length| end.ends_with(&end[..length])) {
        let border = &end[..border];
        return wrong("end", format!("begins with `{border}`, and ends with it"));
    }
    let first = end.chars().next().unwrap_or_default();
    let scalar = first.is_ascii_alphanumeric() || "+-.".contains(first);
    if scalar {
        return wrong(
            "end",
            format!("begins with {first:?}, which stands in numbers and words of JSON"),
        );
    }
    // Where arrays and objects are elements, no other JSON stands in one.
    if form.item.is_none() && "{}[],:\"\\".contains(first) {
        return wrong(
            "end",
            format!("begins with {first:?}, which stands in JSON"),
        );
    }
    if form.item.is_none() && end.contains('"') {
        return wrong(
            "end",
            "has a quote, so that a string of JSON could end within it",
        );
    }
    Ok(())
}

/// Within a value of elements, the beginning of the next part shows whether it is an end, an
/// element or an item.
fn items_by_ends(form: &Form<'_>, item: &str) -> Checked {
    let of = |kind| form.kind(kind);
    let scalars = [Kind::Null, Kind::Boolean, Kind::Number, Kind::String];
    if let Some(kind) = scalars
        .into_iter()
        .find(|&kind| of(kind) == of(Kind::Array) || of(kind) == of(Kind::Object))
    {
        let word = of(kind);
        return wrong(
            "kinds",
            format!("has `{word}` for arrays or objects, and for other values"),
        );
    }
    let begin_alike = |one: &str, other: &str| one.starts_with(other) || other.starts_with(one);
    for (field, one, other) in [
        ("item", item, form.open),
        ("end", form.end, form.open),
        ("end", form.end, item),
    ] {
        if begin_alike(one, other) {
            return wrong(
                field,
                format!("and another tag begin alike: `{one}`, `{other}`"),
            );
        }
    }
    Ok(())
}

/// Every tag begins with the mark, which stands nowhere else. The characters behind the mark
/// distinguish an element's closing tag from other tags.
fn items_by_marks(form: &Form<'_>, item: &str, (before, behind): (&str, &str)) -> Checked {
    let Some(open) = form.open.strip_prefix(form.end) else {
        return wrong(
            "open",
            "does not begin with `end`, as it must where arrays are elements with closing tags",
        );
    };
    if item != format!("{}{}{}", form.open, Form::ITEM, form.key_end) {
        return wrong(
            "item",
            format!("is not the tag of the key `{}`", Form::ITEM),
        );
    }
    let first = form.end.chars().next().unwrap_or_default();
    if !form.forbidden.contains(&first) {
        return wrong(
            "forbidden",
            format!("does not have {first:?}, with which `end` begins"),
        );
    }
    let mut others = form.kinds.to_vec();
    others.extend([open, form.key_end, form.kind_end, before, behind]);
    others.extend(form.integer);
    if others.iter().any(|text| text.contains(first)) {
        return wrong(
            "end",
            format!("begins with {first:?}, which stands in a tag too"),
        );
    }
    let is_told = match before.strip_prefix(open) {
        // The first character of a key tells.
        Some(rest) => rest
            .chars()
            .next()
            .is_some_and(|c| form.not_first == Some(c)),
        None => !open.starts_with(before),
    };
    match is_told {
        true => Ok(()),
        false => wrong(
            "closing",
            "and `open` begin alike behind the mark: let `not_first` be what follows in `closing`",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FormFields, OwnedForm};
    use super::*;
    use maskwright_core::style::Style;

    #[test]
    fn built_in_forms_keep_the_rules() {
        let forms = Style::ALL.into_iter().filter_map(|s| Some((s, s.form()?)));
        for (style, form) in forms {
            assert_eq!(check(form), Ok(()), "{style}");
            let owned = OwnedForm::new(style.name(), FormFields::from(form)).expect("it is one");
            assert_eq!(owned.form(), *form, "{style}");
        }
    }

    fn refused(change: impl Fn(&mut FormFields)) -> String {
        let mut fields = FormFields {
            open: "<p n=\"".to_owned(),
            key_end: "\">".to_owned(),
            end: "</p>".to_owned(),
            ..FormFields::default()
        };
        change(&mut fields);
        OwnedForm::new("mine", fields).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn what_is_no_form_is_refused() {
        assert_eq!(refused(|_| {}), "");
        let word = |text: &str| text.to_owned();
        let cohere = |f: &mut FormFields| {
            *f = FormFields::from(Style::CohereXml.form().expect("it has elements"));
        };
        let m3 = |f: &mut FormFields| {
            *f = FormFields::from(Style::MinimaxM3Xml.form().expect("it has elements"));
        };
        type Change<'c> = &'c dyn Fn(&mut FormFields);
        let cases: [(Change<'_>, &str); 24] = [
            (&|f| f.open = word(""), "`open` is empty"),
            (&|f| f.end = word(""), "`end` is empty"),
            (&|f| f.key_end = word(""), "`key_end` is empty"),
            (&|f| f.open = word("\n<p>"), "`open` begins with a blank"),
            (
                &|f| f.open = "x".repeat(300),
                "`open` has more than 256 bytes",
            ),
            (
                &|f| f.forbidden = vec!['x'; 65],
                "`forbidden` has more than 64",
            ),
            (&|f| f.escapes = vec!['&', '%'], "`escapes` names '%'"),
            (&|f| f.escapes = vec!['"'], "`escapes` does not name `&`"),
            (
                &|f| (f.escapes, f.key_end) = (vec!['&'], word(";")),
                "`key_end` begins with ';'",
            ),
            (
                &|f| (f.escapes, f.not_first) = (vec!['&'], Some('&')),
                "`not_first` is '&'",
            ),
            (
                &|f| f.kinds[3] = word("string"),
                "`kinds` has ``, with which `string` begins",
            ),
            (&|f| f.integer = Some(word("")), "`integer` is a word of"),
            (&|f| f.integer = Some(word("int")), "`kinds` has ``"),
            (&|f| f.gap = true, "`gap` is followed by nothing"),
            (
                &|f| f.end = word("</p><"),
                "`end` begins with `<`, and ends with it",
            ),
            (&|f| f.end = word("]</p>"), "`end` begins with ']'"),
            (&|f| f.end = word("end"), "`end` begins with 'e'"),
            (&|f| f.end = word("</p\">"), "`end` has a quote"),
            (
                &|f| {
                    cohere(f);
                    f.kinds[4] = word("raw");
                },
                "`kinds` has `raw` for arrays",
            ),
            (
                &|f| {
                    cohere(f);
                    f.item = Some(word("<cofl:value"));
                },
                "`item` and another tag begin alike",
            ),
            (
                &|f| {
                    m3(f);
                    f.not_first = None;
                },
                "`closing` and `open` begin alike",
            ),
            (
                &|f| {
                    m3(f);
                    f.forbidden = vec!['>'];
                },
                "`forbidden` does not have ']'",
            ),
            (
                &|f| {
                    m3(f);
                    f.item = Some(word("]<]minimax[>[<i>"));
                },
                "`item` is not the tag of the key `item`",
            ),
            (
                &|f| {
                    m3(f);
                    f.open = word("<");
                },
                "`open` does not begin with `end`",
            ),
        ];
        for (change, expected) in cases {
            let found = refused(change);
            assert!(found.starts_with(expected), "{found:?}: {expected}");
        }
    }
}
