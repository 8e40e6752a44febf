//! Grammars compiled by the macro decode as written.

// The small vocabulary has no end token, which is a warning.
#![allow(deprecated)]

use maskwright::calls::Part;
use maskwright::{Grammar, Matcher};

/// All single bytes, `Hello` (256) and `, ` (257); 258 ends a sequence; 300 ids.
const END: u32 = 258;

maskwright::grammar! {
    /// A friendly line.
    pub static GREETING for file "tests/bytes.tiktoken" (size = 300, eos = [258]) {
        root = "Hello, " name ("!" | "?")*;
        name = ['A'..='Z'] ['a'..='z' "äß"]{1,3};
    }

    static BRACKETS for file "tests/bytes.tiktoken" (size = 300, eos = [258]) {
        root = pair*;
        pair = "(" pair* ")" | '[' pair* ']';
    }

    static BYTES for file "tests/bytes.tiktoken" (size = 300, eos = [258]) {
        root = b"\xFF" b'\xFE'? [b'\x80'..=b'\x8F' b'\x90']{2} [^ b'\x00'..=b'\xFD'];
    }

    static MIXED for file "tests/bytes.tiktoken" (size = 300, eos = [258]) {
        root = regex!(r"\d{2,3}") . [^ '"' '\\'] ("x" || "y"){2,} "end";
    }

    static ASTRAL for file "tests/bytes.tiktoken" (size = 300, eos = [258]) {
        root = [^ '\0'..='\u{d7ff}' '\u{e000}'..='\u{ffff}'];
    }

    static NAMES_ALONE for file "tests/bytes.tiktoken" (size = 300, eos = [258]) {
        root = name (", " name)*;
        name = ['A'..='Z'] ['a'..='z' "äß"]{1,3};
    }

    static NAMES for file "tests/bytes.tiktoken" (size = 300, eos = [258]), deterministic = true, beside = GREETING {
        root = name (", " name)*;
        name = ['A'..='Z'] ['a'..='z' "äß"]{1,3};
    }

    static DATE for file "tests/bytes.tiktoken" (size = 300, eos = [258]), regex = r"\d{4}-\d\d";
    static TEXT for file "tests/bytes.tiktoken" (eos = [255]), ebnf = r#"root ::= "a" [0-9]+"#;
    static FILE for file "tests/bytes.tiktoken" (size = 300, eos = [258]), ebnf_file = "tests/list.ebnf";
    static ITEM for file "tests/bytes.tiktoken", ebnf_file = "tests/list.ebnf", root = "item";
}

maskwright::grammar! {
    static FENCED for file "tests/bytes.tiktoken" (size = 300, eos = [258]) {
        root = "<" json_schema!(r#"{"enum": ["a", {"b": null}]}"#) ">" list;
        list = json_schema!("tests/documents/y.json") "; " ebnf!("tests/list.ebnf");
    }

    static TOKEN for file "tests/bytes.tiktoken" (size = 300, eos = [258]), ebnf = r#"root ::= "a" Token(257)"#;

    static SPOKEN for file "tests/bytes.tiktoken" (size = 300, eos = [258]) {
        root = "a" token!(257, "Hello") exclude_token!(97, 98)? ;
    }

    static QUOTED for file "tests/bytes.tiktoken" (size = 300, eos = [258]),
        ebnf = r#"root ::= "<" json_schema({"enum": ["a", {"b": null}]}) ">" grammar("tests/list.ebnf", root="item")"#,
        whitespace = "compact";
}

maskwright::grammar! {
    static POINT for file "tests/bytes.tiktoken" (size = 300, eos = [258]), schema = r#"{
        "type": "object",
        "properties": {"x": {"type": "integer", "minimum": 0}, "label": {"enum": ["a", "b"]}},
        "required": ["x"],
        "additionalProperties": false
    }"#, whitespace = "compact";
}

