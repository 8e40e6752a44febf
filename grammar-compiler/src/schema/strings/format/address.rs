//! Addresses: of machines, and of people.

/// RFC 3986, section 3.2.2: `IPv4address`, which is what RFC 2673, section 3.2 means.
pub(super) fn ipv4() -> String {
    let octet = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)";
    format!(r"{octet}(?:\.{octet}){{3}}")
}

/// RFC 3986, section 3.2.2: `IPv6address`, the forms of RFC 4291, section 2.2.
pub(super) fn ipv6() -> String {
    let group = "[0-9A-Fa-f]{1,4}";
    let last = format!("(?:{group}:{group}|{})", ipv4());
    // Before and after `::`, which stands for one group or more.
    let before = |most: u32| match most {
        0 => String::new(),
        most => format!("(?:(?:{group}:){{0,{}}}{group})?", most - 1),
    };
    let mut forms = vec![format!("(?:{group}:){{6}}{last}")];
    for after in 0..=5 {
        forms.push(format!(
            "{}::(?:{group}:){{{after}}}{last}",
            before(5 - after)
        ));
    }
    forms.push(format!("{}::{group}", before(6)));
    forms.push(format!("{}::", before(7)));
    forms.join("|")
}

/// RFC 1123, section 2.1, on the names of RFC 952: labels of letters, digits and inner hyphens, of
/// at most 63 characters (RFC 1034, section 3.1). RFC 5890, section 2.3.1 keeps labels with `--` in
/// the third and fourth place for A-labels.
pub(super) fn hostname() -> String {
    let label = r"(?!..--)[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?";
    format!(r"{label}(?:\.{label})*")
}

/// RFC 5321, section 4.1.2: `Mailbox`. The address literals are those that IANA lists.
pub(super) fn email() -> String {
    let atom = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+";
    let quoted = r#""(?:[ !#-[\]-~]|\\[ -~])*""#;
    let label = "[0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?";
    let literal = format!(r"\[(?:{}|[Ii][Pp][Vv]6:(?:{}))\]", ipv4(), ipv6());
    format!(r"(?:{atom}(?:\.{atom})*|{quoted})@(?:{label}(?:\.{label})*|{literal})")
}
