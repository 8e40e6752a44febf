//! Moments by the system's clock, or by the program's where the system has none.
//!
//! On `wasm32-unknown-unknown` std has no clock: to ask it panics. There `set` says what tells
//! the time; before it is called, time stands still, so that no time limit is ever passed.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use given::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use given::set;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod given {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// What tells the time: the time since some moment, which never goes back. The first call
    /// counts.
    pub fn set(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        /// The present moment.
        pub fn now() -> Self {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The moment after a time, if it can be told.
        pub fn checked_add(self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Instant)
        }

        /// The time since an earlier moment; zero if that is later.
        pub fn saturating_duration_since(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The time since this moment.
        pub fn elapsed(self) -> Duration {
            Instant::now().saturating_duration_since(self)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::given::{Instant, set};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    #[test]
    fn time_stands_still_until_a_clock_is_given() {
        static SECONDS: AtomicU64 = AtomicU64::new(5);
        let start = Instant::now();
        assert_eq!(start.elapsed(), Duration::ZERO);
        set(|| Duration::from_secs(SECONDS.load(Ordering::Relaxed)));
        set(|| Duration::ZERO);
        assert_eq!(start.elapsed(), Duration::from_secs(5));
        let now = Instant::now();
        assert_eq!(now.checked_add(Duration::MAX), None);
        SECONDS.store(7, Ordering::Relaxed);
        assert_eq!(now.elapsed(), Duration::from_secs(2));
        assert_eq!(start.saturating_duration_since(now), Duration::ZERO);
    }
}
