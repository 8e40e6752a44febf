//! What a build script gets, and what it costs the second time.

mod beside;
mod documents;
mod linked;
mod schemas;
mod vocabulary;

use super::*;
use crate::compile::Compiler;
use crate::error::Error;
use crate::options::Options;
use crate::syntax::json_schema::SchemaOptions;
use crate::vocabulary::Vocabulary;
use maskwright_core as runtime;
use std::fs;
use std::path::PathBuf;

const GRAMMAR: &str = "root ::= \"a\" digit+ \"!\"\ndigit ::= [0-9]\n";

/// A folder with a grammar, a vocabulary of 256 bytes and an end token, and a place for output.
struct Package {
    folder: tempfile::TempDir,
}

impl Package {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("out")).unwrap();
        let package = Package { folder };
        package.write("g.ebnf", GRAMMAR);
        package.write("v.tiktoken", &byte_tokens());
        package
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).unwrap();
    }

    fn vocabulary(&self) -> VocabularySpec {
        VocabularySpec::file(self.path("v.tiktoken"))
            .size(300)
            .eos([256])
    }

    fn builder(&self) -> Builder {
        Builder::new()
            .vocabulary(self.vocabulary())
            .cache(Cache::at(self.path("cache")))
            .ebnf_file("DIGITS", self.path("g.ebnf"))
    }

    /// Runs a builder; answers what it told Cargo, with paths relative to the package.
    fn run(&self, builder: Builder) -> (Result<(), Error>, Vec<String>) {
        let mut directives = Vec::new();
        let result = builder.emit_into(&self.path("out"), "grammars.rs", &mut |directive| {
            directives.push(directive.to_string());
        });
        let folder = format!("{}/", self.folder.path().display());
        (
            result,
            directives
                .into_iter()
                .map(|line| line.replace(&folder, ""))
                .collect(),
        )
    }

    fn tables(&self, name: &str) -> Vec<u8> {
        fs::read(self.path("out").join(format!("grammars.rs.{name}.mask"))).unwrap()
    }

    fn entries(&self) -> Vec<PathBuf> {
        let mut entries: Vec<PathBuf> = fs::read_dir(self.path("cache"))
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        entries.sort();
        entries
    }
}

fn byte_tokens() -> String {
    use base64::Engine as _;
    let base64 = base64::engine::general_purpose::STANDARD;
    (0..=255u8)
        .map(|byte| format!("{} {byte}\n", base64.encode([byte])))
        .collect()
}

/// Whether the tables that were written accept a text.
fn accepts(package: &Package, text: &str) -> bool {
    let (grammar, vocabulary) = (
        package.tables("DIGITS"),
        package.tables("DIGITS_VOCABULARY"),
    );
    let grammar = runtime::Grammar::load(&grammar)
        .unwrap()
        .with_vocabulary(runtime::Vocabulary::load(&vocabulary).unwrap())
        .unwrap();
    let mut matcher = runtime::Matcher::<8>::new(&grammar).unwrap();
    text.bytes()
        .all(|byte| matcher.accept_token(u32::from(byte)).is_ok())
        && matcher.is_complete()
}

#[test]
fn writes_code_and_tables_and_names_its_inputs() {
    let package = Package::new();
    let (result, directives) = package.run(package.builder());
    result.unwrap();
    assert_eq!(
        directives,
        [
            "cargo::rerun-if-changed=g.ebnf",
            "cargo::rerun-if-changed=v.tiktoken"
        ]
    );
    assert!(accepts(&package, "a12!"));
    assert!(!accepts(&package, "a!"));
    assert!(!accepts(&package, "a1"));
    let code = fs::read_to_string(package.path("out/grammars.rs")).unwrap();
    for part in [
        "pub static DIGITS: ::maskwright::Grammar<'static>",
        "pub static DIGITS_VOCABULARY: ::maskwright::Vocabulary<'static>",
        "pub type DigitsMatcher<const DEPTH: usize = 32>",
        "\"/grammars.rs.DIGITS.mask\"",
    ] {
        assert!(code.contains(part), "{part} in {code}");
    }
}

