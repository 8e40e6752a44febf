//! The process's memory, as Linux tells it.

/// A line of `/proc/self/status` in kilobytes; 0 where there is none.
fn status(field: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(field));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Resident at the most so far.
pub fn peak_kb() -> u64 {
    status("VmHWM:")
}

/// Resident now; what was resident at the most is forgotten.
pub fn start_kb() -> u64 {
    // Not everywhere allowed; the peak then counts from the start of the process.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    status("VmRSS:")
}
