//! Formats of numbers, as OpenAPI and derived schemas have them.
//!
//! In: a name such as `uint64`. Out: the numbers that the type holds: exactly its integers; of a
//! float those up to the largest one's shortest text, beyond which a reader may find infinity.

use super::decimal::Decimal;
use super::set::NumberSet;

/// The name, the least and the largest integer.
const INTEGERS: [(&str, i128, u128); 12] = [
    ("int8", i8::MIN as i128, i8::MAX as u128),
    ("int16", i16::MIN as i128, i16::MAX as u128),
    ("int32", i32::MIN as i128, i32::MAX as u128),
    ("int64", i64::MIN as i128, i64::MAX as u128),
    ("int128", i128::MIN, i128::MAX as u128),
    ("uint8", 0, u8::MAX as u128),
    ("uint16", 0, u16::MAX as u128),
    ("uint32", 0, u32::MAX as u128),
    ("uint64", 0, u64::MAX as u128),
    ("uint128", 0, u128::MAX),
    // `isize` and `usize`, which have 64 bits nearly everywhere.
    ("int", i64::MIN as i128, i64::MAX as u128),
    ("uint", 0, u64::MAX as u128),
];

/// The name and the largest number's shortest text.
const FLOATS: [(&str, &str); 2] = [
    ("float", "3.4028235e38"),
    ("double", "1.7976931348623157e308"),
];

/// The numbers of a format; `None` if it is not a format of numbers.
pub fn of_format(name: &str) -> Option<NumberSet> {
    let within = |least: &str, most: &str| {
        let least = NumberSet::at_least(&Decimal::parse(least)?, false);
        let most = NumberSet::at_most(&Decimal::parse(most)?, false);
        least.intersect(&most).ok()
    };
    if let Some((_, least, most)) = INTEGERS.iter().find(|format| format.0 == name) {
        let bounds = within(&least.to_string(), &most.to_string())?;
        return bounds.intersect(&NumberSet::integers()).ok();
    }
    let (_, most) = FLOATS.iter().find(|format| format.0 == name)?;
    within(&format!("-{most}"), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_exact() {
        for (name, inside, outside) in [
            ("int8", ["-128", "127"], ["-129", "128"]),
            ("uint8", ["0", "255"], ["-1", "256"]),
            ("int16", ["-32768", "32767"], ["-32769", "32768"]),
            ("uint16", ["0", "65535"], ["-1", "65536"]),
            (
                "int32",
                ["-2147483648", "2147483647"],
                ["-2147483649", "2147483648"],
            ),
            ("uint32", ["0", "4294967295"], ["-0.5", "4294967296"]),
            (
                "int64",
                ["-9223372036854775808", "9223372036854775807"],
                ["-9223372036854775809", "9223372036854775808"],
            ),
            (
                "uint64",
                ["0", "18446744073709551615"],
                ["-1", "18446744073709551616"],
            ),
            (
                "uint",
                ["0", "18446744073709551615"],
                ["-1", "18446744073709551616"],
            ),
            (
                "int",
                ["-9223372036854775808", "0"],
                ["1.5", "9223372036854775808"],
            ),
            (
                "int128",
                [
                    "-170141183460469231731687303715884105728",
                    "170141183460469231731687303715884105727",
                ],
                [
                    "-170141183460469231731687303715884105729",
                    "170141183460469231731687303715884105728",
                ],
            ),
            (
                "uint128",
                ["0", "340282366920938463463374607431768211455"],
                ["-1", "340282366920938463463374607431768211456"],
            ),
            ("float", ["-3.4028235e38", "0.1"], ["3.4028236e38", "-1e39"]),
            (
                "double",
                ["1.7976931348623157e308", "-5e-324"],
                ["1.8e308", "-1e999"],
            ),
        ] {
            let set = of_format(name).unwrap();
            let has = |text: &str| set.contains(&Decimal::parse(text).unwrap());
            assert!(inside.iter().all(|text| has(text)), "{name}");
            assert!(!outside.iter().any(|text| has(text)), "{name}");
        }
        assert_eq!(of_format("int7"), None);
        assert_eq!(of_format("date"), None);
    }

    #[test]
    fn the_largest_floats_are_read_as_such() {
        for (name, most) in FLOATS {
            let largest = match name {
                "float" => {
                    most.parse::<f32>() == Ok(f32::MAX)
                        && most.parse::<f64>().is_ok_and(|f| f as f32 == f32::MAX)
                }
                _ => most.parse::<f64>() == Ok(f64::MAX),
            };
            assert!(largest, "{name}");
        }
    }
}
