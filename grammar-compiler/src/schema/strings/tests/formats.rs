//! Formats by their RFCs.

use crate::schema::strings::{format, is_standard_format, pattern};

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
fn every_day() {
    let dates = format("date").unwrap();
    for year in [
        0, 4, 96, 100, 400, 1600, 1900, 1996, 2000, 2022, 2023, 2024, 2100, 9996, 9999,
    ] {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for month in 0..14 {
            let days = match month {
                4 | 6 | 9 | 11 => 30,
                2 => 28 + u32::from(leap),
                1..=12 => 31,
                _ => 0,
            };
            for day in 0..33 {
                let text = format!("{year:04}-{month:02}-{day:02}");
                assert_eq!(dates.contains(&text), (1..=days).contains(&day), "{text}");
            }
        }
    }
    let century = dates.intersect(&pattern("^20").unwrap()).unwrap();
    assert_eq!(century.words(40_000).map(|days| days.len()), Some(36_525));
    check(
        "date",
        &["1963-06-19"],
        &[
            "",
            "2023-1-1",
            "১৯৬৩-06-19",
            " 1963-06-19",
            "1963-06-19\n",
            "19630619",
            "+1963-06-19",
        ],
    );
}

#[test]
fn every_minute() {
    let times = format("time").unwrap();
    for minute in 0..25 * 60 {
        let (hour, minute) = (minute / 60, minute % 60);
        let clock = format!("{hour:02}:{minute:02}");
        assert_eq!(
            times.contains(&format!("{clock}:59.5Z")),
            hour < 24,
            "{clock}"
        );
        assert_eq!(
            times.contains(&format!("00:00:00-{clock}")),
            hour < 24,
            "{clock}"
        );
        assert_eq!(
            times.contains(&format!("{clock}:60z")),
            clock == "23:59",
            "{clock}"
        );
        // 23:59 in UTC, at an offset of whole hours.
        for offset in 0..24 {
            let east = hour < 24 && minute == 59 && (hour + 24 - offset) % 24 == 23;
            let west = hour < 24 && minute == 59 && (hour + offset) % 24 == 23;
            assert_eq!(
                times.contains(&format!("{clock}:60+{offset:02}:00")),
                east,
                "{clock}+{offset}"
            );
            assert_eq!(
                times.contains(&format!("{clock}:60.1-{offset:02}:00")),
                west,
                "{clock}-{offset}"
            );
        }
    }
    check(
        "time",
        &[
            "08:30:06Z",
            "08:30:06.283185z",
            "08:30:06+23:59",
            "08:30:06-00:00",
        ],
        &[
            "",
            "08:30Z",
            "08:30:06",
            "8:30:06Z",
            "08:30:61Z",
            "08:30:06.Z",
            "08:30:06+24:00",
            "08:30:06+00:60",
            "08:30:06+0000",
            "08:30:06Z+00:00",
            "08:30:06#00:20",
        ],
    );
    check(
        "date-time",
        &[
            "1985-04-12T23:20:50.52Z",
            "1996-12-19T16:39:57-08:00",
            "1990-12-31T23:59:60Z",
            "1990-12-31T15:59:60-08:00",
            "1937-01-01t12:00:27.87+00:20",
        ],
        &[
            "1985-04-12 23:20:50Z",
            "1985-04-12T23:20:50",
            "1985-04-31T23:20:50Z",
            "1985-04-12T24:00:00Z",
            "1985-04-12",
            "1990-12-31T15:59:60Z",
        ],
    );
}

#[test]
fn durations() {
    check(
        "duration",
        &[
            "P4DT12H30M5S",
            "P4Y",
            "PT0S",
            "P0D",
            "P1M",
            "PT1M",
            "PT36H",
            "P1DT12H",
            "P2W",
            "P1Y2M3DT4H5M6S",
            "P1YT1S",
        ],
        &[
            "", "P", "P1YT", "PT", "PT1D", "4DT12H", "P2D1Y", "P1D2H", "P2S", "P1Y2W", "P1",
            "P1Y3D", "PT1H3S", "P1.5D", "P২Y", "-P1D",
        ],
    );
}

#[test]
fn addresses() {
    check(
        "ipv4",
        &["0.0.0.0", "192.168.0.1", "255.255.255.255", "1.20.99.249"],
        &[
            "",
            "127.0.0",
            "127.0.0.0.1",
            "256.1.1.1",
            "1.1.1.01",
            "0x7f.0.0.1",
            "1.2.3.4/24",
            "1.2.3.4 ",
            "1২7.0.0.1",
        ],
    );
    check(
        "ipv6",
        &[
            "::",
            "::1",
            "1::",
            "1::8",
            "1:2:3:4:5:6:7:8",
            "::abef",
            "FEDC:ba98::7654",
            "1:2:3:4:5:6:7::",
            "::2:3:4:5:6:7:8",
            "1::3:4:5:6:7:8",
            "1:2:3:4:5:6::8",
            "::ffff:192.168.0.1",
            "1:2:3:4:5:6:1.2.3.4",
            "1::2:192.168.0.1",
            "::1.2.3.4",
            "1:2:3:4:5::1.2.3.4",
        ],
        &[
            "",
            ":",
            ":::",
            "1",
            "1:2",
            "12345::",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "1::2::3",
            "::1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7:8::",
            ":2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7:",
            ":1::",
            "::g",
            "::1.2.3",
            "::1.2.3.256",
            "1.2.3.4::",
            "::1.2.3.4:5",
            "1:2:3:4:5:6:7:1.2.3.4",
            "1:2:3:4:5:6::1.2.3.4",
            "fe80::a%eth1",
            "fe80::/64",
            "::1 ",
        ],
    );
    let label = "a".repeat(63);
    check(
        "hostname",
        &[
            "www.example.com",
            "a",
            "1host",
            "h-0",
            "a--b",
            &label,
            &format!("{label}.{label}"),
            "1.2.3.4",
            "A1.b2",
        ],
        &[
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "-a",
            "a-",
            "a.-b",
            "a_b",
            "a b",
            "ab--c",
            "xn--x",
            &format!("{label}a"),
            "é",
            "a。b",
        ],
    );
    check(
        "email",
        &[
            "joe.bloggs@example.com",
            "te~st@example.com",
            "~@a",
            "a@b-c.d",
            r#""joe bloggs"@example.com"#,
            r#""a@\"b"@c.d"#,
            r#"""@c"#,
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
        ],
        &[
            "",
            "2962",
            "@a",
            "a@",
            "a@@b",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a b@c",
            "a@b=c",
            "a@-b",
            "a@b-",
            "a@b.",
            "a@[127.0.0.300]",
            "a@[::1]",
            "a@[IPv6:1]",
            r#""a"b"@c"#,
            r#""a\"@c"#,
            "\"a\n\"@c",
            "é@b",
            "<a@b>",
            "a@b, c@d",
        ],
    );
    check(
        "uuid",
        &[
            "2EB8AA08-AA98-11EA-B4AA-73B441D16380",
            "98d80576-482e-427f-8434-7f86890ab222",
        ],
        &[
            "",
            "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
            "2eb8aa08aa9811eab4aa73b441d16380",
            "2eb8-aa08-aa98-11ea-b4aa73b44-1d16380",
            "2eb8aa08-aa98-11ea-b4ga-73b441d16380",
        ],
    );
}

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
            "'",
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
        &["0", "1/0", "120#", "0/", "0#", "0+1", "2-3/foo/~0", "0-1#"],
        &[
            "", "/foo", "01", "-1/a", "+1", "0##", "0+0", "0+01", "1#/", "0/~", "0+",
        ],
    );
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
