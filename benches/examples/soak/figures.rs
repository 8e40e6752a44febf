//! Figures: percentiles of times, and memory.

/// The resident memory of the process in MB, where the system tells.
pub fn memory() -> f64 {
    of_status("VmRSS:")
}

/// The most that it has been.
pub fn peak() -> f64 {
    of_status("VmHWM:")
}

fn of_status(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1e3
}

pub fn print(name: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = values.len().saturating_sub(1) as f64;
        values
            .get((last * share).round() as usize)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "{name}: p50 {:.1}  p99 {:.1}  p99.9 {:.1}  max {:.1}, of {}",
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        values.len()
    );
}
