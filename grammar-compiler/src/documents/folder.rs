//! A folder of documents.
//!
//! In: the name of a document. Out: the text of the file below the folder that has this name. What
//! holds after: only a regular file that lies in the folder was opened, wherever links lead;
//! opening it has not waited; no more of it was read than the limit and one byte.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::{Document, DocumentError, Documents, ReadLimits, check};
use crate::file;

/// How many bytes are read between two looks at the time.
const CHUNK: u64 = 1 << 16;

/// A folder whose files are documents, in it and in the folders below it.
///
/// A link may lead to another file in the folder, not out of it. Pipes, devices and sockets are
/// refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
    /// What errors call the folder.
    shown: PathBuf,
}

impl Folder {
    /// The folder with this path; an empty path is the current folder.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Folder {
            shown: path.clone(),
            path,
        }
    }

    /// The same with a relative path taken from `start`, which errors do not show.
    #[must_use]
    pub fn within(&self, start: &Path) -> Self {
        Folder {
            path: start.join(&self.path),
            shown: self.shown.clone(),
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file without links; nothing if there is no such file.
    fn find(&self, path: &Path) -> Result<Option<PathBuf>, DocumentError> {
        let folder = match self.path.as_os_str().is_empty() {
            true => Path::new("."),
            false => &self.path,
        };
        let (folder, real) = match (folder.canonicalize(), path.canonicalize()) {
            (Ok(folder), Ok(real)) => (folder, real),
            (Err(error), _) | (_, Err(error)) => {
                return match error.kind() {
                    ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
                    _ => Err(refused(&error)),
                };
            }
        };
        match real.starts_with(&folder) {
            true => Ok(Some(real)),
            false => Err(leads_out()),
        }
    }
}

impl Documents for Folder {
    fn read(&self, name: &str, limits: &ReadLimits<'_>) -> Result<Option<Document>, DocumentError> {
        check(name).map_err(|why| DocumentError::Refused(why.to_owned()))?;
        limits.check_time()?;
        let path = self.path.join(name);
        let Some(real) = self.find(&path)? else {
            return Ok(None);
        };
        let opened = file::open(&real).map_err(|error| refused(&error))?;
        // A folder on the way may have been replaced by a link since.
        if !real.canonicalize().is_ok_and(|again| again == real) {
            return Err(leads_out());
        }
        let shown = self.shown.join(name).display().to_string();
        let text = read_text(&opened, &shown, limits)?;
        Ok(Some(Document {
            name: shown,
            text,
            file: Some(path),
            real_file: Some(real),
        }))
    }
}

/// The text of a file that was opened.
fn read_text(opened: &File, shown: &str, limits: &ReadLimits<'_>) -> Result<String, DocumentError> {
    let most = limits.bytes() as u64;
    let too_long = || DocumentError::Limit(file::too_long(shown, most));
    let length = opened.metadata().map_err(|error| refused(&error))?.len();
    if length > most {
        return Err(too_long());
    }
    let mut content = Vec::new();
    loop {
        limits.check_time()?;
        let mut chunk = opened.take(CHUNK);
        let read = chunk.read_to_end(&mut content);
        if read.map_err(|error| refused(&error))? == 0 {
            break;
        }
        if content.len() as u64 > most {
            return Err(too_long());
        }
    }
    file::text(content).map_err(|error| refused(&error))
}

fn refused(error: &Error) -> DocumentError {
    DocumentError::Refused(error.to_string())
}

fn leads_out() -> DocumentError {
    DocumentError::Refused("a link leads out of the folder of documents".to_owned())
}

#[cfg(test)]
mod tests;
