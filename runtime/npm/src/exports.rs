//! The functions that JavaScript calls.
//!
//! What holds: a function that makes an object returns its handle, 0 if it failed; others return a
//! number, below 0 if they failed. The [`reply`] is then JSON with a `message`, and otherwise what
//! the function says.

#![allow(clippy::missing_panics_doc, reason = "none of them panics by itself")]

use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::tools::ToolFormat;
use maskwright_core::{AcceptError, OwnedMatcher};
use serde_json::{Value, json};

use crate::objects::{Failure, Grammar};
use crate::store::{Object, Store, with};
use crate::vocabulary::Vocabulary;
use crate::{drawing, host, report, request};

/// The most bytes or tokens that are asked for at once.
const MOST_FORCED: usize = 1 << 16;

/// What functions return that have nothing to say but that they failed.
const FAILED: i32 = -1;

/// Runs a call: its number, or the failure in the reply. What was written for it is gone after.
fn call<T>(failed: T, run: impl FnOnce(&mut Store) -> Result<T, Failure>) -> T {
    host::prepare();
    with(|store| {
        store.reply.clear();
        let result = run(store);
        store.drop_inputs();
        result.unwrap_or_else(|Failure(told)| {
            store.reply = told.to_string().into_bytes();
            failed
        })
    })
}

fn json_of(text: &[u8]) -> Result<Value, Failure> {
    match text.is_empty() {
        true => Ok(Value::Null),
        false => serde_json::from_slice(text).map_err(Failure::of),
    }
}

/// Room for `length` bytes that the next call takes: several are taken in their order. Where it
/// begins in the module's memory, until that call.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    with(|store| store.input(length))
}

