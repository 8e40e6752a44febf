//! Tokens by name, for grammars that name tokens.
//!
//! In: a vocabulary, perhaps loaded only once a grammar asks for it. Out: ids, or an error that
//! says why a name is none, with the nearest names.

use crate::error::Code;
use std::fmt;
use std::sync::Arc;

use super::Vocabulary;
use crate::similar;

/// At most this many tokens of one text are listed.
const MAX_LISTED: usize = 6;

/// The tokens that a grammar can name: those of the vocabulary that it is read for, if it is read
/// for one.
#[derive(Clone, Default)]
pub struct TokenNames(Option<Arc<Load>>);

type Load = dyn Fn() -> Option<Arc<Vocabulary>> + Send + Sync;

/// Why a name or an id is no token.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenNameError {
    /// The grammar is read for no vocabulary.
    NoVocabulary,
    /// No token has this name or text.
    Unknown {
        /// The name.
        name: String,
        /// The nearest name of a special or added token.
        nearest: Option<String>,
    },
    /// Several tokens have this text.
    Ambiguous {
        /// The text.
        name: String,
        /// Their ids, ascending.
        ids: Vec<u32>,
    },
    /// The id is not below the vocabulary's size.
    OutOfRange {
        /// The id.
        id: u32,
        /// The vocabulary's size.
        size: u32,
    },
}

impl TokenNames {
    /// The names of a vocabulary.
    pub fn of(vocabulary: Arc<Vocabulary>) -> Self {
        TokenNames::when_asked(move || Some(vocabulary.clone()))
    }

    /// The names of a vocabulary that is loaded when the first name is asked for.
    pub fn when_asked(load: impl Fn() -> Option<Arc<Vocabulary>> + Send + Sync + 'static) -> Self {
        TokenNames(Some(Arc::new(load)))
    }

    fn vocabulary(&self) -> Result<Arc<Vocabulary>, TokenNameError> {
        let load = self.0.as_ref().ok_or(TokenNameError::NoVocabulary)?;
        load().ok_or(TokenNameError::NoVocabulary)
    }

    /// The token of this name: a special or added token, or else the only token with exactly this
    /// text.
    ///
    /// # Errors
    /// If there is none, or several, or no vocabulary.
    pub fn by_name(&self, name: &str) -> Result<u32, TokenNameError> {
        let vocabulary = self.vocabulary()?;
        if let Some(id) = delimiter(&vocabulary, name) {
            return Ok(id);
        }
        let texts = (0..).zip(vocabulary.iter());
        let mut ids = texts.filter(|(_, text)| !text.is_empty() && *text == name.as_bytes());
        let Some((id, _)) = ids.next() else {
            return Err(TokenNameError::unknown(name, &vocabulary));
        };
        let others: Vec<u32> = ids.map(|(id, _)| id).collect();
        match others.is_empty() {
            true => Ok(id),
            false => Err(TokenNameError::Ambiguous {
                name: name.to_owned(),
                ids: std::iter::once(id).chain(others).collect(),
            }),
        }
    }

    /// The special or added token whose name is exactly this text, if there is a vocabulary and it
    /// has one. A delimiter of this text is then that token.
    pub fn delimiter(&self, text: &str) -> Option<u32> {
        delimiter(&*self.vocabulary().ok()?, text)
    }

    /// Why a vocabulary has no special or added token of this name; `None` if it has one, or if
    /// there is no vocabulary.
    pub(crate) fn lacks(&self, name: &str) -> Option<TokenNameError> {
        let vocabulary = self.vocabulary().ok()?;
        match delimiter(&vocabulary, name) {
            Some(_) => None,
            None => Some(TokenNameError::unknown(name, &vocabulary)),
        }
    }

    /// Whether a token ends a sequence by itself, if there is a vocabulary.
    pub(crate) fn is_end(&self, id: u32) -> bool {
        let vocabulary = self.vocabulary();
        vocabulary.is_ok_and(|vocabulary| vocabulary.eos().binary_search(&id).is_ok())
    }

    /// The names of special and added tokens that a text can hold as delimiters, with their ids:
    /// all that are not only blanks. Empty without a vocabulary.
    pub fn delimiters(&self) -> Vec<(String, u32)> {
        let Ok(vocabulary) = self.vocabulary() else {
            return Vec::new();
        };
        let named = vocabulary.special().chain(vocabulary.added());
        let named = named.filter(|(_, name)| !name.trim().is_empty());
        named.map(|(id, name)| (name.to_owned(), id)).collect()
    }

    /// The names of the control tokens, which have no text, with their ids. Empty without a
    /// vocabulary.
    pub(crate) fn control_tokens(&self) -> Vec<(String, u32)> {
        let Ok(vocabulary) = self.vocabulary() else {
            return Vec::new();
        };
        let named = vocabulary.special().filter(|of| !of.1.trim().is_empty());
        named.map(|(id, name)| (name.to_owned(), id)).collect()
    }

