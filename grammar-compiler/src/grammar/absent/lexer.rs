//! What stands for `lexer` in a compiler without the feature `lark`: no grammar has one.

/// Index of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TerminalId(pub u16);

/// How a text is cut into terminals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lexer {}

pub(super) fn write(lexer: &Lexer, _: &mut Vec<u8>) {
    match *lexer {}
}
