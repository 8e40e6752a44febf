//! The drafts of JSON Schema.

use std::fmt;

/// A draft of JSON Schema, older ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Draft {
    /// Draft 3 (2010).
    Draft3,
    /// Draft 4 (2013); draft 5 says the same.
    Draft4,
    /// Draft 6 (2017).
    Draft6,
    /// Draft 7 (2018).
    Draft7,
    /// Draft 2019-09.
    Draft2019,
    /// Draft 2020-12, by which a schema is read that does not say.
    Draft2020,
}

impl Draft {
    /// All drafts, older ones first.
    pub const ALL: [Draft; 6] = [
        Draft::Draft3,
        Draft::Draft4,
        Draft::Draft6,
        Draft::Draft7,
        Draft::Draft2019,
        Draft::Draft2020,
    ];

    /// The draft that a `$schema` or a name such as `7`, `draft-07`, `2020-12` means.
    pub fn parse(text: &str) -> Option<Draft> {
        let text = text.trim().trim_end_matches('#').trim_end_matches('/');
        let text = text.strip_prefix("http://").unwrap_or(text);
        let text = text.strip_prefix("https://").unwrap_or(text);
        let name = match text.strip_prefix("json-schema.org/") {
            Some(path) => path
                .strip_suffix("/schema")
                .or((path == "schema").then_some("latest"))?,
            None => text,
        };
        let name = name.strip_prefix("draft").unwrap_or(name);
        match name.trim_start_matches(['-', '/', '0']) {
            "3" => Some(Draft::Draft3),
            "4" | "5" => Some(Draft::Draft4),
            "6" => Some(Draft::Draft6),
            "7" => Some(Draft::Draft7),
            "2019-09" => Some(Draft::Draft2019),
            "2020-12" | "latest" => Some(Draft::Draft2020),
            _ => None,
        }
    }

    /// The `$schema` that names the draft.
    pub fn uri(self) -> &'static str {
        match self {
            Draft::Draft3 => "http://json-schema.org/draft-03/schema#",
            Draft::Draft4 => "http://json-schema.org/draft-04/schema#",
            Draft::Draft6 => "http://json-schema.org/draft-06/schema#",
            Draft::Draft7 => "http://json-schema.org/draft-07/schema#",
            Draft::Draft2019 => "https://json-schema.org/draft/2019-09/schema",
            Draft::Draft2020 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The keyword that gives a schema its URI.
    pub(super) fn id_keyword(self) -> &'static str {
        if self <= Draft::Draft4 { "id" } else { "$id" }
    }

    /// Whether `$ref` makes its neighbours mean nothing.
    pub(super) fn reference_hides(self) -> bool {
        self <= Draft::Draft7
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Draft::Draft3 => "draft 3",
            Draft::Draft4 => "draft 4",
            Draft::Draft6 => "draft 6",
            Draft::Draft7 => "draft 7",
            Draft::Draft2019 => "draft 2019-09",
            Draft::Draft2020 => "draft 2020-12",
        })
    }
}

/// The draft by which a schema is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The draft.
    pub draft: Draft,
    /// Whether the schema says so. If not, older spellings are understood too.
    pub declared: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_uris() {
        for draft in Draft::ALL {
            assert_eq!(Draft::parse(draft.uri()), Some(draft));
            assert_eq!(
                Draft::parse(&draft.to_string().replace(' ', "-")),
                Some(draft)
            );
        }
        for (text, draft) in [
            (
                "http://json-schema.org/draft-04/schema",
                Some(Draft::Draft4),
            ),
            (
                "https://json-schema.org/draft-07/schema#",
                Some(Draft::Draft7),
            ),
            (
                "http://json-schema.org/draft/2020-12/schema#",
                Some(Draft::Draft2020),
            ),
            ("http://json-schema.org/schema#", Some(Draft::Draft2020)),
            ("draft4", Some(Draft::Draft4)),
            ("6", Some(Draft::Draft6)),
            ("2019-09", Some(Draft::Draft2019)),
            ("http://example.com/draft-07/schema#", None),
            ("http://json-schema.org/draft-07/hyper-schema#", None),
            ("", None),
        ] {
            assert_eq!(Draft::parse(text), draft, "{text}");
        }
    }
}