#[test]
fn unchanged_input_comes_from_the_cache() {
    let package = Package::new();
    package.run(package.builder()).0.unwrap();
    let (tables, entries) = (package.tables("DIGITS"), package.entries());
    assert_eq!(entries.len(), 2, "a vocabulary and a grammar");

    // Entries that stand in for the real ones show that they are used: tables of another grammar.
    let cache = Cache::at(package.path("cache"));
    let packed = package.vocabulary().pack(&cache).unwrap();
    let parsed = |text: &str| {
        GrammarText::ebnf(text)
            .parse(&Default::default())
            .unwrap()
            .grammar
    };
    let compiler = Compiler::packed(&packed);
    let other = compiler.with_cache(cache.clone());
    let other_key = compiler.key(&parsed("root ::= \"b\""));
    other.compile(&parsed("root ::= \"b\"")).unwrap();
    cache.put(
        compiler.key(&parsed(GRAMMAR)),
        &cache.get(other_key, u64::MAX).unwrap(),
        u64::MAX,
    );
    package.run(package.builder()).0.unwrap();
    assert!(accepts(&package, "b"), "the entry was not used");

    // Comments and layout are not part of the grammar; anything else is.
    package.write(
        "g.ebnf",
        &format!("# comment\n{}", GRAMMAR.replace(' ', "  ")),
    );
    package.run(package.builder()).0.unwrap();
    assert!(accepts(&package, "b"));
    package.write("g.ebnf", &GRAMMAR.replace('!', "?"));
    package.run(package.builder()).0.unwrap();
    assert!(accepts(&package, "a1?"));
    package
        .run(
            package
                .builder()
                .cache(Cache::disabled())
                .ebnf("OTHER", GRAMMAR),
        )
        .0
        .unwrap();
    assert_eq!(package.tables("OTHER"), tables, "output is deterministic");
}

#[test]
fn a_damaged_cache_is_made_anew() {
    let package = Package::new();
    package.run(package.builder()).0.unwrap();
    let tables = package.tables("DIGITS");
    for entry in package.entries() {
        let mut content = fs::read(&entry).unwrap();
        let last = content.len() - 1;
        content[last] ^= 1;
        fs::write(&entry, content).unwrap();
    }
    let (result, directives) = package.run(package.builder());
    result.unwrap();
    assert_eq!(package.tables("DIGITS"), tables);
    let told = |directive: &&String| directive.contains("is passed over and made anew");
    let told: Vec<&String> = directives.iter().filter(told).collect();
    assert_eq!(told.len(), 2, "{directives:?}");
    assert!(told[0].starts_with("cargo::warning="), "{told:?}");

    // An entry whose frame is right but whose content is not tables.
    let cache = Cache::at(package.path("cache"));
    let packed = package.vocabulary().pack(&cache).unwrap();
    cache.put(packed.key(), b"\0\0\0\0no tables", u64::MAX);
    package.run(package.builder()).0.unwrap();
    assert_eq!(package.tables("DIGITS"), tables);
}

#[test]
fn another_vocabulary_or_option_is_another_entry() {
    let package = Package::new();
    package.run(package.builder()).0.unwrap();
    let vocabularies = [
        package.vocabulary().size(301),
        package.vocabulary().eos([256, 257]),
    ];
    for vocabulary in vocabularies {
        package
            .run(package.builder().vocabulary(vocabulary))
            .0
            .unwrap();
    }
    assert_eq!(package.entries().len(), 6);
    let mut options = Options::default();
    options.limits.states += 1;
    package.run(package.builder().options(options)).0.unwrap();
    assert_eq!(package.entries().len(), 7);
}

#[test]
fn errors_name_the_place_and_files_are_watched_all_the_same() {
    let package = Package::new();
    package.write("g.ebnf", "root ::= \"a\"\n  digit\n");
    let (result, directives) = package.run(package.builder());
    let message = result.unwrap_err().to_string();
    assert!(
        message.contains("g.ebnf:2:3") && message.contains("digit"),
        "{message}"
    );
    assert_eq!(directives.len(), 2);

    let error = |builder| package.run(builder).0.unwrap_err().to_string();
    package.write("g.ebnf", GRAMMAR);
    assert!(error(Builder::new().ebnf("X", GRAMMAR)).contains("no vocabulary"));
    assert!(error(Builder::new().vocabulary(package.vocabulary())).contains("no grammar"));
    assert!(error(package.builder().ebnf("not a name", GRAMMAR)).contains("`not a name`"));
    assert!(error(package.builder().ebnf_file("X", "missing.ebnf")).contains("missing.ebnf"));
    assert!(error(package.builder().vocabulary_file("missing.json")).contains("missing.json"));
    assert!(
        error(
            package
                .builder()
                .vocabulary(package.vocabulary().eos([300]))
        )
        .contains("300")
    );
    assert!(error(package.builder().regex("X", "(?=a)")).contains("look"));
}

