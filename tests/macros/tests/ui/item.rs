//! The form of an item.

maskwright::grammar!(pub static A = "cl100k_base");
maskwright::grammar!(pub static B for files "tests/bytes.tiktoken" { root = "b"; });
maskwright::grammar!(pub static C for file "tests/bytes.tiktoken" (length = 300) { root = "c"; });
maskwright::grammar!(pub static D for file "tests/bytes.tiktoken" (eos = [-1]) { root = "d"; });
maskwright::grammar!(pub static E for file "tests/bytes.tiktoken");
maskwright::grammar!(pub static F for file "tests/bytes.tiktoken", gbnf = "root ::= \"f\"");
maskwright::grammar!(pub static G for file "tests/bytes.tiktoken", ebnf = r#"root ::= "g""#, start = "g");
maskwright::grammar!(pub static H for file "tests/bytes.tiktoken", regx = "h");
maskwright::grammar!(pub static I for file "tests/bytes.tiktoken", determinstic = true, regex = "i");
maskwright::grammar!(pub static J for file "tests/bytes.tiktoken" (sizes = 300) { root = "j"; });

fn main() {}
