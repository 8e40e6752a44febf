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
/// at most 63 characters (RFC 1034, section 3.1). Of the labels with `--` in the third and fourth
/// place, which RFC 5890, section 2.3.1 keeps from programs that know IDNA, only those that begin
/// like an A-label are left out: the others are names of machines today.
pub(super) fn hostname() -> String {
    let label = r"(?![Xx][Nn]--)[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?";
    format!(r"{label}(?:\.{label})*")
}

/// RFC 5321, section 4.1.2: `Mailbox`. The address literals are those that IANA lists.
pub(super) fn email() -> String {
    let atom = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+";
    let quoted = r#""(?:[ !#-[\]-~]|\\[ -~])*""#;
    let label = "[0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?";
    let literal = address_literal();
    format!(r"(?:{atom}(?:\.{atom})*|{quoted})@(?:{label}(?:\.{label})*|{literal})")
}

/// RFC 5321, section 4.1.3: `address-literal`. Other than in RFC 3986, a part of an IPv4 address
/// may begin with zeros, and `::` stands for two groups or more.
fn address_literal() -> String {
    let part = r"(?:25[0-5]|2[0-4]\d|[01]?\d?\d)";
    let ipv4 = format!(r"{part}(?:\.{part}){{3}}");
    let group = "[0-9A-Fa-f]{1,4}";
    let mut forms = vec![
        ipv4.clone(),
        format!("[Ii][Pp][Vv]6:(?:{group}:){{7}}{group}"),
        format!("[Ii][Pp][Vv]6:(?:{group}:){{6}}{ipv4}"),
    ];
    // Groups before `::`, and at most as many behind it that six are left, or four with an IPv4
    // address.
    for before in 0..=6 {
        let first = match before {
            0 => String::new(),
            _ => format!("(?:{group}:){{{}}}{group}", before - 1),
        };
        let behind = match 6 - before {
            0 => String::new(),
            most => format!("(?:(?:{group}:){{0,{}}}{group})?", most - 1),
        };
        forms.push(format!("[Ii][Pp][Vv]6:{first}::{behind}"));
        if before <= 4 {
            let behind = format!("(?:{group}:){{0,{}}}{ipv4}", 4 - before);
            forms.push(format!("[Ii][Pp][Vv]6:{first}::{behind}"));
        }
    }
    format!(r"\[(?:{})\]", forms.join("|"))
}
