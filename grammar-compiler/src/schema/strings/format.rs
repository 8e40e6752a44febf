//! The formats of JSON Schema.
//!
//! In: the name of a format. Out: the strings that have it, as its RFC says, or nothing.

use super::{Language, pattern};

/// The strings of a format; `None` for one that is not known here.
pub fn format(name: &str) -> Option<Language> {
    let text = match name {
        "date" => DATE.to_string(),
        "time" => TIME.to_string(),
        "date-time" => format!("(?:{DATE})[Tt](?:{TIME})"),
        "duration" => DURATION.to_string(),
        "uuid" => UUID.to_string(),
        "ipv4" | "ip-address" => format!(r"(?:{OCTET})(?:\.(?:{OCTET})){{3}}"),
        _ => return None,
    };
    pattern(&format!("^(?:{text})$")).ok()
}

/// Whether JSON Schema, in any draft, defines the format; others are annotations.
pub fn is_standard_format(name: &str) -> bool {
    STANDARD.contains(&name)
}

const STANDARD: [&str; 6] = ["date", "time", "date-time", "duration", "uuid", "ipv4"];

/// RFC 3339, section 5.6: `full-date`, with the days that the month has.
const DATE: &str = concat!(
    "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29",
);

/// RFC 3339, section 5.6: `full-time`.
const TIME: &str = concat!(
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?",
    "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])",
);

/// RFC 3339, appendix A.
const DURATION: &str = concat!(
    "P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)",
    "(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?",
    "|T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))",
);

/// RFC 4122, section 3.
const UUID: &str = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}";

/// RFC 2673, section 3.2: `decbyte`.
const OCTET: &str = "25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]";
