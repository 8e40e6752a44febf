//! URIs and pointers.

use super::check;

#[test]
fn resources() {
    let uris = [
        "http://foo.bar/?baz=qux#quux",
        "http://foo.com/blah_(wikipedia)_blah#cite-1",
        "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com",
        "http://223.255.255.254",
        "ftp://ftp.is.co.za/rfc/rfc1808.txt",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        "mailto:John.Doe@example.com",
        "news:comp.infosystems.www.servers.unix",
        "tel:+1-816-555-1212",
        "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
        "file:///etc/hosts",
        "a:",
        "a:/",
        "a:b:c",
        "a:?",
        "a:#",
        "a://h:/",
        "http://[v1.a:]/",
        "http://h?a/b?c#d/e?f",
    ];
    let others = [
        "bar,baz:foo",
        ":// should fail",
        "http:// shouldfail.com",
        "1a:b",
        "http://[::1",
        "http://[1.2.3.4]",
        "http://a b",
        "http://h/%4",
        "http://h/%zz",
        "http://h#a#b",
        "http://h/<>",
        "http://h/\\",
        "http://h/^`{|}",
        "http://h/\"",
        "http://u@v@h",
        "http://h:80a",
        "a:/[",
        "a://[::1]a",
    ];
    let relative = [
        "",
        "abc",
        "/abc",
        "//foo.bar/?baz=qux#quux",
        "./a:b",
        "a/b:c",
        "?q",
        "#f",
        "a@b",
        "//",
        "../g;x=1/./y",
    ];
    check("uri", &uris, &others);
    check("uri", &[], &relative);
    check("uri-reference", &uris, &others);
    check(
        "uri-reference",
        &relative,
        &["1:b", "\\\\WINDOWS\\fileshare", "#frag\\ment", "é"],
    );
    let iris = [
        "http://ƒøø.ßår/?∂éœ=πîx#πîüx",
        "http://ƒøø.com/blah_(wîkïpédiå)_blah#ßité-1",
        "http://h/?\u{e000}",
        "é:",
    ];
    check(
        "iri",
        &iris[..3],
        &[
            iris[3],
            "http://h/\u{e000}",
            "http://h/\u{fdd0}",
            "http://h/\u{1ffff}",
            "/âππ",
        ],
    );
    check("iri", &uris, &others);
    check(
        "iri-reference",
        &["/âππ", "âππ", "#ƒrägmênt", "//ƒøø.ßår/?∂éœ=πîx#πîüx"],
        &["\\\\WINDOWS\\filëßåré", "#ƒräg\\mênt"],
    );
    check(
        "uri-template",
        &[
            "",
            "http://example.com/dictionary/{term:1}/{term}",
            "{+path}{#x,y}{.a}{/b*}{;c:9999}{?d,e}{&f}",
            "é{a.b_c}",
            "{%41}",
            "{=a}",
            "\u{e000}",
            "%20[]@",
            "f(on='{day}')",
        ],
        &[
            "http://example.com/{term",
            "}",
            "{}",
            "{a,}",
            "{,a,}",
            "{a b}",
            "{a:0}",
            "{a:10000}",
            "{a*:1}",
            "{.}",
            "{a..b}",
            "{a.}",
            "{-a}",
            "a b",
            "\"",
            "%2",
            "<",
            "\\",
            "{é}",
        ],
    );
    let pointers = [
        "", "/", "//", "/foo/0", "/a~1b", "/m~0n", "/c%d", "/ ", "/\"\\", "/~01", "/é\n",
    ];
    check(
        "json-pointer",
        &pointers,
        &["foo", "~", "/~", "/~2", "/foo~", "#", "#/", "0"],
    );
    check(
        "relative-json-pointer",
        &[
            "0",
            "1/0",
            "120#",
            "0/",
            "0#",
            "0+1",
            "2-3/foo/~0",
            "0-1#",
            "0+0",
            "1-0/a",
        ],
        &[
            "", "/foo", "01", "-1/a", "+1", "0##", "0+00", "0+01", "1#/", "0/~", "0+",
        ],
    );
}