maskwright::grammar! {
    static WRITTEN for file "tests/bytes.tiktoken" (size = 300, eos = [258]), schema = r#"{
        "type": "object",
        "properties": {"x": {"type": "integer", "format": "uint8"}, "y": {"$ref": "http://localhost:1234/y.json"}},
        "required": ["x", "y"],
        "additionalProperties": false
    }"#, whitespace = "usual", number_formats = true, digits = "2,1,0", documents = ["tests/documents=http://localhost:1234/"];
}

maskwright::grammar! {
    /// Text with calls of two tools.
    pub static TOOLS for file "tests/bytes.tiktoken" (size = 300, eos = [258]),
        tools_file = "tests/documents/tools.json", format = "tests/documents/format.json", tool_choice = "auto", parallel_tool_calls = false;

    static MUST_CALL for file "tests/bytes.tiktoken" (size = 300, eos = [258]),
        tools = r#"[{"name": "now"}]"#, format = "qwen_3", tool_choice = "required", reasoning = "none", blanks = true;
}

maskwright::grammar! {
    /// Two tools, linked.
    static LINKED for file "tests/bytes.tiktoken" (size = 300, eos = [258]), link = true, depth = 12,
        tools_file = "tests/documents/tools.json", format = "qwen_3";

    static WHOLE for file "tests/bytes.tiktoken" (size = 300, eos = [258]), depth = 12,
        tools_file = "tests/documents/tools.json", format = "qwen_3";
}

mod another {
    maskwright::grammar!(pub static YES for file "tests/bytes.tiktoken", ebnf = "root ::= \"yes\"");
}

/// Whether a text is a sentence, byte by byte.
fn accepts(grammar: &'static Grammar<'static>, text: &[u8]) -> bool {
    let mut matcher = Matcher::<16>::new(grammar).unwrap();
    text.iter().all(|&byte| {
        let id = u32::from(byte);
        let offered = matcher.mask().contains(id);
        assert_eq!(matcher.accept_token(id).is_ok(), offered, "{text:?}");
        offered
    }) && matcher.is_complete()
}

#[test]
fn tables_beside_others_have_the_same_masks() {
    assert_eq!(NAMES.stands_beside(), Some(GREETING.checksum()));
    assert_eq!(NAMES_ALONE.stands_beside(), None);
    let mut alone = NamesAloneMatcher::<8>::new(&NAMES_ALONE).unwrap();
    let mut beside = NamesMatcher::<8>::new(&NAMES).unwrap();
    for token in b"Bab".map(u32::from).into_iter().chain([257, 67, 122, END]) {
        let masks = [alone.mask(), beside.mask()].map(|mask| mask.iter().collect::<Vec<u32>>());
        assert_eq!(masks[0], masks[1]);
        alone.accept_token(token).unwrap();
        beside.accept_token(token).unwrap();
    }
    assert!(beside.is_finished());
}

#[test]
fn linked_tools_have_the_masks_of_the_whole() {
    let text = "Hello, \n<tool_call>\n{\"name\": \"search\", \"arguments\": {\"query\": \"a, b\", \"limit\": 3}}\n</tool_call>";
    let mut linked = LinkedMatcher::new(&LINKED).unwrap();
    let mut whole = WholeMatcher::new(&WHOLE).unwrap();
    let (mut of_linked, mut of_whole) = (vec![0; 10], vec![0; 10]);
    for byte in text.bytes() {
        linked.mask().fill(&mut of_linked).unwrap();
        whole.mask().fill(&mut of_whole).unwrap();
        assert_eq!(of_linked, of_whole);
        linked.accept_token(u32::from(byte)).unwrap();
        whole.accept_token(u32::from(byte)).unwrap();
    }
    linked.accept_token(END).unwrap();
    let read = |format: &maskwright::calls::CallFormat<'static>| {
        format!("{:?}", format.parts(text).collect::<Vec<_>>())
    };
    assert_eq!(read(&LINKED_FORMAT), read(&WHOLE_FORMAT));
    assert!(LinkedMatcher::new(&LINKED).is_ok_and(|matcher| !matcher.is_finished()));
}

