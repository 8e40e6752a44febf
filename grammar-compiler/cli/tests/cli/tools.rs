//! `--tools` and `formats`.

use crate::support::Folder;
use serde_json::Value;

const TOOLS: &str = r#"{"tools": [
  {"type": "function", "function": {"name": "add", "parameters":
    {"type": "object", "properties": {"numbers": {"type": "array", "items": {"type": "integer"}}}, "required": ["numbers"]}}},
  {"name": "now", "inputSchema": {"type": "object"}}
], "parallel_tool_calls": false}"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("tools.json", TOOLS);
    folder
}

fn call(name: &str, arguments: &str) -> String {
    format!("<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>")
}

#[test]
fn outputs_with_calls_are_accepted() {
    let folder = folder();
    let accepts = |more: &[&str], output: &str| {
        let tools = ["accept", "--tools", "tools.json", "--tool-format", "qwen_3"];
        folder.run(&[&tools, more, &["--", output]].concat()).code == 0
    };
    let (add, now) = (call("add", "{\"numbers\": [1, 2]}"), call("now", "{}"));
    assert!(accepts(&[], "Hello."));
    assert!(accepts(&[], &format!("Hello. {add}")));
    assert!(!accepts(&[], &call("add", "{}")));
    assert!(!accepts(&[], &format!("{add}\n{now}")));
    assert!(!accepts(&["--tool-choice", "required"], "Hello."));
    assert!(accepts(&["--tool-choice", "now"], &now));
    assert!(!accepts(&["--tool-choice", "now"], &add));
    assert!(!accepts(&["--tool-choice", "auto:now"], &add));
    assert!(accepts(&["--tool-strict=false"], &call("add", "{}")));
    let thought = format!("Hm.</think>\n\n{now}");
    assert!(accepts(&["--reasoning", "required"], &thought));
    assert!(!accepts(&["--reasoning", "none"], &thought));
    assert!(accepts(&["--reasoning", "opened"], &thought));
    assert!(!accepts(&["--reasoning", "opened"], &now));
    let tight = add.replace('\n', "");
    assert!(accepts(&["--tool-blanks"], &tight) && !accepts(&[], &tight));
}

#[test]
fn tools_are_compiled_with_what_reads_their_outputs() {
    let folder = folder();
    let run = folder.run(&[
        "compile",
        "--tools",
        "tools.json",
        "--tool-format",
        "qwen_3",
        "--vocab",
        "small.tiktoken",
        "--vocab-size",
        "262",
        "--eos",
        "261",
        "--format",
        "rust",
        "-o",
        "tools.rs",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let code = std::fs::read_to_string(folder.path("tools.rs")).unwrap();
    assert!(code.contains("_FORMAT: ::maskwright::calls::CallFormat<'static>"));
}

#[test]
fn options_of_tools_need_tools() {
    let folder = folder();
    let run = folder.run(&["check", "--ebnf", "lists.ebnf", "--tool-choice", "auto"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let run = folder.run(&["check", "--tools", "tools.json"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("tool-format"), "{}", run.stdout);
}

#[test]
fn a_format_is_checked_by_itself() {
    let folder = folder();
    folder.write("my.json", r#"{"call": "CALL {{name}} {{arguments}}"}"#);
    let run = folder.run(&["check", "--tool-format", "my.json"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    folder.write("my.json", r#"{"call": "CALL {{name}}"}"#);
    let run = folder.run(&["check", "--tool-format", "my.json"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("my.json:1:10"), "{}", run.stdout);
}

#[test]
fn formats_are_listed_and_shown() {
    let folder = folder();
    let list = folder.run(&["formats"]);
    assert!(list.stdout.lines().any(|line| line.starts_with("qwen_3 ")));
    let all = folder.run(&["formats", "--json"]).json();
    let formats = all["formats"].as_array().unwrap();
    assert_eq!(formats.len(), list.stdout.lines().count());
    for format in formats {
        // Each example is what the format takes, of the tool that examples have.
        let (name, example) = (&format["name"], &format["example"]);
        let (name, example) = (name.as_str().unwrap(), example.as_str().unwrap());
        let output = match name {
            "kimi_k3" => format!("<|close|>response<|sep|>{example}<|close|>message<|sep|>"),
            _ => example.to_owned(),
        };
        let run = folder.run(&["accept", "--tool-format", name, "--", &output]);
        assert_eq!(run.code, 0, "{name}: {}{}", run.stdout, run.stderr);
    }
    let shown = folder.run(&["formats", "hermes"]);
    assert!(shown.stdout.contains("<tool_call>"), "{}", shown.stdout);
    let text = folder.run(&["formats", "qwen_3", "--text"]);
    let text: Value = serde_json::from_str(&text.stdout).unwrap();
    assert_eq!(text["trigger"], "<tool_call>");
    let misspelled = folder.run(&["formats", "qwen_s"]);
    assert_eq!(misspelled.code, 2);
    assert!(
        misspelled.stderr.contains("did you mean `qwen_3`?"),
        "{}",
        misspelled.stderr
    );
    for (name, opened) in [
        ("llama", "no"),
        ("deepseek_r1", "yes, opened by the prompt"),
        ("gemma_4", "yes, opened by the model"),
        ("qwen_3", "yes, opened by the prompt or by the model"),
    ] {
        let shown = folder.run(&["formats", name]).stdout;
        assert!(shown.contains(&format!("reasoning: {opened}\n")), "{shown}");
    }
}

/// Whether an output began with reasoning or with text, one stack stands for both.
#[test]
fn reasoning_that_the_prompt_may_have_opened_takes_one_stack() {
    let folder = folder();
    for name in ["deepseek_r1", "deepseek_v3_2", "cohere", "kimi_k3"] {
        let check = [
            "check",
            "--tools",
            "tools.json",
            "--tool-format",
            name,
            "--json",
        ];
        let report = folder.run(&check).json();
        assert_eq!(report["max_stacks"], 1, "{name}: {report}");
        assert_eq!(report["stacks_proved"], true, "{name}: {report}");
    }
}
