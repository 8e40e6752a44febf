//! Dates and times.

use super::check;
use crate::limits::Deadline;
use crate::syntax::json_schema::strings::{format, pattern};

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
    let century = dates
        .intersect(
            &pattern("^20", &Deadline::never()).unwrap(),
            &Deadline::never(),
        )
        .unwrap();
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
fn times_of_draft_3_have_no_offset() {
    let times = crate::syntax::json_schema::strings::format_of_draft_3("time").unwrap();
    for time in ["00:00:00", "23:59:59", "08:30:06"] {
        assert!(times.contains(time), "{time}");
    }
    for time in [
        "24:00:00",
        "23:60:00",
        "23:59:60",
        "8:30:06",
        "08:30",
        "08:30:06Z",
        "08:30:06.5",
        "08:30:06+01:00",
    ] {
        assert!(!times.contains(time), "{time}");
    }
    assert_eq!(
        crate::syntax::json_schema::strings::format_of_draft_3("date"),
        format("date")
    );
}
