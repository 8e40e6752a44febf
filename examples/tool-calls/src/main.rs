//! Decodes what a model writes that can call five tools, once as JSON and once as XML, and calls
//! them.
//!
//! A script stands for the model. It asks for the weather of nine days, where the schema allows
//! seven: the mask does not let that through.

mod act;
mod decode;

use maskwright::Grammar;
use maskwright::calls::{CallFormat, Part};
use std::error::Error;

// For each format a grammar, a matcher's type and what outputs are read by: `JSON_TOOLS`,
// `JsonToolsMatcher`, `JSON_TOOLS_FORMAT`.
include!(concat!(env!("OUT_DIR"), "/grammars.rs"));

fn main() -> Result<(), Box<dyn Error>> {
    println!("=== qwen_3");
    let script = include_str!("../scripts/json.txt");
    run(&JSON_TOOLS, &JSON_TOOLS_FORMAT, script)?;
    println!("\n=== qwen_3_coder");
    let script = include_str!("../scripts/xml.txt");
    run(&XML_TOOLS, &XML_TOOLS_FORMAT, script)
}

/// Decodes along a script, and does what the output says.
fn run(
    grammar: &Grammar<'static>,
    format: &CallFormat<'static>,
    script: &str,
) -> Result<(), Box<dyn Error>> {
    let output = decode::decode(grammar, script.trim_end())?;
    for part in format.parts(&output) {
        match part {
            Part::Text(text) => println!("text: {text:?}"),
            Part::Reasoning(text) => println!("reasoning: {text:?}"),
            Part::Call(call) => {
                let arguments = format.to_json(&call)?;
                println!("call: {} {arguments}", call.name());
                println!("   => {}", act::act(call.name(), &arguments)?);
            }
            Part::CutOff(begun) => println!("cut off: {:?}", begun.text()),
        }
    }
    Ok(())
}
