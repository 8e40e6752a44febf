//! The options of structural tags that a text can set, one row each.

use super::TagOptions;
use crate::syntax::settings::{Setting, Settings, Values, flag};

impl Settings for TagOptions {
    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(
            ("spelled", "spelled"),
            Values::Flag { sets: true },
            "A delimiter of a structural tag that is a special or added token may also be written in other tokens",
            |options, values| flag(values).map(|value| options.spelled = value),
        ),
        Setting::new(
            ("outer_ends", "no-outer-ends"),
            Values::Flag { sets: false },
            "Free text in a tag knows the ends of the nearest tag only, not those of tags around it",
            |options, values| flag(values).map(|value| options.outer_ends = value),
        ),
    ];
}
