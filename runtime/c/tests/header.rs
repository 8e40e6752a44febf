//! The header that is committed is the one that the sources give.

use std::path::Path;
use std::{env, fs};

#[test]
fn the_header_is_that_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in ["status.rs", "grammar.rs", "matcher.rs", "pool.rs"] {
        builder = builder.with_src(folder.join("src").join(file));
    }
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let header = folder.join("include/maskwright.h");
    if env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&header, &made).unwrap();
    }
    let committed = fs::read(&header).unwrap_or_default();
    assert!(
        made == committed,
        "include/maskwright.h is not what the sources give: run the test with UPDATE_HEADER=1"
    );
}
