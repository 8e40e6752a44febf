//! Facade of the runtime.
#![no_std]
pub use maskwright_core::*;
