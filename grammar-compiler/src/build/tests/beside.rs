//! Grammars beside another one, of the same builder or from a file.

use super::*;

/// An object with a text, and one of its kind that differs.
const TOOL: &str = r#"root ::= "{" text ":" text "}"
text ::= "'" [^'\\]* "'""#;
const OTHER_TOOL: &str = r#"root ::= "[" text ("," text)* "]"
text ::= "'" [^'\\]* "'""#;

/// A folder whose vocabulary is large enough that sets are worth sharing: all bytes and pairs of
/// letters.
fn with_pairs() -> Package {
    use base64::Engine as _;
    let base64 = base64::engine::general_purpose::STANDARD;
    let package = Package::new();
    let letters = || (b'A'..=b'z').filter(u8::is_ascii_alphabetic);
    let pairs = letters().flat_map(|a| letters().map(move |b| [a, b]));
    let lines = pairs.enumerate().map(|(at, pair)| {
        let id = 256 + at;
        format!("{} {id}\n", base64.encode(pair))
    });
    package.write("v.tiktoken", &(byte_tokens() + &lines.collect::<String>()));
    package
}

/// A builder with an empty list of grammars.
fn empty(package: &Package) -> Builder {
    let vocabulary = VocabularySpec::file(package.path("v.tiktoken"));
    Builder::new()
        .vocabulary(vocabulary.size(3000).eos([2999]))
        .cache(Cache::at(package.path("cache")))
}

/// The masks of tables along a text, beside others if they need them.
fn masks(package: &Package, name: &str, other: Option<&[u8]>, text: &str) -> Vec<Vec<u32>> {
    let tables = package.tables(name);
    let other = other.map(|other| runtime::Grammar::load(other).unwrap());
    let grammar = match &other {
        Some(other) => runtime::Grammar::load_beside(&tables, other).unwrap(),
        None => runtime::Grammar::load(&tables).unwrap(),
    };
    let mut matcher = runtime::Matcher::<8>::new(&grammar).unwrap();
    let mut masks = vec![matcher.mask().iter().collect()];
    for byte in text.bytes() {
        matcher.accept_bytes(&[byte]).unwrap();
        masks.push(matcher.mask().iter().collect());
    }
    masks
}

#[test]
fn grammars_stand_beside_another_one_of_the_builder() {
    let package = with_pairs();
    let alone = empty(&package)
        .ebnf("FIRST", TOOL)
        .ebnf("SECOND", OTHER_TOOL);
    package.run(alone.clone()).0.unwrap();
    let (first, second) = (package.tables("FIRST"), package.tables("SECOND"));
    let text = "['a','bc']";
    let expected = masks(&package, "SECOND", None, text);
    assert_eq!(package.entries().len(), 3);

    package.run(alone.beside("FIRST")).0.unwrap();
    assert_eq!(package.tables("FIRST"), first, "it stands alone");
    let beside = package.tables("SECOND");
    assert!(beside.len() < second.len());
    assert_eq!(masks(&package, "SECOND", Some(&first), text), expected);
    let code = fs::read_to_string(package.path("out/grammars.rs")).unwrap();
    assert!(code.contains("&FIRST"), "{code}");
    assert_eq!(
        package.entries().len(),
        4,
        "the tables beside others are another entry"
    );

    // Whichever is added first: the one that others stand beside is compiled first.
    let turned = empty(&package)
        .ebnf("SECOND", OTHER_TOOL)
        .ebnf("FIRST", TOOL);
    let turned = turned.beside("FIRST");
    package
        .run(turned.clone().cache(Cache::disabled()))
        .0
        .unwrap();
    assert_eq!(package.tables("SECOND"), beside, "output is deterministic");
    let code = fs::read_to_string(package.path("out/grammars.rs")).unwrap();
    assert!(
        code.contains("SECOND_VOCABULARY")
            && code.find("static SECOND") < code.find("static FIRST")
    );

    // From the cache, though the grammar has changed that the other stands beside: not from the old
    // entry.
    package.run(turned).0.unwrap();
    assert_eq!(
        (package.entries().len(), package.tables("SECOND")),
        (4, beside)
    );
    let changed = empty(&package).ebnf("FIRST", TOOL.replace("\":\"", "\"=\""));
    package
        .run(changed.ebnf("SECOND", OTHER_TOOL).beside("FIRST"))
        .0
        .unwrap();
    assert_eq!(package.entries().len(), 6);
    let first = package.tables("FIRST");
    assert_eq!(masks(&package, "SECOND", Some(&first), text), expected);
}

#[test]
fn grammars_stand_beside_tables_in_a_file() {
    let package = with_pairs();
    package.run(empty(&package).ebnf("FIRST", TOOL)).0.unwrap();
    let first = package.tables("FIRST");
    fs::write(package.path("first.mskg"), &first).unwrap();
    let builder = empty(&package).ebnf("SECOND", OTHER_TOOL);
    let beside = |file: &str, path| builder.clone().beside_file(package.path(file), path);
    let (result, directives) = package.run(beside("first.mskg", "crate::tools::FIRST"));
    result.unwrap();
    assert!(directives.contains(&"cargo::rerun-if-changed=first.mskg".to_owned()));
    let code = fs::read_to_string(package.path("out/grammars.rs")).unwrap();
    assert!(code.contains("&crate::tools::FIRST"), "{code}");
    let text = "['a','bc']";
    let masks_beside = masks(&package, "SECOND", Some(&first), text);
    let second = package.tables("SECOND");
    package.run(builder.clone()).0.unwrap();
    assert_eq!(masks(&package, "SECOND", None, text), masks_beside);

    // An entry of the cache that stands beside other tables is none.
    let cache = Cache::at(package.path("cache"));
    let packed = empty(&package).vocabulary.unwrap().pack(&cache).unwrap();
    let parsed = GrammarText::ebnf(OTHER_TOOL)
        .parse(&Default::default())
        .unwrap();
    let alone = Compiler::packed(&packed).with_cache(cache.clone());
    let of_first = alone.beside(&runtime::Grammar::load(&first).unwrap());
    let entry = cache
        .get(of_first.unwrap().key(&parsed.grammar), u64::MAX)
        .unwrap();
    assert!(entry.ends_with(&second));
    cache.put(alone.key(&parsed.grammar), &entry, u64::MAX);
    package.run(builder.clone()).0.unwrap();
    assert_ne!(package.tables("SECOND"), second);

    fs::write(package.path("second.mskg"), &second).unwrap();
    fs::write(package.path("cut.mskg"), &first[..first.len() - 4]).unwrap();
    let error = |builder| package.run(builder).0.unwrap_err().to_string();
    let file = |file| error(beside(file, "FIRST"));
    assert!(
        file("second.mskg").contains("second.mskg: these tables stand beside others themselves")
    );
    assert!(file("cut.mskg").contains("cut.mskg: the tables should be"));
    assert!(file("missing.mskg").contains("cannot read"));
    let vocabulary = VocabularySpec::file(package.path("v.tiktoken")).size(3100);
    let other = error(beside("first.mskg", "FIRST").vocabulary(vocabulary));
    assert!(
        other.contains("first.mskg: these tables are for another vocabulary"),
        "{other}"
    );
    let path = error(beside("first.mskg", "no path"));
    assert!(
        path.contains("`no path`") && path.contains("`crate::JSON`"),
        "{path}"
    );
    let name = error(builder.clone().beside("FIRST"));
    assert!(name.contains("no grammar is called `FIRST`"), "{name}");
}
