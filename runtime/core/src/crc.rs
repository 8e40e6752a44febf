//! The checksum of tables: CRC-32 as in zlib (polynomial 0xEDB88320, reflected).
//!
//! In: bytes. Out: their checksum. Four bytes are taken at a time, through four tables that the
//! compiler of this crate computes.

/// `TABLES[k][b]`: what byte `b` contributes when `k` more bytes follow it.
static TABLES: [[u32; 256]; 4] = tables();

const fn tables() -> [[u32; 256]; 4] {
    let mut tables = [[0u32; 256]; 4];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            remainder = (remainder >> 1) ^ (0xEDB8_8320 & (remainder & 1).wrapping_neg());
            bit += 1;
        }
        tables[0][byte] = remainder;
        byte += 1;
    }
    let mut k = 1;
    while k < 4 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        k += 1;
    }
    tables
}

/// The CRC-32 of `bytes`.
///
/// ```
/// assert_eq!(maskwright_core::crc32(b"123456789"), 0xCBF4_3926);
/// ```
pub const fn crc32(bytes: &[u8]) -> u32 {
    let tables = &TABLES;
    let (words, rest) = bytes.as_chunks::<4>();
    let mut crc = !0u32;
    let mut at = 0;
    while at < words.len() {
        let [a, b, c, d] = (crc ^ u32::from_le_bytes(words[at])).to_le_bytes();
        crc = tables[3][a as usize]
            ^ tables[2][b as usize]
            ^ tables[1][c as usize]
            ^ tables[0][d as usize];
        at += 1;
    }
    let mut at = 0;
    while at < rest.len() {
        crc = (crc >> 8) ^ tables[0][((crc ^ rest[at] as u32) & 0xff) as usize];
        at += 1;
    }
    !crc
}
