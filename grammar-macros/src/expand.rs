//! From the macro's input to compiled statics.
//!
//! In: tokens. Out: the items of [`maskwright_compiler::emit`], warnings as uses of deprecated
//! constants (the only form that stable macros have), and the files that were read, so that rustc
//! looks at them again when they change; or all errors, each at its place.

#[cfg(feature = "tags")]
mod link;
#[cfg(not(feature = "tags"))]
#[path = "expand/absent/link.rs"]
mod link;

use maskwright_compiler::build::{OtherTables, PackedVocabulary, VocabularySpec, facts};
use maskwright_compiler::emit::{self, Embedding, GrammarItem, LinkedItem, VocabularyItem};
use maskwright_compiler::pda::height::Depths;
use maskwright_compiler::vocabulary::{MAX_FILE_BYTES, TokenNames};
use maskwright_compiler::{Compiler, Diagnostic, Options};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::path::Path;
use syn::LitStr;

use crate::environment::Environment;
use crate::input::{Depth, Input, Item, Vocabulary};
use crate::read::{self, Read};
use crate::resolve::combine;

/// Expands one invocation.
pub(crate) fn expand(tokens: TokenStream, environment: &Environment) -> TokenStream {
    syn::parse2::<Input>(tokens)
        .and_then(|input| expand_items(&input.items, environment))
        .unwrap_or_else(|errors| errors.to_compile_error())
}

/// Items that share a vocabulary.
struct Group<'i> {
    vocabulary: &'i Vocabulary,
    spec: VocabularySpec,
    packed: PackedVocabulary,
    /// Has the cache; each item has its own options.
    compiler: Compiler,
    items: Vec<GrammarItem>,
    linked: Vec<LinkedItem>,
    /// Those that others stand beside.
    others: Vec<(&'i Ident, OtherTables)>,
    visibility: TokenStream,
}

fn expand_items(items: &[Item], environment: &Environment) -> syn::Result<TokenStream> {
    let mut groups: Vec<Group> = Vec::new();
    let mut errors = Vec::new();
    let mut besides = TokenStream::new();
    for item in items {
        match expand_item(item, environment, &mut groups) {
            Ok(tokens) => besides.extend(tokens),
            Err(error) => errors.push(error),
        }
    }
    if let Some(errors) = combine(errors) {
        return Err(errors);
    }
    for group in groups {
        besides.extend(group.emit()?);
    }
    Ok(besides)
}

