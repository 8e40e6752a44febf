//! The table layout and the matcher.
#![no_std]
pub mod layout;

mod crc;
pub use crc::crc32;
