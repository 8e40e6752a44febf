//! What the module imports: a clock, and who is told of a panic.

use std::sync::Once;
use std::time::Duration;

// SAFETY: both take and return numbers only. `panicked` is given a text that it may read until it
// returns.
#[link(wasm_import_module = "maskwright")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// The module ends behind this: its message, in UTF-8.
    safe fn panicked(message: *const u8, length: usize);
}

/// Makes the compiler's clock that of the page, and panics be told. Only the first call counts.
pub(crate) fn prepare() {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        maskwright_compiler::clock::set(|| {
            Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
        });
        std::panic::set_hook(Box::new(|info| {
            let message = info.to_string();
            panicked(message.as_ptr(), message.len());
        }));
    });
}
