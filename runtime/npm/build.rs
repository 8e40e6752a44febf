//! The stack of the module: a front end may nest as deep as `Limits::nesting`, and the linker's
//! default is the eighth part.

fn main() {
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=8388608");
    println!("cargo::rerun-if-changed=build.rs");
}
