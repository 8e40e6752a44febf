//! Formats by their RFCs.

use crate::schema::strings::format;

fn check(name: &str, members: &[&str], others: &[&str]) {
    let language = format(name).unwrap();
    for text in members {
        assert!(language.contains(text), "{name}: {text:?}");
    }
    for text in others {
        assert!(!language.contains(text), "{name}: {text:?}");
    }
}

#[test]
fn dates() {
    check(
        "date",
        &[
            "2024-02-29",
            "2000-02-29",
            "0000-02-29",
            "1999-12-31",
            "2023-04-30",
        ],
        &[
            "2023-02-29",
            "1900-02-29",
            "2023-04-31",
            "2023-13-01",
            "2023-00-01",
            "2023-1-1",
            "2023-01-00",
            "২০২৩-01-01",
            " 2024-02-29",
        ],
    );
    // Every day of every year there is.
    let dates = format("date").unwrap();
    for year in [0, 4, 100, 400, 1900, 1996, 2000, 2023, 2024, 2100, 9999] {
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
}
