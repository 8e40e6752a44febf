//! What an invocation expands to.

use super::*;
use maskwright_compiler::build::Cache;
use std::fs;

struct Package(tempfile::TempDir);

impl Package {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("v.tiktoken"),
            include_str!("../../../tests/macros/tests/bytes.tiktoken"),
        )
        .unwrap();
        fs::write(
            folder.path().join("g.ebnf"),
            "root ::= \"a\"\nspare ::= \"b\"\n",
        )
        .unwrap();
        Package(folder)
    }

    fn expand(&self, tokens: TokenStream) -> String {
        let package = self.0.path().to_path_buf();
        let cache = Cache::at(package.join("cache"));
        expand(tokens, &Environment { package, cache }).to_string()
    }

    fn entries(&self) -> usize {
        fs::read_dir(self.0.path().join("cache")).map_or(0, Iterator::count)
    }
}

/// How often a text stands in another, blanks aside.
fn count(text: &str, part: &str) -> usize {
    let squeeze = |text: &str| text.replace(' ', "");
    squeeze(text).matches(&squeeze(part)).count()
}

#[test]
fn a_vocabulary_is_there_once_and_files_are_named() {
    let package = Package::new();
    let code = package.expand(quote! {
        pub static A for file "v.tiktoken" (eos = [258 - 1]) { root = "a"; }
    });
    assert_eq!(count(&code, "compile_error!"), 1);

    let code = package.expand(quote! {
        pub static A for file "v.tiktoken" (eos = [0]) { root = "a"; }
        pub(crate) static B for file "v.tiktoken" (eos = [0]), ebnf_file = "g.ebnf";
        static C for file "v.tiktoken" (eos = [1]), regex = "c";
    });
    syn::parse_str::<syn::File>(&code).unwrap();
    assert_eq!(count(&code, "static A_VOCABULARY:"), 1);
    assert_eq!(count(&code, "static C_VOCABULARY:"), 1);
    assert_eq!(count(&code, "_VOCABULARY: ::maskwright::Vocabulary"), 2);
    assert_eq!(count(&code, ".with_vocabulary(A_VOCABULARY)"), 2);
    assert_eq!(count(&code, "pub(crate) type BMatcher"), 1);
    assert_eq!(
        count(&code, "concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/g.ebnf\")"),
        1
    );
    assert_eq!(count(&code, "\"/v.tiktoken\""), 3);
    assert_eq!(count(&code, "#[deprecated(note ="), 1);
    assert!(
        !code.contains(package.0.path().to_str().unwrap()),
        "no paths of this machine"
    );
}

#[test]
fn a_list_of_special_tokens_stands_after_the_vocabulary() {
    let package = Package::new();
    fs::write(
        package.0.path().join("s.json"),
        r#"["<|x|>", "<|endoftext|>"]"#,
    )
    .unwrap();
    let code = package.expand(quote! {
        static A for file "v.tiktoken" (special = "s.json") { root = "a"; }
    });
    assert_eq!(count(&code, "compile_error!"), 0, "{code}");
    assert_eq!(count(&code, "#[deprecated"), 0, "its end token is known");
    assert_eq!(count(&code, "\"/v.tiktoken\""), 1);
    assert_eq!(count(&code, "\"/s.json\""), 1, "it is looked at again");
    let code = package.expand(quote! {
        static A for file "v.tiktoken" (special = "none.json") { root = "a"; }
    });
    assert!(code.contains("none.json"), "{code}");
    let code = package.expand(quote! {
        static A for file "v.tiktoken" (specials = "s.json") { root = "a"; }
    });
    assert!(code.contains("did you mean `special`"), "{code}");
}

#[test]
fn the_second_time_the_same_comes_from_the_cache() {
    let package = Package::new();
    let input = || quote!(static A for file "v.tiktoken" { root = "a" | "(" root ")"; });
    let first = package.expand(input());
    assert_eq!(package.entries(), 2);
    assert_eq!(package.expand(input()), first);
    assert_eq!(package.entries(), 2);
    package.expand(quote!(static A for file "v.tiktoken" { root = "b"; }));
    assert_eq!(package.entries(), 3);
}

#[test]
fn errors_of_all_items_are_reported() {
    let package = Package::new();
    let code = package.expand(quote! {
        static A for file "v.tiktoken" { root = missing; }
        static B for file "no.tiktoken" { root = "b"; other = "x" | other2; }
        static C for file "v.tiktoken", ebnf = "root ::= (";
    });
    assert_eq!(count(&code, "compile_error!"), 4);
}

