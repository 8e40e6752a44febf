//! Tests of `grammar!` as users see it: `tests/decode.rs` decodes under grammars compiled by it,
//! `tests/ui.rs` compares what it says about mistakes. They are apart from the macro, which the
//! published crates could otherwise not depend on without a circle.
