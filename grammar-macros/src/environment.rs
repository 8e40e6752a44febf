//! Where the package lies, and where results are kept.

use std::env;
use std::path::{Path, PathBuf};

use maskwright_compiler::build::Cache;

/// What the macro takes from its surroundings.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    /// The folder of the package, to which paths are relative.
    pub(crate) package: PathBuf,
    pub(crate) cache: Cache,
}

impl Environment {
    /// Reads the variables that Cargo sets.
    pub(crate) fn read() -> Self {
        let folder = |name| env::var_os(name).map(PathBuf::from);
        let package = folder("CARGO_MANIFEST_DIR").unwrap_or_default();
        let parent = folder("OUT_DIR")
            .or_else(|| folder("CARGO_TARGET_DIR"))
            .or_else(|| target_folder(&package));
        let cache = Cache::from_env(parent.map(|parent| parent.join("maskwright-cache")));
        Environment { package, cache }
    }
}

/// The nearest folder `target`, beside the package or above it, that Cargo has made.
fn target_folder(package: &Path) -> Option<PathBuf> {
    package
        .ancestors()
        .map(|folder| folder.join("target"))
        .find(|target| target.join("CACHEDIR.TAG").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_nearest_target_folder_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("workspace/crates/one");
        fs::create_dir_all(&package).unwrap();
        fs::create_dir_all(folder.path().join("workspace/crates/target")).unwrap();
        fs::create_dir_all(folder.path().join("workspace/target")).unwrap();
        fs::write(folder.path().join("workspace/target/CACHEDIR.TAG"), "").unwrap();
        assert_eq!(
            target_folder(&package),
            Some(folder.path().join("workspace/target"))
        );
    }
}
