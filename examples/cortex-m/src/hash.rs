/// FNV-1a of the words' bytes.
pub fn fnv1a(words: &[u32]) -> u32 {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ byte as u32).wrapping_mul(0x0100_0193)
    })
}