/// Compiles one item into its group; answers its warnings and the files that it depends on.
fn expand_item<'i>(
    item: &'i Item,
    environment: &Environment,
    groups: &mut Vec<Group<'i>>,
) -> syn::Result<TokenStream> {
    let options = Options::default().deterministic(item.deterministic);
    let group = find_group(groups, item, environment);
    let names = group
        .as_ref()
        .map_or_else(|_| TokenNames::default(), |group| group.packed.names());
    let read = read::grammar(&item.grammar, &environment.package, &options.limits, names);
    let (read, group) = match (read, group) {
        (Ok(read), Ok(group)) => (read, group),
        (Err(mut error), Err(other)) => {
            error.combine(other);
            return Err(error);
        }
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let warnings = match item.link {
        true => group.link(item, &read, options, environment)?,
        false => group.compile(item, &read, options)?,
    };
    Ok(group.beside(item, &read, &warnings, environment))
}

/// Refuses a depth with which no text can be finished.
fn check_depth(depths: Depths, depth: &Depth) -> syn::Result<()> {
    depths.check(depth.frames).map_err(|wrong| {
        let help = wrong.way_out().unwrap_or_default();
        syn::Error::new(depth.span, format!("{}\n{help}", wrong.message()))
    })
}

/// The group of the item's vocabulary, which is read if the item is the first to name it.
fn find_group<'g, 'i>(
    groups: &'g mut Vec<Group<'i>>,
    item: &'i Item,
    environment: &Environment,
) -> syn::Result<&'g mut Group<'i>> {
    let vocabulary = &item.vocabulary;
    let index = match groups
        .iter()
        .position(|group| group.vocabulary.is_same(vocabulary))
    {
        Some(index) => index,
        None => {
            let spec = vocabulary.spec(environment);
            let packed = spec
                .pack(&environment.cache)
                .map_err(|error| syn::Error::new(vocabulary.name.span(), error.message()))?;
            let visibility = item.visibility.to_token_stream();
            groups.push(Group {
                vocabulary,
                spec,
                compiler: Compiler::packed(&packed).with_cache(environment.cache.clone()),
                packed,
                items: Vec::new(),
                linked: Vec::new(),
                others: Vec::new(),
                visibility,
            });
            groups.len() - 1
        }
    };
    groups
        .get_mut(index)
        .ok_or_else(|| syn::Error::new(vocabulary.name.span(), "no such vocabulary"))
}

impl Vocabulary {
    fn is_same(&self, other: &Vocabulary) -> bool {
        self.is_file == other.is_file
            && self.name.value() == other.name.value()
            && self.size == other.size
            && self.eos == other.eos
            && self.special.as_ref().map(LitStr::value) == other.special.as_ref().map(LitStr::value)
    }

    fn spec(&self, environment: &Environment) -> VocabularySpec {
        let mut spec = match self.is_file {
            true => VocabularySpec::file_in(&environment.package, self.name.value()),
            false => VocabularySpec::named(self.name.value()),
        };
        if let Some(size) = self.size {
            spec = spec.size(size);
        }
        if let Some(eos) = &self.eos {
            spec = spec.eos(eos.iter().copied());
        }
        if let Some(special) = &self.special {
            spec = spec.special_tokens_file_in(&environment.package, special.value());
        }
        spec
    }
}

impl<'i> Group<'i> {
    /// Compiles an item; answers the warnings.
    fn compile(
        &mut self,
        item: &'i Item,
        read: &Read,
        options: Options,
    ) -> syn::Result<Vec<Diagnostic>> {
        let other = item.beside.as_ref().map(|name| self.other(name));
        let other = other.transpose()?;
        let other = other.and_then(|at| Some(&self.others.get(at)?.1));
        let compiler = other.map_or(&self.compiler, OtherTables::compiler);
        let compiled = compiler.with_options(options).compile(read.grammar());
        let compiled = compiled.map_err(|error| read.locate(&error))?;
        let facts = facts(&compiled, other)
            .map_err(|error| syn::Error::new(item.name.span(), error.message()))?;
        if let Some(depth) = &item.depth {
            check_depth(facts.depths, depth)?;
        }
        let beside = other.map(|other| other.path().clone());
        let attributes = &item.attributes;
        let warnings = compiled.warnings().to_vec();
        self.items.push(GrammarItem {
            name: item.name.clone(),
            visibility: item.visibility.to_token_stream(),
            attributes: quote!(#(#attributes)*),
            origin: read.origin(),
            facts,
            tables: Embedding::Literal(compiled.into_tables()),
            depth: item.depth.as_ref().map(|depth| depth.frames),
            calls: read.calls(),
            beside,
        });
        Ok(warnings)
    }

    /// The files that an item depends on, and its warnings with these of its tables.
    fn beside(
        &self,
        item: &Item,
        read: &Read,
        of_tables: &[Diagnostic],
        environment: &Environment,
    ) -> TokenStream {
        let files = read.path().into_iter().map(LitStr::value);
        let package = &environment.package;
        let of_vocabulary = self.packed.files().iter().filter(|path| is_watched(path));
        let of_vocabulary = of_vocabulary.filter_map(|path| {
            let path = path.strip_prefix(package).ok()?;
            path.to_str().map(str::to_owned)
        });
        let files = files.chain(of_vocabulary).map(|path| depend_on(&path));
        let of_tables = of_tables.iter().map(|warning| {
            let (message, place) = read.place_warning(warning);
            (message, place.unwrap_or(item.name.span()))
        });
        let warnings = read.warnings().into_iter().chain(of_tables);
        let warnings =
            warnings.map(|(message, place)| warn(&format!("in the grammar: {message}"), place));
        // Their paths start at the package's, which is absolute.
        let others = read.files().iter().filter_map(|path| path.to_str());
        let others = others.map(|path| {
            quote!(
                const _: &[u8] = include_bytes!(#path);
            )
        });
        quote!(#(#files)* #(#others)* #(#warnings)*)
    }

    /// Where in `others` the grammar of this name is.
    fn other(&mut self, name: &'i Ident) -> syn::Result<usize> {
        if let Some(at) = self.others.iter().position(|(other, _)| *other == name) {
            return Ok(at);
        }
        let item = self.items.iter().find(|item| item.name == *name);
        let Some(Embedding::Literal(tables)) = item.map(|item| &item.tables) else {
            let message = format!(
                "no grammar above is called `{name}`: `beside` names one of the same invocation and vocabulary that comes first"
            );
            return Err(syn::Error::new(name.span(), message));
        };
        let other = OtherTables::new(tables.clone(), &name.clone().into(), &self.compiler)
            .map_err(|error| syn::Error::new(name.span(), error.message()))?;
        self.others.push((name, other));
        Ok(self.others.len() - 1)
    }
}

impl Group<'_> {
    /// The statics of the group; the vocabulary's has the name of the first grammar, or of the
    /// first linked tools if there is no grammar.
    fn emit(self) -> syn::Result<TokenStream> {
        let first = self.items.first().map(|item| &item.name);
        let Some(first) = first.or(self.linked.first().map(|item| &item.name)) else {
            return Ok(TokenStream::new());
        };
        let name = format_ident!("{first}_VOCABULARY");
        let tables = self.packed.tables();
        let embedding = Embedding::Literal(tables.to_vec());
        let vocabulary = VocabularyItem::new(
            name,
            self.visibility,
            self.spec.description(),
            tables,
            embedding,
        )
        .map_err(|error| syn::Error::new(self.vocabulary.name.span(), error))?;
        let mut tokens = emit::items(&self.items, &self.linked, &vocabulary);
        if self.packed.eos().is_empty() {
            let message = "in the vocabulary: no token is known to end a sequence, so no mask allows a text to end: \
                           write `(eos = [ID])` after it, with `size = COUNT` if the file leaves special tokens out";
            tokens.extend(warn(message, self.vocabulary.name.span()));
        }
        Ok(tokens)
    }
}

/// Makes rustc look at the file again when it changes.
fn depend_on(path: &str) -> TokenStream {
    let path = format!("/{path}");
    quote! {
        const _: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), #path));
    }
}

/// rustc reads whole what it is to look at again, also a model of many gigabytes: such a file is
/// not looked at again.
fn is_watched(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() <= MAX_FILE_BYTES)
}

/// A warning at a place.
fn warn(message: &str, place: Span) -> TokenStream {
    quote_spanned! {place=>
        const _: () = {
            #[deprecated(note = #message)]
            #[allow(non_upper_case_globals)]
            const warning: () = ();
            warning
        };
    }
}

#[cfg(all(test, feature = "files", feature = "json-schema"))]
mod tests;
