//! One run of a [`Builder`]: its grammars compiled, its files written.
//!
//! In: a builder, a cache and the vocabulary's tables. Out: files in a folder. What holds after: a
//! file that already had the right content has not been touched.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::beside::{BesideSpec, facts};
use super::builder::Builder;
use super::directive::{Directive, failure, no_end_token};
use super::{Cache, GrammarText, OtherTables, PackedVocabulary, VocabularySpec};
use crate::compile::{Compiled, Compiler};
use crate::emit::{self, Embedding, GrammarItem, VocabularyItem};
use crate::error::{Diagnostic, Error};
use crate::file;
use crate::limits::Limits;
use crate::syntax::Parsed;

/// The folder of documents that texts of a build script name, if they are in no file and say
/// nothing else: the package, in which Cargo runs it.
pub(super) const PACKAGE: &str = "";

impl Builder {
    /// Compiles, writes `OUT_DIR/file` and the tables that it includes, and tells Cargo on standard
    /// output which files it depends on, and the warnings.
    ///
    /// # Errors
    /// If a file cannot be read, a grammar or the vocabulary is wrong, or `OUT_DIR` is not set or
    /// cannot be written. `Display` and `Debug` both show the place in the grammar.
    pub fn emit(self, file: &str) -> Result<(), Error> {
        let out = env::var_os("OUT_DIR").ok_or_else(|| {
            failure("the environment variable OUT_DIR is not set".into())
                .help("call `emit` in a build script, where Cargo sets it")
        })?;
        self.emit_into(Path::new(&out), file, &mut |directive| {
            println!("{directive}")
        })
    }

    pub(super) fn emit_into(
        self,
        out: &Path,
        file: &str,
        direct: &mut dyn FnMut(Directive),
    ) -> Result<(), Error> {
        let spec = self.vocabulary.as_ref().ok_or_else(|| {
            failure("no vocabulary was given".into())
                .help("add `.vocabulary_named(…)` or `.vocabulary_file(…)`")
        })?;
        let texts = || self.grammars.iter().chain(&self.linked);
        let files = (texts().filter_map(|(_, text)| text.path()))
            .chain(spec.paths())
            .chain(self.beside.as_ref().and_then(BesideSpec::file));
        files.for_each(|path| direct(Directive::RerunIfChanged(path.to_path_buf())));
        let mut folders = BTreeSet::new();
        for (_, text) in texts() {
            let text = text.or_schema_options(self.schema_options.as_ref());
            folders.extend(text.document_folders().map(Path::to_path_buf));
        }
        // Cargo looks at everything in a folder.
        folders
            .into_iter()
            .for_each(|folder| direct(Directive::RerunIfChanged(folder)));
        let in_out = || Cache::from_env(Some(out.join("maskwright-cache")));
        let cache = self.cache.clone().unwrap_or_else(in_out);
        let packed = spec.pack(&cache)?;
        let is_watched = |file: &&PathBuf| spec.paths().any(|path| path == file.as_path());
        let others = packed.files().iter().filter(|file| !is_watched(file));
        others.for_each(|file| direct(Directive::RerunIfChanged(file.clone())));
        if packed.eos().is_empty() {
            direct(Directive::Warning(no_end_token(spec)));
        }
        if let Some(warning) = packed.left_out() {
            direct(Directive::Warning(warning.to_owned()));
        }
        let compiler = Compiler::packed(&packed)
            .with_options(self.options.clone())
            .with_cache(cache);
        let run = BuildRun {
            builder: &self,
            compiler: &compiler,
            packed: &packed,
            output: Output { folder: out, file },
            direct: &mut *direct,
        };
        let emitted = run.emit(spec);
        for refused in compiler.cache().take_refused() {
            direct(Directive::Warning(refused.to_string()));
        }
        emitted
    }
}

/// One run of a builder.
pub(super) struct BuildRun<'a> {
    pub(super) builder: &'a Builder,
    /// Has the builder's options and cache.
    pub(super) compiler: &'a Compiler,
    pub(super) packed: &'a PackedVocabulary,
    pub(super) output: Output<'a>,
    pub(super) direct: &'a mut dyn FnMut(Directive),
}

