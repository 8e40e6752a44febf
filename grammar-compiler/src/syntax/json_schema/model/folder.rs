//! Folders of documents: files in place of documents that a server would give.
//!
//! In: a folder, the URI that it stands for, and a URI. Out: the text of the file that the URI names. Only plain files in the folder are read,
//! wherever symbolic links lead, and of them no more than a limit.

use super::{pointer, uri};
use fluent_uri::Iri;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A folder whose files are the documents below a URI: with `remotes` for `http://localhost:1234/`, the reference
/// `http://localhost:1234/a/b.json` is read from `remotes/a/b.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFolder {
    folder: PathBuf,
    /// Ends in a slash, unless it is not a path.
    base: String,
}

/// A file that was read.
pub(super) struct FoundFile {
    pub text: String,
    pub path: PathBuf,
}

impl DocumentFolder {
    /// The folder for what is below `base`; a slash is added to it where none is at its end.
    ///
    /// # Errors
    ///
    /// If `base` is no URI, or has a query or fragment.
    pub fn new(folder: impl Into<PathBuf>, base: &str) -> Result<Self, String> {
        let parsed = Iri::parse(base).map_err(|_| {
            let example = "such as `http://localhost:1234/`";
            format!("expected the URI that the folder stands for, {example}, found `{base}`")
        })?;
        if parsed.query().is_some() || parsed.fragment().is_some() {
            return Err(format!(
                "`{base}`: a folder's URI has no query and no fragment"
            ));
        }
        let mut base = parsed.normalize().into_string();
        if !base.ends_with(['/', ':']) {
            base.push('/');
        }
        let folder = folder.into();
        Ok(DocumentFolder { folder, base })
    }

    /// What the URIs of its documents begin with.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The same, with a relative folder taken from `start`.
    #[must_use]
    pub fn within(&self, start: &Path) -> Self {
        DocumentFolder {
            folder: start.join(&self.folder),
            base: self.base.clone(),
        }
    }

    /// The document `uri`, of at most `limit` bytes; nothing if it is not below the folder's URI, or there is no such file.
    pub(super) fn read(&self, uri: &str, limit: usize) -> Result<Option<FoundFile>, String> {
        let uri = uri::join(uri, "");
        let Some(path) = uri.strip_prefix(&self.base).and_then(relative) else {
            return Ok(None);
        };
        let path = self.folder.join(path);
        let shown = path.display().to_string();
        // Links are followed. A link that leads out of the folder counts as a missing file.
        let (Ok(real), Ok(folder)) = (path.canonicalize(), self.folder.canonicalize()) else {
            return Ok(None);
        };
        if !real.starts_with(&folder) || !real.is_file() {
            return Ok(None);
        }
        let failed = |error: std::io::Error| format!("cannot read {shown}: {error}");
        let mut bytes = Vec::new();
        let file = File::open(&real).map_err(failed)?;
        let most = u64::try_from(limit).unwrap_or(u64::MAX);
        let read = file.take(most.saturating_add(1)).read_to_end(&mut bytes);
        if read.map_err(failed)? > limit {
            return Err(format!("{shown} has more than {limit} bytes"));
        }
        let text = String::from_utf8(bytes).map_err(|_| format!("{shown} is not UTF-8"))?;
        Ok(Some(FoundFile { text, path }))
    }
}

impl FromStr for DocumentFolder {
    type Err = String;

    /// `DIR=BASE-URI`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((folder, base)) if !folder.is_empty() => DocumentFolder::new(folder, base),
            _ => Err(format!("expected `DIR=BASE-URI`, found `{text}`")),
        }
    }
}

/// The relative path that the rest of a URI names, percent-decoded; `None` if one of its steps does not lead down.
fn relative(rest: &str) -> Option<PathBuf> {
    if rest.contains(['?', '#']) {
        return None;
    }
    let mut path = PathBuf::new();
    for step in rest.split('/') {
        let step = pointer::percent_decoded(step);
        let goes_down = !matches!(step.as_str(), "" | "." | "..");
        if !goes_down || step.contains(['/', '\\', ':', '\0']) {
            return None;
        }
        path.push(step);
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(folder: &DocumentFolder, uri: &str) -> Option<String> {
        folder.read(uri, 100).unwrap().map(|found| found.text)
    }

    #[test]
    fn files_below_the_uri_and_no_others() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("remotes");
        fs::create_dir_all(inner.join("a b")).unwrap();
        fs::write(outer.path().join("secret.json"), "secret").unwrap();
        fs::write(inner.join("x.json"), "x").unwrap();
        fs::write(inner.join("a b/y.json"), "y").unwrap();
        fs::write(inner.join("large.json"), "1".repeat(101)).unwrap();
        let folder = DocumentFolder::new(&inner, "HTTP://localhost:1234").unwrap();
        for (uri, text) in [
            ("http://localhost:1234/x.json", Some("x")),
            ("http://localhost:1234/a%20b/y.json", Some("y")),
            ("http://localhost:1234/", None),
            ("http://localhost:1234/a%20b", None),
            ("http://localhost:1234/../secret.json", None),
            ("http://localhost:1234/%2e%2e/secret.json", None),
            ("http://localhost:1234/..%2fsecret.json", None),
            ("http://localhost:1234//x.json", None),
            ("http://localhost:1234/x.json?a", None),
            ("http://localhost:12345/x.json", None),
            ("https://localhost:1234/x.json", None),
            ("x.json", None),
        ] {
            assert_eq!(read(&folder, uri).as_deref(), text, "{uri}");
        }
        let error = folder.read("http://localhost:1234/large.json", 100);
        assert!(error.is_err_and(|error| error.contains("more than 100 bytes")));
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("remotes");
        fs::create_dir(&inner).unwrap();
        fs::write(outer.path().join("secret.json"), "secret").unwrap();
        fs::write(inner.join("x.json"), "x").unwrap();
        std::os::unix::fs::symlink(outer.path().join("secret.json"), inner.join("out.json"))
            .unwrap();
        std::os::unix::fs::symlink(inner.join("x.json"), inner.join("in.json")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", inner.join("zero.json")).unwrap();
        let folder = DocumentFolder::new(&inner, "urn:example:").unwrap();
        assert_eq!(read(&folder, "urn:example:in.json").as_deref(), Some("x"));
        assert_eq!(read(&folder, "urn:example:out.json"), None);
        assert_eq!(read(&folder, "urn:example:zero.json"), None);
    }

    #[test]
    fn bases_are_uris() {
        assert!("a=http://a.org/b".parse::<DocumentFolder>().is_ok());
        for wrong in [
            "a",
            "=http://a.org",
            "a=b",
            "a=http://a.org/?q",
            "a=http://a.org/#f",
        ] {
            assert!(wrong.parse::<DocumentFolder>().is_err(), "{wrong}");
        }
    }
}