    /// The same id, if it is one.
    ///
    /// # Errors
    /// If it is not below the vocabulary's size, or there is no vocabulary.
    pub fn by_id(&self, id: u32) -> Result<u32, TokenNameError> {
        let size = self.vocabulary()?.size();
        match id < size {
            true => Ok(id),
            false => Err(TokenNameError::OutOfRange { id, size }),
        }
    }
}

fn delimiter(vocabulary: &Vocabulary, text: &str) -> Option<u32> {
    let mut named = vocabulary.special().chain(vocabulary.added());
    named.find(|(_, name)| *name == text).map(|(id, _)| id)
}

impl TokenNameError {
    fn unknown(name: &str, vocabulary: &Vocabulary) -> Self {
        let named = vocabulary.special().chain(vocabulary.added());
        let nearest = similar::closest(name, named.map(|(_, name)| name));
        TokenNameError::Unknown {
            name: name.to_owned(),
            nearest: nearest.map(str::to_owned),
        }
    }

    /// The code of a diagnostic about it.
    pub fn code(&self) -> Code {
        match self {
            TokenNameError::NoVocabulary => Code::TokenWithoutVocabulary,
            TokenNameError::Ambiguous { .. } => Code::AmbiguousToken,
            TokenNameError::Unknown { .. } | TokenNameError::OutOfRange { .. } => {
                Code::UnknownToken
            }
        }
    }

    /// A way out.
    pub fn help(&self) -> String {
        match self {
            TokenNameError::NoVocabulary => {
                "read the grammar for a vocabulary: with `--vocab`, or `GrammarText::tokens`"
                    .to_owned()
            }
            TokenNameError::Unknown {
                nearest: Some(nearest),
                ..
            } => format!("did you mean `{nearest}`?"),
            TokenNameError::Unknown { .. } | TokenNameError::OutOfRange { .. } => {
                "`maskwright vocab` lists the special tokens, and finds a token by its text"
                    .to_owned()
            }
            TokenNameError::Ambiguous { .. } => "name it by its id".to_owned(),
        }
    }
}

impl fmt::Display for TokenNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenNameError::NoVocabulary => {
                f.write_str("tokens can be named only where a vocabulary is known")
            }
            TokenNameError::Unknown { name, .. } => {
                write!(f, "the vocabulary has no token `{name}`")
            }
            TokenNameError::Ambiguous { name, ids } => {
                let listed: Vec<String> = ids.iter().take(MAX_LISTED).map(u32::to_string).collect();
                let more = if ids.len() > MAX_LISTED { ", …" } else { "" };
                let listed = listed.join(", ");
                write!(
                    f,
                    "{} tokens have the text `{name}`: {listed}{more}",
                    ids.len()
                )
            }
            TokenNameError::OutOfRange { id, size } => {
                write!(
                    f,
                    "the vocabulary has no token {id}: its ids are below {size}"
                )
            }
        }
    }
}

impl std::error::Error for TokenNameError {}

impl PartialEq for TokenNames {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for TokenNames {}

impl fmt::Debug for TokenNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = if self.0.is_some() {
            "of a vocabulary"
        } else {
            "none"
        };
        write!(f, "TokenNames({known})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ids_and_texts() {
        let mut tokens: Vec<Vec<u8>> = ["a", "b", "a", "", "<tool>"].map(|text| text.into()).into();
        tokens.push(Vec::new());
        let vocabulary = Vocabulary::from_tokens(tokens, vec![5])
            .with_special(vec![(3, "<|call|>".to_owned()), (5, "<|end|>".to_owned())])
            .with_added(vec![(4, "<tool>".to_owned())]);
        let names = TokenNames::of(Arc::new(vocabulary));
        assert_eq!(names.by_name("b"), Ok(1));
        assert_eq!(names.by_name("<|call|>"), Ok(3));
        assert_eq!(names.delimiter("<tool>"), Some(4));
        assert_eq!(names.delimiter("b"), None);
        let error = names.by_name("<|cal|>").unwrap_err();
        assert_eq!(error.help(), "did you mean `<|call|>`?");
        let error = names.by_name("a").unwrap_err();
        assert_eq!(error.to_string(), "2 tokens have the text `a`: 0, 2");
        assert_eq!(names.by_id(5), Ok(5));
        assert_eq!(names.by_id(6).unwrap_err().code(), "unknown-token");
        let none = TokenNames::default();
        assert_eq!(none.by_name("b"), Err(TokenNameError::NoVocabulary));
        assert_eq!(none.delimiter("<tool>"), None);
    }
}
