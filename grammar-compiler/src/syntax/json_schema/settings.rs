//! The options of JSON Schemas that a text can set, one row each.

use super::model::keyword_named;
use super::options::SchemaOptions;
use crate::syntax::settings::{Setting, Settings, Values, all, flag, one};

const ON: Values = Values::Flag { sets: true };
const OFF: Values = Values::Flag { sets: false };
const ESCAPES: Values = Values::One {
    form: "any|natural|shortest",
};

impl Settings for SchemaOptions {
    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(
            ("style", "style"),
            Values::One {
                form: "json|qwen_xml|…",
            },
            "JSON, or the way in which a model writes the arguments of a tool, such as `qwen_xml`; all styles are in docs/json-schema.md [default: json]",
            |options, values| {
                (options.style, options.form) = (one(values)?, None);
                Ok(())
            },
        ),
        Setting::new(
            ("arguments", "arguments"),
            ON,
            "The whole value is the arguments of a tool, which only objects are, also in the style `json`",
            |options, values| flag(values).map(|value| options.arguments = value),
        ),
        Setting::new(
            ("whitespace", "whitespace"),
            Values::One {
                form: "compact|spaced|usual:N|flexible:N|indent:N",
            },
            "Blanks between tokens: none; one after each comma and colon; as models write: either of these, or lines with up to N blanks before each \
             element; up to N wherever JSON allows some; a line for each element with N more spaces a level [default: flexible:1]",
            |options, values| one(values).map(|value| options.whitespace = value),
        ),
        Setting::new(
            ("outer_blanks", "no-outer-blanks"),
            OFF,
            "The text begins and ends with the value, without the blanks that `usual` allows there",
            |options, values| flag(values).map(|value| options.outer_blanks = value),
        ),
        Setting::new(
            ("key_order", "key-order"),
            Values::One {
                form: "schema|sorted|any",
            },
            "The order of an object's keys: the schema's, that of the alphabet, or any [default: schema]",
            |options, values| one(values).map(|value| options.key_order = value),
        ),
        Setting::new(
            ("escapes", "escapes"),
            ESCAPES,
            "How a string's characters may be written: in every way; printable ASCII as itself; in the shortest way [default: any]",
            |options, values| one(values).map(|value| options.escapes = value),
        ),
        Setting::new(
            ("constrained_escapes", "constrained-escapes"),
            ESCAPES,
            "The same for names, constants and strings of a pattern or format [default: natural]",
            |options, values| one(values).map(|value| options.constrained_escapes = value),
        ),
        Setting::new(
            ("draft", "draft"),
            Values::One {
                form: "3|4|6|7|2019-09|2020-12",
            },
            "The draft of schemas that do not say [default: 2020-12]",
            |options, values| one(values).map(|value| options.draft = Some(value)),
        ),
        Setting::new(
            ("exponents", "no-exponents"),
            OFF,
            "Numbers have no exponents",
            |options, values| flag(values).map(|value| options.numbers.exponents = value),
        ),
        Setting::new(
            ("integral_fractions", "integral-fractions"),
            ON,
            "Integers may be written with zeros after a point, as in 1.0",
            |options, values| flag(values).map(|value| options.numbers.integral_fractions = value),
        ),
        Setting::new(
            ("digits", "digits"),
            Values::One {
                form: "INTEGER[,FRACTION[,EXPONENT]]",
            },
            "The most digits of a number: before the point, behind it, of the exponent [default: any number]",
            |options, values| one(values).map(|value| options.numbers.digits = value),
        ),
        Setting::new(
            ("formats", "no-formats"),
            OFF,
            "`format` is only an annotation",
            |options, values| flag(values).map(|value| options.formats = value),
        ),
        Setting::new(
            ("number_formats", "number-formats"),
            ON,
            "Formats of numbers are demanded: `int32`, `uint64`, `double` and their like, as derived schemas have them",
            |options, values| flag(values).map(|value| options.number_formats = value),
        ),
        Setting::new(
            ("undeclared", "no-undeclared"),
            OFF,
            "Objects have no properties that their schema does not declare, unless it says so. In structural tags that is so anyway",
            |options, values| flag(values).map(|value| options.undeclared = value),
        ),
        Setting::new(
            ("declare_required", "declare-required"),
            ON,
            "A name in `required` that no schema declares, where it would be forbidden, \
             is a property of any value",
            |options, values| flag(values).map(|value| options.declare_required = value),
        ),
        Setting::new(
            ("documents", "documents"),
            Values::Many {
                form: "DIR=BASE-URI",
                with_commas: false,
            },
            "A folder of other documents, and the URI that it stands for, such as `remotes=http://localhost:1234/`; may be given several times",
            |options, values| all(values, str::parse).map(|value| options.documents = value),
        ),
        Setting::new(
            ("excludes", "exclude"),
            Values::Many {
                form: "TEXT",
                with_commas: false,
            },
            "A text that no string and no key contains as it is written; may be given several times",
            |options, values| all(values, not_empty).map(|value| options.excludes = value),
        ),
        Setting::new(
            ("lenient", "lenient"),
            Values::Many {
                form: "KEYWORD",
                with_commas: true,
            },
            "Ignore these keywords, with a warning, where they cannot be honoured exactly",
            |options, values| all(values, keyword).map(|value| options.lenient = value),
        ),
    ];
}

fn not_empty(text: &str) -> Result<String, String> {
    match text.is_empty() {
        true => Err("expected a text that is not empty".to_owned()),
        false => Ok(text.to_owned()),
    }
}

fn keyword(name: &str) -> Result<String, String> {
    keyword_named(name).map(str::to_owned)
}
