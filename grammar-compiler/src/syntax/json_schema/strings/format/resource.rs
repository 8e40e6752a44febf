//! Names of resources: URIs, their templates, JSON pointers.

use super::address::ipv6;

/// The characters that URIs are written in.
pub(super) struct Repertoire {
    /// Inside of a class: what is neither reserved nor written in percents.
    unreserved: &'static str,
    /// Inside of a class: what a query may have beyond that.
    private: &'static str,
}

/// RFC 3986, section 2.3: `unreserved`.
pub(super) const ASCII: Repertoire = Repertoire {
    unreserved: r"0-9A-Za-z\-._~",
    private: "",
};

/// RFC 3987, section 2.2: `iunreserved`, `iprivate`.
pub(super) const UNICODE: Repertoire = Repertoire {
    unreserved: concat!(
        r"0-9A-Za-z\-._~\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\u{10000}-\u{1fffd}",
        r"\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}\u{40000}-\u{4fffd}\u{50000}-\u{5fffd}",
        r"\u{60000}-\u{6fffd}\u{70000}-\u{7fffd}\u{80000}-\u{8fffd}\u{90000}-\u{9fffd}",
        r"\u{a0000}-\u{afffd}\u{b0000}-\u{bfffd}\u{c0000}-\u{cfffd}\u{d0000}-\u{dfffd}",
        r"\u{e1000}-\u{efffd}",
    ),
    private: r"\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}",
};

/// RFC 3986, section 2.1: `pct-encoded`.
const PERCENT: &str = "%[0-9A-Fa-f]{2}";

/// RFC 3986, section 2.2: `sub-delims`, inside of a class.
const DELIMITERS: &str = "!$&'()*+,;=";

impl Repertoire {
    /// One of `pchar` without `:` and `@`, or one of `more`.
    fn one_of(&self, more: &str) -> String {
        format!("(?:[{}{DELIMITERS}{more}]|{PERCENT})", self.unreserved)
    }

    /// Section 3.2: `authority`.
    fn authority(&self) -> String {
        let (user, name) = (self.one_of(":"), self.one_of(""));
        let future = format!(r"[Vv][0-9A-Fa-f]+\.[{}{DELIMITERS}:]+", ASCII.unreserved);
        // `IPv4address` is among the names.
        let host = format!(r"(?:\[(?:{}|{future})\]|{name}*)", ipv6());
        format!(r"(?:{user}*@)?{host}(?::\d*)?")
    }

    /// Sections 3.3 and 4.2: `hier-part`, or `relative-part`, whose first segment has no colon if
    /// nothing stands before it.
    fn path(&self, first: &str) -> String {
        let (any, first) = (self.one_of(":@"), self.one_of(first));
        let (rest, authority) = (format!("(?:/{any}*)*"), self.authority());
        format!("(?://{authority}{rest}|/(?:{any}+{rest})?|{first}+{rest}|)")
    }

    /// Sections 3.4 and 3.5: a query and a fragment, if any.
    fn tail(&self) -> String {
        let fragment = self.one_of(":@/?");
        let query = self.one_of(&format!(":@/?{}", self.private));
        format!(r"(?:\?{query}*)?(?:#{fragment}*)?")
    }
}

/// RFC 3986, section 3: `URI`; RFC 3987, section 2.2: `IRI`.
pub(super) fn uri(repertoire: &Repertoire) -> String {
    let (path, tail) = (repertoire.path(":@"), repertoire.tail());
    format!(r"[A-Za-z][0-9A-Za-z+.\-]*:{path}{tail}")
}

/// RFC 3986, section 4.1: `URI-reference`; RFC 3987, section 2.2: `IRI-reference`.
pub(super) fn uri_reference(repertoire: &Repertoire) -> String {
    let (path, tail) = (repertoire.path("@"), repertoire.tail());
    format!("{}|{path}{tail}", uri(repertoire))
}

/// RFC 6570, section 2: `URI-Template`.
pub(super) fn uri_template() -> String {
    let Repertoire {
        unreserved,
        private,
    } = UNICODE;
    // Section 2.1: `literals` are what URIs have; `'` among them by erratum 6937.
    let literal = format!("(?:[{unreserved}{private}{DELIMITERS}#/:?@[\\]]|{PERCENT})");
    let character = format!("(?:[0-9A-Za-z_]|{PERCENT})");
    let name = format!(r"{character}(?:\.?{character})*");
    let variable = format!(r"{name}(?:\*|:[1-9]\d{{0,3}})?");
    format!(r"(?:{literal}|\{{[+#./;?&=,!@|]?{variable}(?:,{variable})*\}})*")
}

/// RFC 6901, section 3: `json-pointer`.
pub(super) const JSON_POINTER: &str = "(?:/(?:[^/~]|~[01])*)*";

/// draft-bhutton-relative-json-pointer-00, section 3: `relative-json-pointer`.
pub(super) fn relative_json_pointer() -> String {
    format!(r"(?:0|[1-9]\d*)(?:[+-](?:0|[1-9]\d*))?(?:#|{JSON_POINTER})")
}
