//! A JSON text like those that services send: records of many types, made from a seed.

use std::fmt::Write;

/// About how long the text is, in bytes.
pub const LENGTH: usize = 45_000;

const WORDS: [&str; 32] = [
    "river",
    "invoice",
    "Zürich",
    "approved",
    "shipment",
    "temperature",
    "north",
    "calibration",
    "the",
    "of",
    "and",
    "customer",
    "returned",
    "without",
    "comment",
    "harbour",
    "battery",
    "replacement",
    "unit",
    "naïve",
    "estimate",
    "東京",
    "quarterly",
    "sensor",
    "offline",
    "gateway",
    "retry",
    "scheduled",
    "maintenance",
    "window",
    "until",
    "Friday",
];
const KEYS: [&str; 12] = [
    "id",
    "name",
    "createdAt",
    "tags",
    "status",
    "owner",
    "address",
    "measurements",
    "notes",
    "is_active",
    "parent",
    "total",
];

/// The text: an array of objects of about [`LENGTH`] bytes, indented, always the same.
pub fn json() -> String {
    let mut writer = Writer {
        out: String::from("[\n"),
        state: 0x2545_f491_4f6c_dd1d,
    };
    while writer.out.len() < LENGTH {
        if writer.out.len() > 2 {
            writer.out.push_str(",\n");
        }
        writer.indent(1);
        writer.object(1);
    }
    writer.out.push_str("\n]\n");
    writer.out
}

struct Writer {
    out: String,
    state: u64,
}

impl Writer {
    /// A number below `bound` (xorshift).
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) as usize % bound
    }

    fn indent(&mut self, depth: usize) {
        self.out.extend(std::iter::repeat_n("  ", depth));
    }

    fn object(&mut self, depth: usize) {
        self.out.push_str("{\n");
        let first = self.below(KEYS.len());
        let count = 2 + self.below(6);
        for i in 0..count {
            self.indent(depth + 1);
            let key = KEYS[(first + i) % KEYS.len()];
            self.out.push_str(&format!("\"{key}\": "));
            self.value(depth + 1);
            self.out.push_str(if i + 1 < count { ",\n" } else { "\n" });
        }
        self.indent(depth);
        self.out.push('}');
    }

    fn value(&mut self, depth: usize) {
        match self.below(if depth < 5 { 12 } else { 9 }) {
            0..=2 => self.string(),
            3 => self.uuid(),
            4 => write_to(&mut self.out, format_args!("{}", self.state % 100_000)),
            5 => write_to(
                &mut self.out,
                format_args!("-{}.{:02}", self.state % 900, self.state % 89),
            ),
            6 => write_to(
                &mut self.out,
                format_args!("{}e-{}", self.state % 9 + 1, self.state % 12 + 1),
            ),
            7 => self
                .out
                .push_str(["true", "false", "null"][(self.state % 3) as usize]),
            8 => write_to(
                &mut self.out,
                format_args!(
                    "\"2026-{:02}-{:02}T08:30:00Z\"",
                    self.state % 12 + 1,
                    self.state % 28 + 1
                ),
            ),
            9 | 10 => self.object(depth),
            _ => self.array(depth),
        }
    }

    fn array(&mut self, depth: usize) {
        let count = self.below(6);
        self.out.push('[');
        for i in 0..count {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.value(depth + 1);
        }
        self.out.push(']');
    }

    fn string(&mut self) {
        self.out.push('"');
        let count = 1 + self.below(14);
        for i in 0..count {
            if i > 0 {
                self.out.push(' ');
            }
            let word = WORDS[self.below(WORDS.len())];
            self.out.push_str(word);
            match self.below(40) {
                0 => self.out.push_str("\\n"),
                1 => self.out.push_str(" \\\"quoted\\\""),
                2 => self.out.push_str("\\u00e9"),
                _ => {}
            }
        }
        self.out.push('"');
    }

    fn uuid(&mut self) {
        let (a, b) = (self.below(1 << 32), self.below(1 << 32));
        let tail = (a as u64) << 16 | b as u64 & 0xffff;
        write_to(
            &mut self.out,
            format_args!(
                "\"{a:08x}-{:04x}-4{:03x}-a{:03x}-{tail:012x}\"",
                b >> 16,
                b & 0xfff,
                b >> 4 & 0xfff
            ),
        );
    }
}

/// Writing to a string cannot fail.
fn write_to(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