/// Where the reply of the last call begins in the module's memory, until the next call.
#[unsafe(no_mangle)]
extern "C" fn reply() -> *const u8 {
    with(|store| store.reply.as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
extern "C" fn reply_length() -> usize {
    with(|store| store.reply.len())
}

/// Drops an object. What was made from it lives on.
#[unsafe(no_mangle)]
extern "C" fn free(handle: u32) {
    with(|store| store.free(handle));
}

/// A vocabulary. In: options in JSON, then what `from` says: 0 for a tokenizer's file, 1 for packed
/// tables, 2 for the bytes of all tokens and then their lengths. Reply: what it holds.
#[unsafe(no_mangle)]
extern "C" fn vocabulary_new(from: u32) -> u32 {
    call(0, |store| {
        let options = json_of(&store.next_input())?;
        let content = store.next_input();
        let vocabulary = match from {
            0 => Vocabulary::of_file(&content, &options)?,
            1 => Vocabulary::of_tables(&content, &options)?,
            _ => Vocabulary::of_tokens(&content, &store.next_input(), &options)?,
        };
        store.reply = vocabulary.about().to_string().into_bytes();
        Ok(store.add(Object::Vocabulary(Box::new(vocabulary))))
    })
}

/// Reply: where each token ends, as words, then the bytes of all.
#[unsafe(no_mangle)]
extern "C" fn vocabulary_bytes(vocabulary: u32) -> i32 {
    call(FAILED, |store| {
        store.reply = store.vocabulary(vocabulary)?.bytes();
        Ok(0)
    })
}

/// Compiles a request. In: JSON, see `request`. Reply: warnings and the report.
#[unsafe(no_mangle)]
extern "C" fn compile(vocabulary: u32) -> u32 {
    call(0, |store| {
        let request = json_of(&store.next_input())?;
        let text = request::text(&request)?;
        let options = request::compile_options(&request)?;
        let vocabulary = store.vocabulary(vocabulary)?;
        let compiled = vocabulary
            .compiler
            .with_options(options)
            .compile_text(&text)?;
        let warnings = compiled
            .warnings()
            .iter()
            .zip(compiled.render_warnings(false));
        let warnings = warnings.map(|(warning, drawn)| {
            json!({
                "code": warning.code().as_str(),
                "message": warning.message(),
                "help": warning.way_out(),
                "drawn": drawn,
            })
        });
        let told = json!({
            "warnings": warnings.collect::<Vec<Value>>(),
            "report": report::report(compiled.report()),
        });
        let grammar = Grammar::load(compiled.into_tables(), &vocabulary.tables)?;
        store.reply = told.to_string().into_bytes();
        Ok(store.add(Object::Grammar(grammar)))
    })
}

/// A grammar of tables that were compiled before, for this vocabulary. In: the tables.
#[unsafe(no_mangle)]
extern "C" fn grammar_load(vocabulary: u32) -> u32 {
    call(0, |store| {
        let tables = store.next_input();
        let grammar = Grammar::load(tables, &store.vocabulary(vocabulary)?.tables)?;
        Ok(store.add(Object::Grammar(grammar)))
    })
}

/// Reply: the tables.
#[unsafe(no_mangle)]
extern "C" fn grammar_tables(grammar: u32) -> i32 {
    call(FAILED, |store| {
        store.reply = store.grammar(grammar)?.tables.to_vec();
        Ok(0)
    })
}

/// Draws the automaton of a request. In: the request. Reply: `{"states", "arrows", "svg"}`.
#[unsafe(no_mangle)]
extern "C" fn draw(vocabulary: u32) -> i32 {
    call(FAILED, |store| {
        let request = json_of(&store.next_input())?;
        let drawn = drawing::draw(&request, store.vocabulary(vocabulary)?)?;
        store.reply = drawn.to_string().into_bytes();
        Ok(0)
    })
}

/// Reply: `[name, what models write so]` for each format of tool calls.
#[unsafe(no_mangle)]
extern "C" fn formats() -> i32 {
    call(FAILED, |store| {
        let mut all = Vec::new();
        for name in ToolFormat::names() {
            let format = ToolFormat::named(name, &Limits::default())?;
            all.push(json!([
                name,
                format.as_ref().map_or("", |format| format.about())
            ]));
        }
        store.reply = json!(all).to_string().into_bytes();
        Ok(0)
    })
}

/// A matcher at the beginning of a text.
#[unsafe(no_mangle)]
extern "C" fn matcher_new(grammar: u32, depth: usize, history: usize) -> u32 {
    call(0, |store| {
        let grammar = &store.grammar(grammar)?.inner;
        let matcher = OwnedMatcher::new(grammar, depth).map_err(Failure::of)?;
        Ok(store.add(Object::Matcher(Box::new(matcher.with_history(history)))))
    })
}

/// A matcher at the same point, with nothing to take back.
#[unsafe(no_mangle)]
extern "C" fn matcher_fork(matcher: u32) -> u32 {
    call(0, |store| {
        let fork = store.matcher(matcher)?.fork();
        Ok(store.add(Object::Matcher(Box::new(fork))))
    })
}

/// Reply: the mask, as words: bit `id % 32` of word `id / 32` is token `id`.
#[unsafe(no_mangle)]
extern "C" fn matcher_mask(matcher: u32) -> i32 {
    call(FAILED, |store| {
        let words = store.matcher(matcher)?.with_mask(|mask| {
            let mut words = vec![0; mask.words()];
            mask.fill(&mut words).map(|()| words)
        });
        let words = words.map_err(Failure::of)?;
        store.reply = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(0)
    })
}

/// 1 if something was taken, 0 if it may not come next.
fn taken(result: Result<(), AcceptError>) -> Result<i32, Failure> {
    match result {
        Ok(()) => Ok(1),
        Err(AcceptError::NotAllowed | AcceptError::TooDeep) => Ok(0),
        Err(other) => Err(Failure::of(other)),
    }
}

/// Takes a token: 1, or 0 if it may not come next.
#[unsafe(no_mangle)]
extern "C" fn matcher_accept_token(matcher: u32, id: u32) -> i32 {
    call(FAILED, |store| {
        taken(store.matcher(matcher)?.accept_token(id))
    })
}

/// Takes the bytes of the input: 1, or 0 if they may not come next.
#[unsafe(no_mangle)]
extern "C" fn matcher_accept_bytes(matcher: u32) -> i32 {
    call(FAILED, |store| {
        let bytes = store.next_input();
        taken(store.matcher(matcher)?.accept_bytes(&bytes))
    })
}

/// How many bytes of the input could be taken.
#[unsafe(no_mangle)]
extern "C" fn matcher_accepted_prefix(matcher: u32) -> i32 {
    call(FAILED, |store| {
        let bytes = store.next_input();
        Ok(store.matcher(matcher)?.accepted_prefix(&bytes) as i32)
    })
}

/// Takes the last tokens back. Fails if the history has fewer.
#[unsafe(no_mangle)]
extern "C" fn matcher_rollback(matcher: u32, tokens: usize) -> i32 {
    call(FAILED, |store| {
        store
            .matcher(matcher)?
            .rollback(tokens)
            .map_err(Failure::of)?;
        Ok(0)
    })
}

/// Goes back to the beginning of a text, and forgets the history.
#[unsafe(no_mangle)]
extern "C" fn matcher_reset(matcher: u32) -> i32 {
    call(FAILED, |store| {
        store.matcher(matcher)?.reset();
        Ok(0)
    })
}

/// Bit 0: whether the text may end here. Bit 1: whether it has ended.
#[unsafe(no_mangle)]
extern "C" fn matcher_state(matcher: u32) -> i32 {
    call(FAILED, |store| {
        let matcher = store.matcher(matcher)?;
        Ok(i32::from(matcher.is_complete()) | i32::from(matcher.is_finished()) << 1)
    })
}

/// Reply: the bytes that must come next, at most `limit`.
#[unsafe(no_mangle)]
extern "C" fn matcher_forced_bytes(matcher: u32, limit: usize) -> i32 {
    call(FAILED, |store| {
        let mut bytes = vec![0; limit.min(MOST_FORCED)];
        let length = store.matcher(matcher)?.forced_bytes(&mut bytes);
        bytes.truncate(length);
        store.reply = bytes;
        Ok(0)
    })
}

/// Reply: the tokens that come next while the mask holds exactly one, as words, at most `limit`.
#[unsafe(no_mangle)]
extern "C" fn matcher_forced_tokens(matcher: u32, limit: usize) -> i32 {
    call(FAILED, |store| {
        let mut tokens = vec![0u32; limit.min(MOST_FORCED)];
        let length = store.matcher(matcher)?.forced_tokens(&mut tokens);
        let tokens = tokens.iter().take(length);
        store.reply = tokens.flat_map(|token| token.to_le_bytes()).collect();
        Ok(0)
    })
}

/// Reply: why the bytes of the input, or a token if there are none, would be refused; empty if they
/// would be taken.
#[unsafe(no_mangle)]
extern "C" fn matcher_explain(matcher: u32, id: u32) -> i32 {
    call(FAILED, |store| {
        let bytes = store.next_input();
        let matcher = store.matcher(matcher)?;
        let refusal = match bytes.is_empty() {
            true => matcher.explain_token(id),
            false => matcher.explain_bytes(&bytes),
        };
        store.reply = refusal
            .map(|refusal| refusal.to_string())
            .unwrap_or_default()
            .into_bytes();
        Ok(0)
    })
}