impl BuildRun<'_> {
    /// Compiles all grammars and writes all files.
    pub(super) fn emit(mut self, spec: &VocabularySpec) -> Result<(), Error> {
        let items = self.grammars()?;
        let linked = self.linked()?;
        let mut names = items.iter().map(|item| &item.name);
        let first = names.next().or(linked.first().map(|item| &item.name));
        let vocabulary = self.output.vocabulary(first, spec, self.packed)?;
        let code =
            emit::file(&items, &linked, &vocabulary).map_err(|error| failure(error.to_string()))?;
        self.output.write(self.output.file, code.as_bytes())
    }

    /// The items of all grammars, in the order in which they were added. The one that others stand
    /// beside is compiled first.
    fn grammars(&mut self) -> Result<Vec<GrammarItem>, Error> {
        let grammars = &self.builder.grammars;
        let linked = &self.builder.linked;
        let named = grammars.iter().chain(linked).map(|(name, _)| name);
        let is_there = |name: &str| named.clone().any(|other| other == name);
        if let Some((name, _)) = self.builder.depths.iter().find(|(name, _)| !is_there(name)) {
            return Err(no_such_depth(name).into());
        }
        let (first, other) = match &self.builder.beside {
            None => (None, None),
            Some(BesideSpec::File { file, path }) => {
                (None, Some(OtherTables::read(file, path, self.compiler)?))
            }
            Some(BesideSpec::Grammar(name)) => {
                let at = grammars.iter().position(|(other, _)| other == name);
                let at = at.ok_or_else(|| no_such_grammar(name))?;
                let (item, tables) = self.grammar(&grammars[at], None)?;
                let other = OtherTables::new(tables, &item.name.clone().into(), self.compiler)?;
                (Some((at, item)), Some(other))
            }
        };
        let mut items = Vec::new();
        for (at, grammar) in grammars.iter().enumerate() {
            match &first {
                Some((first, item)) if *first == at => items.push(item.clone()),
                _ => items.push(self.grammar(grammar, other.as_ref())?.0),
            }
        }
        Ok(items)
    }

    /// The item and the tables of a grammar.
    fn grammar(
        &mut self,
        (name, text): &(String, GrammarText),
        other: Option<&OtherTables>,
    ) -> Result<(GrammarItem, Vec<u8>), Error> {
        let name = identifier(name)?;
        let text = text.or_schema_options(self.builder.schema_options.as_ref());
        let text = text.or_folder(PACKAGE);
        let text = text.tokens(self.packed.names());
        // Reading and compiling share the time.
        let limits = self.builder.options.limits.begun();
        let parsed = self.parse(&text, &limits)?;
        let compiler = other.map_or(self.compiler, OtherTables::compiler);
        let options = compiler.options().clone().limits(limits);
        let compiled = compiler.with_options(options).compile(&parsed.grammar);
        let compiled = compiled.map_err(|error| parsed.locate(error))?;
        for warning in compiled.warnings() {
            (self.direct)(Directive::Warning(warning.one_line(&parsed.sources)));
        }
        let mut item = self.output.grammar(name, &text, &compiled, other)?;
        item.depth = self.depth(&item)?;
        item.calls = parsed.calls;
        Ok((item, compiled.into_tables()))
    }

    /// Reads a grammar, and tells Cargo its warnings and which other files were read.
    pub(super) fn parse(&mut self, text: &GrammarText, limits: &Limits) -> Result<Parsed, Error> {
        let parsed = text.parse(limits)?;
        for file in &parsed.files {
            (self.direct)(Directive::RerunIfChanged(file.clone()));
        }
        for warning in &parsed.warnings {
            (self.direct)(Directive::Warning(warning.one_line(&parsed.sources)));
        }
        Ok(parsed)
    }

    /// The depth that the builder says for a grammar, the last one if there are several.
    fn depth(&self, item: &GrammarItem) -> Result<Option<usize>, Error> {
        let mut said = self.builder.depths.iter().rev();
        let said = said.find(|(name, _)| item.name == name);
        let Some((name, depth)) = said else {
            return Ok(None);
        };
        match item.facts.depths.check(*depth) {
            Ok(()) => Ok(Some(*depth)),
            Err(wrong) => Err(wrong.note(&format!("the grammar is `{name}`")).into()),
        }
    }
}

/// Where files are written.
pub(super) struct Output<'a> {
    pub(super) folder: &'a Path,
    /// The name of the Rust file, after which the files with tables are named.
    pub(super) file: &'a str,
}

impl Output<'_> {
    fn grammar(
        &self,
        name: Ident,
        text: &GrammarText,
        compiled: &Compiled,
        other: Option<&OtherTables>,
    ) -> Result<GrammarItem, Error> {
        Ok(GrammarItem {
            visibility: quote!(pub),
            attributes: TokenStream::new(),
            origin: text.description(),
            facts: facts(compiled, other)?,
            tables: self.write_tables(&name.to_string(), compiled.tables())?,
            depth: None,
            calls: None,
            beside: other.map(|other| other.path().clone()),
            name,
        })
    }

    fn vocabulary(
        &self,
        first: Option<&Ident>,
        spec: &VocabularySpec,
        packed: &PackedVocabulary,
    ) -> Result<VocabularyItem, Error> {
        let first = first.ok_or_else(|| {
            failure("no grammar was given".into()).help("add `.ebnf_file(\"NAME\", …)`")
        })?;
        let name = format_ident!("{first}_VOCABULARY");
        let embedding = self.write_tables(&name.to_string(), packed.tables())?;
        VocabularyItem::new(
            name,
            quote!(pub),
            spec.description(),
            packed.tables(),
            embedding,
        )
        .map_err(|error| failure(error.to_string()).into())
    }

    pub(super) fn write_tables(&self, name: &str, tables: &[u8]) -> Result<Embedding, Error> {
        let file = format!("{}.{name}.mask", self.file);
        self.write(&file, tables)?;
        Ok(Embedding::OutDir(file))
    }

    fn write(&self, file: &str, content: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(file);
        // Another builder may use this output as its base: if the output is unchanged, that one
        // need not run again.
        if file::read(&path, content.len() as u64).is_ok_and(|written| written == content) {
            return Ok(());
        }
        fs::write(&path, content)
            .map_err(|error| failure(format!("cannot write {}: {error}", path.display())).into())
    }
}

/// The name of a static.
pub(super) fn identifier(name: &str) -> Result<Ident, Error> {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => Ok(Ident::new(name, Span::call_site())),
        Err(_) => Err(failure(format!("`{name}` cannot be the name of a static"))
            .help("name the grammar with letters, digits and `_`, such as `JSON`")
            .into()),
    }
}

fn no_such_depth(name: &str) -> Diagnostic {
    failure(format!(
        "no grammar is called `{name}`, whose depth is given"
    ))
    .help("add it, such as with `.ebnf_file(\"JSON\", …)`, or give the depth of one that was added")
}

fn no_such_grammar(name: &str) -> Diagnostic {
    failure(format!(
        "no grammar is called `{name}`, which the others shall stand beside"
    ))
    .help("add it, such as with `.ebnf_file(\"JSON\", …)`; for tables in a file call `beside_file`")
}