#[test]
fn files_that_are_read_on_the_way_are_watched() {
    let package = Package::new();
    package.write("other.ebnf", "root ::= \"a\"\n");
    let text = "root ::= grammar(\"other.ebnf\") digit\ndigit ::= [0-9]";
    package.write("embeds.ebnf", text);
    let builder = package.builder();
    let builder = builder.ebnf_file("EMBEDS", package.path("embeds.ebnf"));
    let (result, directives) = package.run(builder);
    result.unwrap();
    assert!(
        directives.contains(&"cargo::rerun-if-changed=other.ebnf".to_owned()),
        "{directives:?}"
    );
}

#[test]
fn the_root_can_be_chosen() {
    let package = Package::new();
    let text = |text: &str| GrammarText::ebnf(text).root("start");
    let builder = Builder::new().vocabulary(package.vocabulary());
    let chosen = builder
        .clone()
        .grammar("DIGITS", text("start ::= \"a\" digit\ndigit ::= [0-9]"));
    package.run(chosen).0.unwrap();
    assert!(accepts(&package, "a7"));
    let missing = package
        .run(builder.grammar("DIGITS", text(GRAMMAR)))
        .0
        .unwrap_err();
    assert!(missing.to_string().contains("start"), "{missing}");
}

#[test]
fn warnings_are_told_to_cargo_each_time() {
    let package = Package::new();
    package.write("g.ebnf", "root ::= \"a\"\nspare ::= \"b\"\n");
    for _ in 0..2 {
        let (result, directives) = package.run(package.builder());
        result.unwrap();
        assert_eq!(directives.len(), 3, "{directives:?}");
        assert!(
            directives[2].starts_with("cargo::warning=g.ebnf:2:1: "),
            "{}",
            directives[2]
        );
        assert!(directives[2].contains("spare") && !directives[2].contains('\n'));
    }
    let (_, directives) = package.run(
        package
            .builder()
            .vocabulary_file(package.path("v.tiktoken")),
    );
    assert!(
        directives[2].contains("no token that ends a sequence"),
        "{directives:?}"
    );
}

#[test]
fn a_depth_is_part_of_the_matcher() {
    let package = Package::new();
    let nested = "root ::= list\nlist ::= \"[\" pair \"]\"\npair ::= \"(\" (list | \"x\") \")\"\n";
    let builder = || package.builder().ebnf("NESTED", nested);
    let matcher = |builder| {
        package.run(builder).0.unwrap();
        let code = fs::read_to_string(package.path("out/grammars.rs")).unwrap();
        let lines = code
            .lines()
            .filter(|line| line.contains("type NestedMatcher"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    // The second time tables and height come from the cache.
    for _ in 0..2 {
        let given = matcher(builder().depth("NESTED", 9).depth("NESTED", 12));
        let expected = "pub type NestedMatcher = ::maskwright::Matcher<'static, 12, 1>;";
        assert_eq!(given, [expected]);
        let error = package.run(builder().depth("NESTED", 1)).0.unwrap_err();
        assert_eq!(error.code(), "wrong-depth");
        let text = error.to_string();
        let says = [
            "a depth of 1 is too small",
            "fewer than 2 frames",
            "the grammar is `NESTED`",
            "give 2 or more; grows with nesting, by 2 a level",
        ];
        assert!(says.iter().all(|part| text.contains(part)), "{text}");
    }
    let default = matcher(builder());
    assert!(default[0].contains("<const DEPTH: usize = 32>"));
    for wrong in [0, 65_536] {
        let error = package.run(builder().depth("NESTED", wrong)).0.unwrap_err();
        assert!(error.to_string().contains("1 to 65535 frames"), "{error}");
    }
    let error = package.run(builder().depth("NESTD", 9)).0.unwrap_err();
    assert!(error.to_string().contains("no grammar is called `NESTD`"));
}
