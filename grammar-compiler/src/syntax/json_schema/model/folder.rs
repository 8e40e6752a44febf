//! Folders of documents: files in place of documents that a server would give.
//!
//! In: a folder, the URI that it stands for, and a URI. Out: the text of the file that the URI
//! names. What holds after: as [`Folder`] says.

use super::{pointer, uri};
use crate::documents::{Document, DocumentError, Documents, Folder, ReadLimits, check};
use fluent_uri::Iri;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A folder whose files are the documents below a URI: with `remotes` for `http://localhost:1234/`,
/// the reference `http://localhost:1234/a/b.json` is read from `remotes/a/b.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFolder {
    folder: Folder,
    /// Ends in a slash, unless it is not a path.
    base: String,
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
        let folder = Folder::new(folder);
        Ok(DocumentFolder { folder, base })
    }

    /// What the URIs of its documents begin with.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The same, with a relative folder taken from `start`.
    #[must_use]
    pub fn within(&self, start: &Path) -> Self {
        DocumentFolder {
            folder: self.folder.within(start),
            base: self.base.clone(),
        }
    }
}

impl Documents for DocumentFolder {
    /// The document with this URI; nothing if it is not below the folder's URI, or there is no such
    /// file.
    fn read(&self, uri: &str, limits: &ReadLimits<'_>) -> Result<Option<Document>, DocumentError> {
        let uri = uri::join(uri, "");
        match uri.strip_prefix(&self.base).and_then(name) {
            Some(name) => self.folder.read(&name, limits),
            None => Ok(None),
        }
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

/// The name of a document that the rest of a URI stands for, percent-decoded; none if one of its
/// steps does not lead down.
fn name(rest: &str) -> Option<String> {
    if rest.contains(['?', '#']) {
        return None;
    }
    let steps = rest.split('/').map(pointer::percent_decoded);
    let steps: Vec<String> = steps.collect();
    let is_step = |step: &String| !step.contains('/');
    let name = steps.join("/");
    (steps.iter().all(is_step) && check(&name).is_ok()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Deadline, Limits};
    use std::fs;

    fn read(folder: &DocumentFolder, uri: &str) -> Result<Option<String>, DocumentError> {
        let limits = Limits::default().grammar_bytes(100);
        let deadline = Deadline::start(&limits);
        let found = folder.read(uri, &ReadLimits::new(&limits, &deadline))?;
        Ok(found.map(|found| found.text))
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
            ("http://localhost:1234/../secret.json", None),
            ("http://localhost:1234/%2e%2e/secret.json", None),
            ("http://localhost:1234/..%2fsecret.json", None),
            ("http://localhost:1234//x.json", None),
            ("http://localhost:1234/x.json?a", None),
            ("http://localhost:12345/x.json", None),
            ("https://localhost:1234/x.json", None),
            ("x.json", None),
        ] {
            assert_eq!(read(&folder, uri), Ok(text.map(str::to_owned)), "{uri}");
        }
        for (uri, why) in [
            ("large.json", "is longer than a grammar may be"),
            ("a%20b", "it is a folder"),
        ] {
            let error = read(&folder, &format!("http://localhost:1234/{uri}"));
            let error = error.unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
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
        let inside = read(&folder, "urn:example:in.json");
        assert_eq!(inside, Ok(Some("x".to_owned())));
        for uri in ["urn:example:out.json", "urn:example:zero.json"] {
            let error = read(&folder, uri).unwrap_err().to_string();
            assert!(error.contains("a link leads out"), "{error}");
        }
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
