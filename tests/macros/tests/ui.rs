//! What the macro says about mistakes, and where.

use std::fs;
use std::path::Path;

#[test]
fn mistakes() {
    // The cases are compiled as a package in the target folder, to which paths are relative.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let package = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME"));
    fs::create_dir_all(package.join("tests/ui")).unwrap();
    let files = [
        "tests/bytes.tiktoken",
        "tests/ui/mistake.ebnf",
        "tests/ui/mistake.json",
    ];
    for file in files {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        fs::copy(from, package.join(file)).unwrap();
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
