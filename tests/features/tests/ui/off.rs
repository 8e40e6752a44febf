maskwright::grammar! {
    static A for "cl100k_base", schema = "{}";
}
maskwright::grammar! {
    static B for "cl100k_base", schema_file = "missing.json";
}
maskwright::grammar! {
    static C for "cl100k_base" { root = "a" json_schema!("{}"); }
}
maskwright::grammar! {
    static D for "cl100k_base", ebnf = "root ::= json_schema({}, whitespace=\"compact\")";
}
maskwright::grammar! {
    static E for "cl100k_base", ebnf = "root ::= [01]", whitespace = "compact";
}
maskwright::grammar! {
    static F for "cl100k_base", lark = "start: \"a\"";
}
maskwright::grammar! {
    static G for "cl100k_base", structural_tag = "{}";
}
maskwright::grammar! {
    static H for "cl100k_base", ebnf = "root ::= TagDispatch((\"<a>\", x))\nx ::= \"b\"";
}
maskwright::grammar! {
    static I for "cl100k_base", link = true, tools_file = "missing.json", format = "qwen_3";
}
maskwright::grammar! {
    static J for file "missing.json", regex = "a";
}
maskwright::grammar! {
    static K for "cl100k_base" (special = "missing.json"), regex = "a";
}

fn main() {}