#[test]
fn stacks_without_a_bound_are_a_graph_unless_one_is_asked_for() {
    let package = Package::new();
    let palindromes = "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"\"";
    let code = package.expand(quote! {
        static A for file "v.tiktoken", deterministic = true, ebnf = #palindromes;
        static B for file "v.tiktoken", deterministic = true { root = "a" root "a" | "b" root "b" | ; }
    });
    // Where rules are written in the macro, both readings are marked, each by an error of its own.
    assert_eq!(count(&code, "compile_error!"), 3, "{code}");
    assert_eq!(count(&code, "or leave out `deterministic`"), 2, "{code}");
    let code = package.expand(quote! {
        static A for file "v.tiktoken", ebnf = #palindromes;
    });
    assert_eq!(count(&code, "compile_error!"), 0, "{code}");
    assert_eq!(count(&code, "DEPTH , 64 >"), 1, "{code}");
}

#[test]
fn a_depth_is_part_of_the_matcher() {
    let package = Package::new();
    let nested = "root ::= list\nlist ::= \"[\" pair \"]\"\npair ::= \"(\" (list | \"x\") \")\"";
    let code = package.expand(quote! {
        pub static A for file "v.tiktoken", depth = 9, deterministic = true, ebnf = #nested;
        static B for file "v.tiktoken" { root = "b"; }
    });
    assert_eq!(count(&code, "compile_error!"), 0, "{code}");
    let flat = code.replace(char::is_whitespace, "");
    assert!(
        flat.contains("typeAMatcher=::maskwright::Matcher<'static,9,1>;"),
        "{code}"
    );
    assert!(
        flat.contains("typeBMatcher<constDEPTH:usize=32>="),
        "{code}"
    );
    let code = package.expand(quote! {
        static A for file "v.tiktoken", depth = 1, ebnf = #nested;
        static B for file "v.tiktoken", depth = 0, ebnf = #nested;
    });
    assert_eq!(count(&code, "expected a depth"), 1, "{code}");
    let code = package.expand(quote! {
        static A for file "v.tiktoken", depth = 1, ebnf = #nested;
    });
    assert_eq!(count(&code, "fewer than 2 frames"), 1, "{code}");
    assert_eq!(
        count(&code, "grows with nesting, by 2 a level"),
        1,
        "{code}"
    );
}

#[test]
fn a_second_stack_is_an_error_where_none_is_wanted() {
    let package = Package::new();
    let code = package.expand(quote! {
        static A for file "v.tiktoken", ebnf = "root ::= \"a\"* \"c\" | n\nn ::= \"a\" n \"b\" | \"\"";
        static B for file "v.tiktoken", deterministic = false { root = "a"* "c" | n; n = "a" n "b" | ; }
        static C for file "v.tiktoken", deterministic = true { root = "a" root? "b"; }
    });
    assert_eq!(count(&code, "compile_error!"), 0, "{code}");
    let code = package.expand(quote! {
        static A for file "v.tiktoken", deterministic = true, ebnf = "root ::= \"a\"* \"c\" | n\nn ::= \"a\" n \"b\" | \"\"";
        static B for file "v.tiktoken", deterministic = true { root = "a"* "c" | n; n = "a" n "b" | ; }
    });
    assert_eq!(
        count(&code, "after `aaa` it has two readings at once"),
        2,
        "{code}"
    );
}

#[test]
fn documents_come_from_the_package_or_the_folder_of_a_file() {
    let outer = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = outer.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let tokens = include_str!("../../../tests/macros/tests/bytes.tiktoken");
    write("package/v.tiktoken", tokens);
    write("package/one.json", "{\"const\": 1}");
    write("package/sub/one.json", "{\"const\": 1}");
    write("package/sub/one.ebnf", "root ::= json_schema(\"one.json\")");
    write(
        "package/sub/out.ebnf",
        "root ::= json_schema(\"../one.json\")",
    );
    write("secret.json", "{\"const\": \"7f3a\"}");
    let package = outer.path().join("package");
    let expand = |tokens: TokenStream| {
        let cache = Cache::at(package.join("cache"));
        let package = package.clone();
        expand(tokens, &Environment { package, cache }).to_string()
    };
    let absolute = outer.path().join("secret.json").display().to_string();
    let inline = |name: &str| format!("root ::= json_schema({name:?})");
    for (name, is_there) in [
        ("one.json", true),
        ("sub/one.json", true),
        ("../secret.json", false),
        ("sub/../one.json", false),
        (absolute.as_str(), false),
        ("/dev/zero", false),
    ] {
        let text = inline(name);
        let of = [
            expand(quote!(static A for file "v.tiktoken" { root = json_schema!(#name); })),
            expand(quote!(static A for file "v.tiktoken", ebnf = #text;)),
        ];
        for code in of {
            assert_eq!(code.contains("compile_error"), !is_there, "{name}: {code}");
            assert!(!code.contains("7f3a"), "{code}");
        }
    }
    let code = expand(quote!(static A for file "v.tiktoken", ebnf_file = "sub/one.ebnf";));
    assert!(!code.contains("compile_error"), "{code}");
    let code = expand(quote!(static A for file "v.tiktoken", ebnf_file = "sub/out.ebnf";));
    assert!(code.contains("leads out of the folder"), "{code}");
}
