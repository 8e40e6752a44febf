//! Dates and times: RFC 3339.

/// Section 5.6: `full-date`, with the days that each month has (section 5.7) and leap years
/// (appendix C).
pub(super) const DATE: &str = concat!(
    r"\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])",
    r"|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))",
    r"|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29",
);

/// Section 5.6: `full-time`.
///
/// A leap second ends a day of UTC (section 5.7), so the time and the offset must agree. For
/// offsets of whole hours, as in the examples of section 5.8, that takes 250 states, for all
/// 11,000.
pub(super) fn time() -> String {
    let fraction = r"(?:\.\d+)?";
    let offset = r"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)";
    let mut forms = vec![
        format!(r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d{fraction}{offset}"),
        format!("23:59:60{fraction}[Zz]"),
    ];
    for hours in 0..24 {
        let (east, west) = ((23 + hours) % 24, 23 - hours);
        forms.push(format!(r"{east:02}:59:60{fraction}\+{hours:02}:00"));
        forms.push(format!("{west:02}:59:60{fraction}-{hours:02}:00"));
    }
    forms.join("|")
}

/// Draft 3, section 5.23: "a time in the format of hh:mm:ss".
pub(super) const TIME_OF_DRAFT_3: &str = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d";

/// Section 5.6: `date-time`.
pub(super) fn date_time() -> String {
    format!("(?:{DATE})[Tt](?:{})", time())
}

/// Appendix A: `duration`.
pub(super) fn duration() -> String {
    let time = r"(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))";
    let date = r"(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)";
    format!(r"P(?:{date}{time}?|{time}|\d+W)")
}