#[test]
fn schemas() {
    for text in [r#"{"x":0}"#, r#"{"x":12,"label":"b"}"#] {
        assert!(accepts(&POINT, text.as_bytes()), "{text}");
    }
    for text in [
        "{}",
        r#"{"x":-1}"#,
        r#"{"x":1.5}"#,
        r#"{"x": 0}"#,
        r#"{"x":0,"label":"c"}"#,
        r#"{"x":0,"y":0}"#,
    ] {
        assert!(!accepts(&POINT, text.as_bytes()), "{text}");
    }
}

#[test]
fn rules() {
    for text in ["Hello, Ann", "Hello, Bäß!?", "Hello, Cdef!"] {
        assert!(accepts(&GREETING, text.as_bytes()), "{text}");
    }
    for text in [
        "Hello, A",
        "Hello, ann",
        "Hello, Cdefg",
        "Hello, Ann.",
        "",
        "Hello Ann",
    ] {
        assert!(!accepts(&GREETING, text.as_bytes()), "{text}");
    }
    assert!(accepts(&BRACKETS, b"([])[]"));
    assert!(!accepts(&BRACKETS, b"([)]"));
    assert!(accepts(&BYTES, b"\xFF\xFE\x80\x90\xFE"));
    assert!(accepts(&BYTES, b"\xFF\x8F\x80\xFF"));
    assert!(!accepts(&BYTES, b"\xFF\x91\x80\xFF"));
    assert!(!accepts(&BYTES, b"\xFF\x80\x80\x00"));
    for (text, sentence) in [
        ("\u{10000}", true),
        ("\u{d7ff}", false),
        ("\u{e000}", false),
    ] {
        assert_eq!(accepts(&ASTRAL, text.as_bytes()), sentence, "{text:?}");
    }
    for (text, sentence) in [
        ("12äbend", true),
        ("123\n'xyend", true),
        ("12axend", true),
        ("1aaend", false),
        ("12a\"end", false),
        ("12abyyxend", true),
        ("12abzend", false),
    ] {
        assert_eq!(accepts(&MIXED, text.as_bytes()), sentence, "{text}");
    }
}

/// The token by its id, not by its text.
#[test]
fn tokens_as_terminals() {
    let mut matcher = Matcher::<4>::new(&TOKEN).unwrap();
    matcher.accept_token(u32::from(b'a')).unwrap();
    assert_eq!(matcher.mask().iter().collect::<Vec<_>>(), [257]);
    assert!(matcher.accept_bytes(b", ").is_err());
    matcher.accept_token(257).unwrap();
    assert!(matcher.is_complete());
}

/// The same in rules of the macro, by name too; and any token but some.
#[test]
fn tokens_in_rules() {
    let mut matcher = Matcher::<4>::new(&SPOKEN).unwrap();
    matcher.accept_token(u32::from(b'a')).unwrap();
    assert_eq!(matcher.mask().iter().collect::<Vec<_>>(), [256, 257]);
    matcher.accept_token(256).unwrap();
    let mask = matcher.mask();
    assert!(matcher.is_complete() && mask.contains(99) && !mask.contains(97));
}

#[test]
fn embedded_grammars() {
    let embedded = ["<\"a\">1; []", "<{\"b\" : null}>2; [a,[]]"];
    for text in embedded {
        assert!(accepts(&FENCED, text.as_bytes()), "{text}");
    }
    assert!(!accepts(&FENCED, b"<\"b\">"));
    assert!(accepts(&QUOTED, b"<{\"b\":null}>a"));
    assert!(!accepts(&QUOTED, b"<{\"b\": null}>a"));
}

