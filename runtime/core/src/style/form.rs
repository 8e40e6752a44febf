//! What an element of a style looks like.

/// The types of JSON values that a style may tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` and `false`.
    Boolean,
    /// Numbers.
    Number,
    /// Strings: raw text.
    String,
    /// Arrays.
    Array,
    /// Objects.
    Object,
}

impl Kind {
    /// All kinds, in the order of [`Form::kinds`].
    pub const ALL: [Kind; 6] = [
        Kind::Null,
        Kind::Boolean,
        Kind::Number,
        Kind::String,
        Kind::Array,
        Kind::Object,
    ];
}

/// How a style writes an argument:
///
/// ```text
/// open KEY key_end KIND kind_end VALUE end
/// ```
///
/// and, if [`Form::closing`] is `Some((before, behind))`, `before KEY behind`. A string's value is
/// raw text, in which [`Form::end`] does not occur. Other values are JSON, unless [`Form::item`]
/// says that arrays and objects are elements too.
///
/// The forms of [`Style::form`](super::Style::form) keep the rules that reading back relies on: the
/// compiler's `OwnedForm` lists and checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form<'f> {
    /// What stands before a key.
    pub open: &'f str,
    /// What stands between the key and the word for the value's kind.
    pub key_end: &'f str,
    /// Whether blanks may stand behind [`Form::key_end`].
    pub gap: bool,
    /// The word for each of [`Kind::ALL`]; empty words in styles that do not say what a value is.
    pub kinds: [&'f str; 6],
    /// The word for integers where a schema says nothing of the value.
    pub integer: Option<&'f str>,
    /// What stands between the word for the kind and the value.
    pub kind_end: &'f str,
    /// What ends a value. No raw text contains it, and no JSON text within an element.
    pub end: &'f str,
    /// What stands behind [`Form::end`]: the key between these two.
    pub closing: Option<(&'f str, &'f str)>,
    /// Whether arrays and objects are elements too, rather than JSON, and if so what stands before
    /// the kind of an item. The items of a form with [`Form::closing`] have the key [`Form::ITEM`].
    pub item: Option<&'f str>,
    /// Whether the model's template writes each tag on a line of its own.
    pub lines: bool,
    /// Whether a line feed before a string and one behind it do not belong to it.
    pub trimmed: bool,
    /// Whether blanks may stand around what is no string.
    pub blanks: bool,
    /// Characters that no key has.
    pub forbidden: &'f [char],
    /// No key begins so.
    pub not_first: Option<char>,
    /// Characters of keys that are written as entities of XML: some of `"`, `&`, `'`, `<` and `>`.
    pub escapes: &'f [char],
    /// Whether keys that the schema does not describe may be any text; if not, they are
    /// `[A-Za-z_][A-Za-z0-9_]*`.
    pub any_key: bool,
}

impl<'f> Form<'f> {
    /// The key of an array's items in styles that name them.
    pub const ITEM: &'static str = "item";

    /// A form of tags without words for kinds, for others to change. It is no form by itself: its
    /// tags are empty.
    pub const PLAIN: Form<'static> = Form {
        open: "",
        key_end: "",
        gap: false,
        kinds: [""; 6],
        integer: None,
        kind_end: "",
        end: "",
        closing: None,
        item: None,
        lines: false,
        trimmed: false,
        blanks: true,
        forbidden: &[],
        not_first: None,
        escapes: &[],
        any_key: false,
    };

    /// The word for a kind.
    pub const fn kind(&self, kind: Kind) -> &'f str {
        self.kinds[kind as usize]
    }

    /// What a character of a key is written as, if not as itself.
    pub fn escape(&self, char: char) -> Option<&'static str> {
        let entity = ENTITIES.iter().find(|entity| entity.0 == char)?;
        self.escapes.contains(&char).then_some(entity.1)
    }
}

/// The entities that XML defines.
pub const ENTITIES: [(char, &str); 5] = [
    ('"', "&quot;"),
    ('&', "&amp;"),
    ('\'', "&apos;"),
    ('<', "&lt;"),
    ('>', "&gt;"),
];
