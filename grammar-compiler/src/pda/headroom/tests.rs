//! Headroom against a search over configurations.
