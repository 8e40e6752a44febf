//! An entry of `edges`: payload (22 bits), `PROGRAM` (1 bit), class (9 bits).

/// An unused entry.
pub const EMPTY: u32 = u32::MAX;
/// Bits of the payload.
pub const PAYLOAD_BITS: u32 = 22;
/// Mask of the payload.
pub const PAYLOAD: u32 = (1 << PAYLOAD_BITS) - 1;
/// The payload is a program offset, not a state.
pub const PROGRAM: u32 = 1 << PAYLOAD_BITS;
/// Shift of the class (9 bits).
pub const CLASS_SHIFT: u32 = PAYLOAD_BITS + 1;
/// Payload of an entry that refuses.
pub const REFUSE: u32 = PAYLOAD;

/// The entry of `class` with a payload: a state, `REFUSE`, or an offset and `PROGRAM`.
pub const fn entry(class: u16, payload: u32) -> u32 {
    payload & (PAYLOAD | PROGRAM) | (class as u32) << CLASS_SHIFT
}
