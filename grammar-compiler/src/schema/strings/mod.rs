//! Sets of strings as finite automata over characters.

/// How the characters of a string may be written in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Escapes {
    /// In every way that JSON allows.
    #[default]
    Any,
    /// Printable ASCII that needs no escape only as itself; everything else in every way.
    Natural,
    /// In the shortest way.
    Shortest,
}
