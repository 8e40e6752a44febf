//! Files that commands read, and standard input. A file that is named on the command line may be a
//! pipe, such as that of `<(…)`.

use crate::failure::Failure;
use maskwright_compiler::error::Error;
use maskwright_compiler::file;
use maskwright_compiler::limits::Limits;
use std::path::Path;

/// Reads a grammar, a schema or a document that one refers to, which may be as long as `limits`
/// say; standard input where `path` is `-`.
pub fn read_grammar(path: &Path, limits: &Limits) -> Result<String, Failure> {
    let content = read_within(path, file::most_of_grammar(limits)).and_then(file::text);
    content.map_err(|error| match file::grammar_too_long(path, &error, limits) {
        Some(limit) => Failure::from(Error::from(limit)),
        None => Failure::file(path)(error),
    })
}

/// Reads a file, or standard input where `path` is `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_within(path, file::MAX_BYTES).map_err(Failure::file(path))
}

fn read_within(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    match path == Path::new("-") {
        true => file::read_all(std::io::stdin().lock(), most),
        false => file::read_any(path, most),
    }
}

/// The lines of a content; a line feed ends the last one, too.
pub fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let content = content.strip_suffix(b"\n").unwrap_or(content);
    content.split(|&byte| byte == b'\n')
}
