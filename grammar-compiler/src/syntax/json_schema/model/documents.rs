//! The documents that a schema refers to.
//!
//! In: the schema, a [`Resolver`] and [folders](super::folder). Out: all documents that references
//! can lead to: published metaschemas, and documents that one of these sources has.

use super::DOING;
use super::draft::Dialect;
use super::registry::{Document, MAX_URI, SchemaRegistry};
use super::{ModelOptions, REFERENCES, published, uri};
use crate::documents::{Document as FoundDocument, DocumentError, Documents, ReadLimits};
use crate::error::{Code, Diagnostic};
use crate::limits::Deadline;
use crate::source::{Source, Span};
use crate::syntax::json_schema::document::{JsonNode, parse};
use crate::syntax::json_schema::refusal::refuse;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// The most documents that a schema may lead to.
const DOCUMENTS: usize = 256;

/// Gives the text of other documents by their URI, without a fragment.
#[derive(Clone)]
pub struct Resolver(Arc<DocumentText>);

/// The text of a document, by its URI.
type DocumentText = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Resolver {
    /// A resolver that calls `text`, which should return the same text each time.
    pub fn new(text: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Resolver(Arc::new(text))
    }
}

impl Documents for Resolver {
    fn read(&self, uri: &str, _: &ReadLimits<'_>) -> Result<Option<FoundDocument>, DocumentError> {
        let text = (self.0)(uri);
        Ok(text.map(|text| FoundDocument::new(uri, text)))
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resolver")
    }
}

impl PartialEq for Resolver {
    /// Whether both are copies of one.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Resolver {}

/// The documents that `root` leads to, itself first.
pub(super) fn load<'r>(
    root: &'r JsonNode,
    dialect: Dialect,
    options: &ModelOptions,
    deadline: &Deadline,
) -> Result<Vec<Document<'r>>, Diagnostic> {
    let mut documents = vec![Document {
        uri: uri::NAMELESS.to_owned(),
        root: Cow::Borrowed(root),
        asked_at: None,
        file: None,
    }];
    let mut asked = BTreeSet::new();
    loop {
        let wanted: Vec<(String, Span)> = wanted(&documents, dialect, deadline)?
            .into_iter()
            .filter(|(uri, _)| asked.insert(uri.clone()))
            .collect();
        let before = documents.len();
        let in_time = deadline.check(DOING);
        in_time.map_err(|limit| Diagnostic::from(&limit))?;
        for (uri, asked_at) in wanted {
            let Some((root, file)) = read(&uri, asked_at, options, deadline)? else {
                continue;
            };
            documents.push(Document {
                uri,
                root: Cow::Owned(root),
                asked_at: Some(asked_at),
                file,
            });
        }
        if documents.len() > DOCUMENTS {
            let message = format!("the schema leads to more than {DOCUMENTS} other documents");
            let help = "copy the schemas that are needed into `$defs`";
            return Err(Diagnostic::error(Code::LimitExceeded, message).help(help));
        }
        if documents.len() == before {
            return Ok(documents);
        }
    }
}

/// The URIs of documents that are referred to and not known, and where.
fn wanted(
    documents: &[Document<'_>],
    dialect: Dialect,
    deadline: &Deadline,
) -> Result<Vec<(String, Span)>, Diagnostic> {
    let registry = SchemaRegistry::new(documents, dialect, deadline);
    if let Some(span) = registry.too_long {
        let message = format!("the URI of a schema has more than {MAX_URI} bytes");
        return Err(Diagnostic::error(Code::LimitExceeded, message)
            .at(span, "with the `$id`s around it")
            .help("write a shorter `$id`"));
    }
    let mut wanted = Vec::new();
    for (node, entry) in registry.entries() {
        let resource = registry.resource(entry.resource);
        let asked_at = registry.document(resource.document).asked_at;
        for member in REFERENCES.iter().filter_map(|keyword| node.member(keyword)) {
            let Some(reference) = member.value.as_str() else {
                continue;
            };
            let (path, _) = uri::split(reference);
            let uri = uri::join(&resource.uri, path);
            if !path.is_empty() && !registry.knows(&uri) {
                wanted.push((uri, asked_at.unwrap_or(member.span.to(member.value.span))));
            }
        }
    }
    Ok(wanted)
}

/// The document `uri`, if there is one, and its file, if it has one.
fn read(
    uri: &str,
    asked_at: Span,
    options: &ModelOptions,
    deadline: &Deadline,
) -> Result<Option<(JsonNode, Option<PathBuf>)>, Diagnostic> {
    let shown = uri::shown(uri);
    let refused = |why: String| {
        let place = super::SchemaPlace {
            pointer: shown.to_owned(),
            span: asked_at,
        };
        let why = format!("this document cannot be read: {why}");
        let help = "mend that document";
        refuse(Code::SchemaOtherDocument, &place, "", why, help)
    };
    let limits = ReadLimits::new(&options.limits, deadline);
    let found = match published::text(uri) {
        Some(text) => Ok(Some(FoundDocument::new(shown, text))),
        None => find(shown, options, &limits),
    };
    let (text, file) = match found {
        Ok(Some(FoundDocument { text, file, .. })) => (text, file),
        Ok(None) => return Ok(None),
        Err(DocumentError::Refused(why)) => return Err(refused(why)),
        Err(DocumentError::Limit(limit)) => {
            return Err(Diagnostic::from(&limit).at(asked_at, "asked for here"));
        }
    };
    let source = Source::new(shown, text);
    let parsed = parse(&source, &options.limits);
    let root = parsed.map_err(|error| {
        let position = error.span().map(|span| source.position(span.start));
        let position = position.map(|at| format!("{at}: ")).unwrap_or_default();
        refused(format!("{position}{}", error.message()))
    })?;
    Ok(Some((root, file)))
}

/// The document `uri` from the first source that has it.
fn find(
    uri: &str,
    options: &ModelOptions,
    limits: &ReadLimits<'_>,
) -> Result<Option<FoundDocument>, DocumentError> {
    let resolver = options.resolver.iter().map(|found| found as &dyn Documents);
    let folders = options.folders.iter().map(|found| found as &dyn Documents);
    for source in resolver.chain(folders) {
        let found = source.read(uri, limits)?;
        limits.check_time()?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
