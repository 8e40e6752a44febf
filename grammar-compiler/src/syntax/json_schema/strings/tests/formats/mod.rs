//! Formats by their RFCs.

mod address;
mod resource;
mod time;

use crate::syntax::json_schema::strings::{format, is_standard_format};

fn check(name: &str, members: &[&str], others: &[&str]) {
    let language = format(name).unwrap();
    assert!(is_standard_format(name));
    for text in members {
        assert!(language.contains(text), "{name}: {text:?}");
    }
    for text in others {
        assert!(!language.contains(text), "{name}: {text:?}");
    }
}

#[test]
fn names() {
    for name in ["regex", "idn-email", "idn-hostname"] {
        assert!(is_standard_format(name) && format(name).is_none());
    }
    for name in [
        "",
        "int32",
        "url",
        "path",
        "color",
        "utc-millisec",
        "Date",
        "byte",
    ] {
        assert!(!is_standard_format(name) && format(name).is_none());
    }
    assert_eq!(format("host-name"), format("hostname"));
    assert_eq!(format("ip-address"), format("ipv4"));
}