/// Tools, in a format of one's own with elements of its own, and read back by what stands beside
/// the grammar.
#[test]
fn tools() {
    let output = "Let me see. CALL search: <p k=\"query\">12</p><p k=\"limit\">3</p>END";
    assert!(accepts(&TOOLS, output.as_bytes()));
    assert!(accepts(&TOOLS, b"CALL now: END"));
    for wrong in [
        "CALL find: END",
        "CALL now: ",
        "CALL now: END and more",
        "CALL search: <p k=\"query\">x</p><p k=\"limit\">many</p>END",
    ] {
        assert!(!accepts(&TOOLS, wrong.as_bytes()), "{wrong}");
    }
    let parts: Vec<Part<'_>> = TOOLS_FORMAT.parts(output).collect();
    let [Part::Text("Let me see. "), Part::Call(call)] = parts.as_slice() else {
        panic!("{parts:?}");
    };
    assert_eq!((call.name(), TOOLS_FORMAT.tool(call)), ("search", Some(0)));
    let json = TOOLS_FORMAT.to_json(call);
    assert_eq!(json.as_deref(), Ok(r#"{"query":"12","limit":3}"#));

    assert!(accepts(
        &MUST_CALL,
        b"<tool_call>{\"name\":\"now\", \"arguments\": {}}</tool_call>"
    ));
    assert!(!accepts(&MUST_CALL, b"Now."));
    let names = MUST_CALL_FORMAT.tools.iter().map(|tool| tool.name);
    assert!(names.eq(["now"]));
}

#[test]
fn texts_and_files() {
    assert!(accepts(&DATE, b"2026-11"));
    assert!(!accepts(&DATE, b"2026-1"));
    assert!(accepts(&TEXT, b"a42"));
    assert!(!accepts(&TEXT, b"a"));
    assert!(accepts(&FILE, b"[a,[b,[]]]"));
    assert!(!accepts(&FILE, b"[a,[b,[]]"));
    assert!(accepts(&ITEM, b"a"));
    assert!(!accepts(&FILE, b"a"));
    assert!(accepts(&another::YES, b"yes"));
}

#[test]
fn tokens_types_and_end() {
    let mut matcher = GreetingMatcher::<8>::new(&GREETING).unwrap();
    for id in [256, 257, u32::from(b'A'), u32::from(b'n')] {
        assert!(matcher.mask().contains(id));
        matcher.accept_token(id).unwrap();
    }
    assert!(matcher.mask().contains(END));
    matcher.accept_token(END).unwrap();
    assert!(matcher.is_finished());

    let mut smaller: BracketsMatcher = Matcher::new(&BRACKETS).unwrap();
    assert!(smaller.accept_token(256).is_err());
    assert_eq!(GREETING.vocab_size(), 300);
    assert_eq!(TEXT.vocab_size(), 258);
    assert!(TEXT.eos().eq([255]));
}

#[test]
fn grammars_of_one_vocabulary_share_it() {
    let bytes = |grammar: &'static Grammar<'static>| grammar.vocabulary().unwrap().as_bytes();
    assert_eq!(bytes(&GREETING).as_ptr(), bytes(&DATE).as_ptr());
    assert_eq!(
        bytes(&GREETING).as_ptr(),
        GREETING_VOCABULARY.as_bytes().as_ptr()
    );
    assert_ne!(bytes(&GREETING), bytes(&TEXT));
}

#[test]
fn options_of_schemas() {
    let accepts = |text: &str| {
        let mut matcher = WrittenMatcher::<32>::new(&WRITTEN).unwrap();
        matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
    };
    for text in [
        r#"{"x": 9, "y": 1.5}"#,
        r#"{"x":99,"y":-9}"#,
        "{\n  \"x\": 0,\n  \"y\": 0\n}\n",
    ] {
        assert!(accepts(text), "{text:?}");
    }
    for text in [
        r#"{"x": -1, "y": 1}"#,
        r#"{"x": 100, "y": 1}"#,
        r#"{"x": 1, "y": 1.25}"#,
        r#"{"x": 1, "y": "1"}"#,
        r#"{"x" : 1, "y": 1}"#,
    ] {
        assert!(!accepts(text), "{text:?}");
    }
}
