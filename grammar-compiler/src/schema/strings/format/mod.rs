//! The formats of JSON Schema.
//!
//! In: the name of a format. Out: the strings that have it, as its RFC says, or nothing.
//!
//! Formats are written as ECMA-262 patterns, one constant or function for a rule of the RFC's
//! grammar, and compiled when they are first asked for. Where an RFC also asks for what takes an
//! automaton of no sane size, or none, the set is:
//!
//! | format | what differs |
//! |---|---|
//! | `time`, `date-time` | second 60 is for 23:59 UTC only, as it should, but by offsets of whole hours; which days had one is not known |
//! | `duration` | letters are upper case, as in ISO 8601; ABNF does not tell |
//! | `hostname` | no A-labels (`xn--…`): IDNA says which are valid; the whole may pass 253 characters |
//! | `email` | the grammar only: lengths (RFC 5321, section 4.5.3.1) may pass their limits |
//! | `regex`, `idn-hostname`, `idn-email` | not known: patterns nest, and IDNA needs tables of normal forms and Punycode |

mod address;
mod resource;
mod time;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{Language, pattern};

/// The strings of a format; `None` for one that is not known here.
///
/// The first time a format is asked for it takes up to some milliseconds; its strings are kept, as many schemas have the same few formats.
pub fn format(name: &str) -> Option<Language> {
    static KNOWN: Mutex<BTreeMap<String, Language>> = Mutex::new(BTreeMap::new());
    // Whatever happened elsewhere, what is there is whole.
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(language) = known().get(name) {
        return Some(language.clone());
    }
    let language = compiled(name)?;
    known().insert(name.to_owned(), language.clone());
    Some(language)
}

fn compiled(name: &str) -> Option<Language> {
    let source = match name {
        "date" => time::DATE.into(),
        "time" => time::time(),
        "date-time" => time::date_time(),
        "duration" => time::duration(),
        "ipv4" | "ip-address" => address::ipv4(),
        "ipv6" => address::ipv6(),
        "hostname" | "host-name" => address::hostname(),
        "email" => address::email(),
        "uri" => resource::uri(&resource::ASCII),
        "uri-reference" => resource::uri_reference(&resource::ASCII),
        "iri" => resource::uri(&resource::UNICODE),
        "iri-reference" => resource::uri_reference(&resource::UNICODE),
        "uri-template" => resource::uri_template(),
        "json-pointer" => resource::JSON_POINTER.into(),
        "relative-json-pointer" => resource::relative_json_pointer(),
        "uuid" => UUID.into(),
        _ => return None,
    };
    pattern(&format!("^(?:{source})$")).ok()
}

/// RFC 4122, section 3: `UUID`.
const UUID: &str = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}";

/// Whether some draft of JSON Schema says what strings have the format. Others are annotations.
///
/// Draft 3's `utc-millisec` is about numbers, and its `color`, `style` and `phone` have no grammar.
pub fn is_standard_format(name: &str) -> bool {
    STANDARD.contains(&name)
}

const STANDARD: [&str; 21] = [
    "date",
    "date-time",
    "duration",
    "email",
    "host-name",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ip-address",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];
