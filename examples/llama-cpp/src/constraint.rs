//! What holds an output to its form: nothing, llama.cpp's grammars, llguidance, or Maskwright in
//! several ways.
//!
//! In: a task and a way. Out: a [`Constraint`] for one output. What holds: grammars are made ready
//! once, before time is taken; each output then begins with a copy.

use crate::sampler::{Grammar, Pool, Refused, Sampler};
use crate::{PERSON, TOOLS};
use llama_cpp_2::json_schema_to_grammar;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;
use llguidance::api::TopLevelGrammar;
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value, json};
use std::error::Error;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// One call of a tool.
    Tools,
    /// One person in JSON.
    Person,
}

/// How an output is held to its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not at all.
    Free,
    /// By llama.cpp's own grammars.
    Gbnf,
    /// By llguidance.
    Llguidance,
    /// By Maskwright.
    Maskwright {
        refused: Refused,
        pool: bool,
        jump: Jump,
    },
}

/// What is taken without asking the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// Nothing.
    No,
    /// Tokens that are the only ones possible.
    Tokens,
    /// Bytes that are the only ones possible, in the tokens of the model's own tokenizer but for
    /// the last one.
    Bytes,
}

/// Rows of a pool: for one sequence as many keep nearly all masks of a text.
const ROWS: usize = 64;

/// All grammars, for both tasks.
pub struct Grammars {
    gbnf: [LlamaSampler; 2],
    llguidance: [Matcher; 2],
    maskwright: [Grammar; 2],
    pool: Pool,
}

/// What holds one output to its form.
pub enum Constraint {
    Free,
    Llama(LlamaSampler),
    Maskwright(Sampler),
}

impl Grammars {
    /// Makes all grammars ready.
    pub fn new(model: &LlamaModel) -> Result<Self, Box<dyn Error>> {
        let person: Value = serde_json::from_str(include_str!("../person.json"))?;
        let call = call_schema(include_str!("../tools.json"))?;
        let gbnf = [
            format!(
                "root ::= \"<tool_call>\\n\" call \"\\n</tool_call>\"\n{}",
                json_schema_to_grammar(&call.to_string())?.replace("root ::=", "call ::=")
            ),
            json_schema_to_grammar(&person.to_string())?,
        ];
        let [call, person] = [call, person].map(with_separators);
        let lark = [
            format!("start: \"<tool_call>\\n\" call \"\\n</tool_call>\"\ncall: %json {call}\n"),
            format!("start: %json {person}\n"),
        ];
        let mut factory = ParserFactory::new_simple(&LlamaSampler::llguidance_tok_env(model))?;
        factory.quiet();
        let matcher = |lark: &String| {
            let parser = factory.create_parser(TopLevelGrammar::from_lark(lark.clone()))?;
            Ok::<_, Box<dyn Error>>(Matcher::new(Ok(parser)))
        };
        let maskwright = [Grammar::new(&TOOLS)?, Grammar::new(&PERSON)?];
        Ok(Grammars {
            gbnf: [
                LlamaSampler::grammar(model, &gbnf[0], "root")?,
                LlamaSampler::grammar(model, &gbnf[1], "root")?,
            ],
            llguidance: [matcher(&lark[0])?, matcher(&lark[1])?],
            maskwright,
            pool: Pool::new(maskwright[0], ROWS)?,
        })
    }

    /// The constraint for one output.
    pub fn begin(&self, task: Task, way: Way) -> Result<Constraint, String> {
        let task = task as usize;
        Ok(match way {
            Way::Free => Constraint::Free,
            Way::Gbnf => Constraint::Llama(self.gbnf[task].clone()),
            Way::Llguidance => Constraint::Llama(self.llguidance[task].deep_clone().into()),
            Way::Maskwright { refused, pool, .. } => {
                let pool = pool.then_some(self.pool);
                Constraint::Maskwright(Sampler::new(self.maskwright[task], refused, pool)?)
            }
        })
    }
}

impl Constraint {
    /// Leaves the candidates that are allowed.
    pub fn apply(&mut self, candidates: &mut LlamaTokenDataArray) {
        match self {
            Constraint::Free => {}
            Constraint::Llama(sampler) => candidates.apply_sampler(sampler),
            Constraint::Maskwright(sampler) => sampler.apply(&mut candidates.data),
        }
    }

    /// Takes the token that was chosen.
    pub fn accept(&mut self, token: LlamaToken) -> Result<(), Box<dyn Error>> {
        match self {
            Constraint::Free => {}
            Constraint::Llama(sampler) => sampler.try_accept(token)?,
            Constraint::Maskwright(sampler) => sampler.accept(token)?,
        }
        Ok(())
    }
}

/// The JSON between the tags of a call, as one schema.
fn call_schema(tools: &str) -> Result<Value, serde_json::Error> {
    let tools: Vec<Value> = serde_json::from_str(tools)?;
    let call = |tool: &Value| {
        let function = &tool["function"];
        json!({
            "type": "object",
            "properties": {
                "name": {"const": function["name"]},
                "arguments": function["parameters"],
            },
            "required": ["name", "arguments"],
            "additionalProperties": false,
        })
    };
    let calls: Vec<Value> = tools.iter().map(call).collect();
    Ok(json!({"anyOf": calls}))
}

/// Lets llguidance write one space after commas and colons, as the model's template does.
fn with_separators(mut schema: Value) -> Value {
    schema["x-guidance"] = json!({
        "whitespace_flexible": false,
        "item_separator": ", ",
        "key_separator": ": ",
    });
    schema
}
