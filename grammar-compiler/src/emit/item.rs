//! The items that one grammar and one vocabulary become.

use maskwright_core::{LoadError, Vocabulary};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::TableFacts;
use super::facts::grouped;
use crate::syntax::tools::ToolCalls;

/// How the bytes of tables get into the program.
#[derive(Clone, Debug)]
pub enum Embedding {
    /// As a byte string in the emitted code.
    Literal(Vec<u8>),
    /// From the file of this name in `OUT_DIR`.
    OutDir(String),
}

impl Embedding {
    /// An expression of type `&'static [u8; N]`.
    pub(super) fn to_tokens(&self) -> TokenStream {
        match self {
            Embedding::Literal(bytes) => {
                let literal = Literal::byte_string(bytes);
                quote!(#literal)
            }
            Embedding::OutDir(name) => {
                let path = format!("/{name}");
                quote!(include_bytes!(concat!(env!("OUT_DIR"), #path)))
            }
        }
    }
}

/// A grammar to be emitted as a `static`, with a type for its matcher.
#[derive(Clone, Debug)]
pub struct GrammarItem {
    /// The name of the static, such as `JSON`.
    pub name: Ident,
    /// Its visibility, such as `pub`.
    pub visibility: TokenStream,
    /// Attributes for the static, such as documentation of its author's.
    pub attributes: TokenStream,
    /// The source, as the documentation calls it: "`grammars/json.ebnf`".
    pub origin: String,
    /// Figures for the documentation, and the number of stacks.
    pub facts: TableFacts,
    /// The tables.
    pub tables: Embedding,
    /// The `DEPTH` of the matcher's type; without one the type has it as a parameter.
    /// [`Depths::check`](crate::pda::height::Depths::check) says whether it is enough.
    pub depth: Option<usize>,
    /// The format for a reader of outputs, if the sentences are outputs with tool calls: a static
    /// `TOOLS_FORMAT` beside `TOOLS`.
    pub calls: Option<Box<ToolCalls>>,
    /// The path of the static whose tables these were compiled beside. If they share none of its
    /// sets, they stand alone all the same.
    pub beside: Option<TokenStream>,
}

/// A vocabulary to be emitted as a `static` that grammars share.
#[derive(Clone, Debug)]
pub struct VocabularyItem {
    /// The name of the static, such as `JSON_VOCABULARY`.
    pub name: Ident,
    /// Its visibility, such as `pub`.
    pub visibility: TokenStream,
    /// What the documentation calls it: "`cl100k_base`".
    pub origin: String,
    /// Number of token ids.
    pub size: u32,
    /// The tables.
    pub tables: Embedding,
}

impl GrammarItem {
    /// The name of the matcher's type: `JsonMatcher` for `JSON`, `SqlQueryMatcher` for `SQL_QUERY`.
    pub fn matcher_name(&self) -> Ident {
        matcher_name(&self.name)
    }

    /// The static and the matcher's type.
    pub(super) fn to_tokens(&self, vocabulary: &VocabularyItem) -> TokenStream {
        let GrammarItem {
            name,
            visibility,
            attributes,
            ..
        } = self;
        let vocabulary_name = &vocabulary.name;
        let docs = self.docs(vocabulary);
        let (load, assertion) = (self.load(), self.assertion());
        let matcher_type = self.matcher_type();
        let calls = self.calls.as_ref();
        let calls = calls.map(|calls| call_format(name, visibility, calls));
        let mismatch = format!(
            "the tables of `{name}` and its vocabulary do not belong together: build again"
        );
        quote! {
            #assertion
            #attributes
            #(#[doc = #docs])*
            #visibility static #name: ::maskwright::Grammar<'static> =
                match #load.with_vocabulary(#vocabulary_name) {
                    Ok(grammar) => grammar,
                    Err(_) => panic!(#mismatch),
                };

            #matcher_type
            #calls
        }
    }

    /// The type of the grammar's matcher.
    fn matcher_type(&self) -> TokenStream {
        let (name, matcher, visibility) = (&self.name, self.matcher_name(), &self.visibility);
        let stacks = Literal::usize_unsuffixed(self.facts.stacks);
        let (parameter, depth, shown) = match self.depth {
            Some(depth) => {
                let literal = Literal::usize_unsuffixed(depth);
                (TokenStream::new(), quote!(#literal), depth.to_string())
            }
            None => (
                quote!(<const DEPTH: usize = 32>),
                quote!(DEPTH),
                "`DEPTH`".to_owned(),
            ),
        };
        let needs = match self.facts.stacks {
            1 => "one stack".to_owned(),
            count => format!("{count} stacks"),
        };
        let doc = format!(
            " A matcher for [`{name}`], which needs {needs} and texts that nest at most {shown} frames deep."
        );
        quote! {
            #[doc = #doc]
            #[allow(dead_code)]
            #visibility type #matcher #parameter = ::maskwright::Matcher<'static, #depth, #stacks>;
        }
    }

    /// The static that the tables need, and its checksum, if they share sets.
    fn other(&self) -> Option<(&TokenStream, u32)> {
        Some((self.beside.as_ref()?, self.facts.stands_beside?))
    }

    /// The grammar without its vocabulary.
    fn load(&self) -> TokenStream {
        let bytes = self.tables.to_tokens();
        match self.other() {
            Some((other, _)) => {
                quote!(::maskwright::Grammar::from_static_beside(#bytes, &#other))
            }
            None => quote!(::maskwright::Grammar::from_static(#bytes)),
        }
    }

    /// Other tables under that path are found when compiling, with the names of both.
    fn assertion(&self) -> TokenStream {
        let Some((other, checksum)) = self.other() else {
            return TokenStream::new();
        };
        let message = format!(
            "`{}` was compiled beside other tables than those of `{}`: build both from the same ones",
            self.name,
            path_text(other)
        );
        let checksum = Literal::u32_unsuffixed(checksum);
        quote!(
            const _: () = assert!(#other.checksum() == #checksum, #message);
        )
    }

    fn docs(&self, vocabulary: &VocabularyItem) -> Vec<String> {
        let (name, matcher) = (&self.name, self.matcher_name());
        let mut lines = Vec::new();
        if !self.attributes.is_empty() {
            lines.push(String::new());
        }
        let beside = self.other().map(|(other, _)| {
            let other = path_text(other);
            format!(", beside [`{other}`], whose token sets it shares")
        });
        lines.push(format!(
            "The grammar {}, compiled for the vocabulary {}{}.",
            self.origin,
            vocabulary.origin,
            beside.unwrap_or_default()
        ));
        lines.push(String::new());
        lines.extend(self.facts.doc_lines());
        lines.push(String::new());
        lines.push("```ignore".into());
        let depth = match self.depth {
            Some(_) => "",
            None => "::<32>",
        };
        lines.push(format!(
            "let mut matcher = {matcher}{depth}::new(&{name})?;"
        ));
        lines.push("matcher.mask().apply(&mut logits);".into());
        lines.push("matcher.accept_token(token)?;".into());
        lines.push("```".into());
        lines.into_iter().map(doc_line).collect()
    }
}

impl VocabularyItem {
    /// A vocabulary of these tables, which are validated.
    ///
    /// # Errors
    /// What the runtime says when it refuses to load the tables.
    pub fn new(
        name: Ident,
        visibility: TokenStream,
        origin: String,
        tables: &[u8],
        embedding: Embedding,
    ) -> Result<Self, LoadError> {
        let size = Vocabulary::load(tables)?.size();
        Ok(VocabularyItem {
            name,
            visibility,
            origin,
            size,
            tables: embedding,
        })
    }

    /// The static.
    pub(super) fn to_tokens(&self) -> TokenStream {
        let VocabularyItem {
            name,
            visibility,
            origin,
            size,
            tables,
        } = self;
        let size = grouped(u64::from(*size));
        let doc = format!(" The bytes of the {size} token ids of the vocabulary {origin}.");
        let bytes = tables.to_tokens();
        quote! {
            #[doc = #doc]
            #visibility static #name: ::maskwright::Vocabulary<'static> =
                ::maskwright::Vocabulary::from_static(#bytes);
        }
    }
}

/// The name of a matcher's type: `JsonMatcher` for `JSON`, `SqlQueryMatcher` for `SQL_QUERY`.
pub(super) fn matcher_name(of: &Ident) -> Ident {
    let mut name = String::new();
    for word in of.to_string().split('_') {
        let mut characters = word.chars();
        name.extend(characters.next().into_iter().flat_map(char::to_uppercase));
        name.extend(characters.flat_map(char::to_lowercase));
    }
    format_ident!("{name}Matcher", span = of.span())
}

/// The format of the outputs that a static allows, for the reader.
pub(super) fn call_format(of: &Ident, visibility: &TokenStream, calls: &ToolCalls) -> TokenStream {
    let name = format_ident!("{of}_FORMAT");
    let format = calls.with_format(super::calls::tokens);
    let tools: Vec<String> = calls.tools().map(|tool| format!("`{tool}`")).collect();
    let doc = format!(
        " How outputs that [`{of}`] allows are read back: text, reasoning and calls of {}.",
        tools.join(", ")
    );
    quote! {
        #[doc = #doc]
        #[allow(dead_code)]
        #visibility static #name: ::maskwright::calls::CallFormat<'static> = #format;
    }
}

/// A path without blanks: `crate::JSON`.
fn path_text(path: &TokenStream) -> String {
    path.to_string().replace(' ', "")
}

/// A line as rustdoc's `///` has it, with the space in front.
pub(super) fn doc_line(line: String) -> String {
    if line.is_empty() {
        line
    } else {
        format!(" {line}")
    }
}
