//! Tokens that are terminals of the grammar, if it has some: a step by the class of the lead, then
//! one by the class of the token's symbol. No byte has the class of the lead, so that no text is
//! taken for a token.
//!
//! Word 0: the class of the lead (9 bits) | the number of limits (7 bits) | the class of the symbol
//! of all tokens that are not listed and have bytes, or `NO_CLASS` (16 bits). Then a word for each
//! limit on the tokens of a text, made by `limit`: the class of its symbol (9 bits) | 0 (7 bits) |
//! the number of tokens, at least 1 (16 bits). No token has such a symbol: a matcher takes the lead
//! and the symbol itself, after so many tokens. Then a word for each listed token, ascending by id,
//! made by `entry`: class of the symbol, or `NO_CLASS` (9 bits) | IS_TEXT (1 bit) | id (22 bits). A
//! listed token without IS_TEXT has no text in this grammar. Where both its text and its symbol
//! could be meant, it is the one that some stack can take: never both can.

/// No symbol.
pub const NO_CLASS: u32 = (1 << 9) - 1;
/// Shift of the class of all tokens that are not listed.
pub const OTHERS_SHIFT: u32 = 16;
/// Mask of the class of the lead.
pub const LEAD: u32 = NO_CLASS;
/// Shift of the number of limits.
pub const LIMITS_SHIFT: u32 = 9;
/// Mask of that number, once shifted.
pub const LIMITS: u32 = (1 << (OTHERS_SHIFT - LIMITS_SHIFT)) - 1;
/// Shift of the tokens of a limit.
pub const LIMIT_SHIFT: u32 = 16;
/// The token is text as well.
pub const IS_TEXT: u32 = 1 << 9;
/// Shift of the id.
pub const ID_SHIFT: u32 = 10;

/// The first word.
pub const fn classes(lead: u16, limits: u8, others: Option<u16>) -> u32 {
    let others = match others {
        Some(class) => class as u32,
        None => NO_CLASS,
    };
    lead as u32 & LEAD | (limits as u32 & LIMITS) << LIMITS_SHIFT | others << OTHERS_SHIFT
}

/// The word of a limit.
pub const fn limit(class: u16, tokens: u16) -> u32 {
    class as u32 | (tokens as u32) << LIMIT_SHIFT
}

/// The word of a token.
pub const fn entry(id: u32, class: Option<u16>, is_text: bool) -> u32 {
    let class = match class {
        Some(class) => class as u32,
        None => NO_CLASS,
    };
    class | if is_text { IS_TEXT } else { 0 } | id << ID_SHIFT
}
