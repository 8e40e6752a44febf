//! The formats of JSON Schema.
//!
//! In: the name of a format. Out: the strings that have it, as its RFC says, or nothing.
//!
//! Formats are written as ECMA-262 patterns, one constant or function for a rule of the RFC's
//! grammar, and compiled when they are first asked for. Where an RFC also asks for something that
//! takes an automaton of unreasonable size, or that no automaton can check, the set differs:
//!
//! | format | what differs |
//! |---|---|
//! | draft 3's `time` | `hh:mm:ss`, without an offset, so that no leap second can be told |
//! | `time`, `date-time` | second 60 is for 23:59 UTC only, as it should, but by offsets of whole hours; which days had one is not known |
//! | `duration` | letters are upper case, as in ISO 8601; ABNF does not tell |
//! | `hostname` | no A-labels (`xn--…`): IDNA says which are valid; the whole may pass 253 characters |
//! | `email` | the grammar only: lengths (RFC 5321, section 4.5.3.1) may pass their limits |
//! | `uri`, `iri`, `…-reference` | all; beside a bound on the length that would take too many states ([`with_early_address`]) a host in brackets begins early |
//! | `regex`, `idn-hostname`, `idn-email` | not known: patterns nest, and IDNA needs tables of normal forms and Punycode |

mod address;
mod resource;
mod time;

use std::sync::OnceLock;

use super::{Language, pattern};
use crate::limits::Deadline;

/// A format with a grammar.
struct StringFormat {
    /// Its names.
    names: &'static [&'static str],
    /// Its pattern.
    source: fn() -> String,
    /// The strings that the pattern describes: many schemas of a build have the same few formats,
    /// and some take milliseconds.
    strings: OnceLock<Option<Language>>,
}

impl StringFormat {
    const fn new(names: &'static [&'static str], source: fn() -> String) -> Self {
        StringFormat {
            names,
            source,
            strings: OnceLock::new(),
        }
    }

    fn strings(&self) -> Option<&Language> {
        let compiled = || pattern(&format!("^(?:{})$", (self.source)()), &Deadline::never()).ok();
        self.strings.get_or_init(compiled).as_ref()
    }
}

/// All of them: constants that are worked out when they are first asked for.
static FORMATS: [StringFormat; 16] = [
    StringFormat::new(&["date"], || time::DATE.into()),
    StringFormat::new(&["time"], time::time),
    StringFormat::new(&["date-time"], time::date_time),
    StringFormat::new(&["duration"], time::duration),
    StringFormat::new(&["ipv4", "ip-address"], address::ipv4),
    StringFormat::new(&["ipv6"], address::ipv6),
    StringFormat::new(&["hostname", "host-name"], address::hostname),
    StringFormat::new(&["email"], address::email),
    StringFormat::new(&["uri"], || resource::uri(&resource::ASCII)),
    StringFormat::new(&["uri-reference"], || {
        resource::uri_reference(&resource::ASCII)
    }),
    StringFormat::new(&["iri"], || resource::uri(&resource::UNICODE)),
    StringFormat::new(&["iri-reference"], || {
        resource::uri_reference(&resource::UNICODE)
    }),
    StringFormat::new(&["uri-template"], resource::uri_template),
    StringFormat::new(&["json-pointer"], || resource::JSON_POINTER.into()),
    StringFormat::new(&["relative-json-pointer"], resource::relative_json_pointer),
    StringFormat::new(&["uuid"], || UUID.into()),
];

/// What draft 3 says otherwise than its successors.
static DRAFT_3: [StringFormat; 1] = [StringFormat::new(&["time"], || {
    time::TIME_OF_DRAFT_3.into()
})];

/// The strings of a format; `None` for one that is not known here.
///
/// The first time a format is asked for it takes up to some milliseconds.
pub fn format(name: &str) -> Option<Language> {
    let format = FORMATS.iter().find(|format| format.names.contains(&name))?;
    format.strings().cloned()
}

/// As [`format()`], by draft 3.
pub fn format_of_draft_3(name: &str) -> Option<Language> {
    let own = DRAFT_3.iter().find(|format| format.names.contains(&name));
    own.map_or_else(|| format(name), |own| own.strings().cloned())
}

/// Those strings of the formats of resources whose host in brackets, if they have one, has no more
/// than 128 characters before it; nothing for other sets. An address takes far more states than all
/// the rest, and a bound on the length takes them once for each character that may stand before it.
pub fn with_early_address(strings: &Language, deadline: &Deadline) -> Option<Language> {
    const EARLY: &str = r"^[^\[]{0,128}(?:\[[^\[]*)?$|^[^\[]*$";
    let resources = ["uri", "uri-reference", "iri", "iri-reference"];
    if !(resources.iter()).any(|name| format(name).as_ref() == Some(strings)) {
        return None;
    }
    let early = pattern(EARLY, deadline).ok()?;
    strings.intersect(&early, deadline).ok()
}

/// RFC 4122, section 3: `UUID`.
const UUID: &str = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}";

/// Whether some draft of JSON Schema says what strings have the format. Others are annotations.
///
/// Draft 3's `utc-millisec` is about numbers, and its `color`, `style` and `phone` have no grammar:
/// reading such a schema warns.
pub fn is_standard_format(name: &str) -> bool {
    STANDARD_FORMATS.contains(&name)
}

/// The names of [`is_standard_format`].
pub const STANDARD_FORMATS: &[&str] = &[
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
