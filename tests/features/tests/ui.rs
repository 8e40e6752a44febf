//! With the feature `macros` alone, a word that needs another one is an error that names it.

#[test]
fn words_whose_feature_is_off() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
