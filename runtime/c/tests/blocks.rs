//! The blocks of C in the documents compile, as they stand there, within what a document leaves to
//! its reader.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use maskwright_document_scripts::documents;

/// Before the blocks of docs/embedded.md.
const EMBEDDED: &str = r#"
#include "maskwright.h"
#include <stdio.h>
#include <stdlib.h>
struct model;
void evaluate(struct model *model, float *logits);
void copy_to_device(uint32_t row);
int block(const uint8_t *tables, size_t tables_len, const uint8_t *vocabulary,
          size_t vocabulary_len, struct model *model, float *logits, size_t vocab_size);
int block(const uint8_t *tables, size_t tables_len, const uint8_t *vocabulary,
          size_t vocabulary_len, struct model *model, float *logits, size_t vocab_size) {
"#;

/// Before the block about batches.
const BATCH: &str = r#"
#include "maskwright.h"
#include <stdlib.h>
void copy_to_device(size_t row);
int block(maskwright_grammar grammar, maskwright_matcher **matchers, size_t batch,
          size_t *row_of);
int block(maskwright_grammar grammar, maskwright_matcher **matchers, size_t batch,
          size_t *row_of) {
"#;

/// Before the block of docs/engines.md: what it takes of llama.cpp besides the interface of
/// samplers.
const LLAMA: &str = r#"
#include "maskwright_llama.h"
struct llama_context;
struct llama_sampler_chain_params { bool no_perf; };
struct llama_sampler_chain_params llama_sampler_chain_default_params(void);
struct llama_sampler *llama_sampler_chain_init(struct llama_sampler_chain_params params);
void llama_sampler_chain_add(struct llama_sampler *chain, struct llama_sampler *sampler);
struct llama_sampler *llama_sampler_init_top_k(int32_t k);
struct llama_sampler *llama_sampler_init_dist(uint32_t seed);
llama_token llama_sampler_sample(struct llama_sampler *chain, struct llama_context *context,
                                 int32_t index);
int block(const uint8_t *tables, size_t tables_len, const uint8_t *vocabulary,
          size_t vocabulary_len, struct llama_context *context, uint32_t seed);
int block(const uint8_t *tables, size_t tables_len, const uint8_t *vocabulary,
          size_t vocabulary_len, struct llama_context *context, uint32_t seed) {
"#;

/// What stands before a block, by what it holds.
fn frame(text: &str) -> &'static str {
    match text {
        text if text.contains("llama_") => LLAMA,
        text if text.contains("maskwright_pool_new") => BATCH,
        _ => EMBEDDED,
    }
}

#[test]
fn blocks_of_c_in_the_documents_compile() {
    let compiler = env::var("CC").unwrap_or("cc".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        eprintln!("not run: there is no C compiler");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let blocks = documents::all_blocks(&folder.join("../..")).unwrap();
    let out = tempfile::tempdir().unwrap();
    let blocks: Vec<_> = blocks.iter().filter(|block| block.info == "c").collect();
    assert!(blocks.len() >= 3);
    for block in blocks {
        let file = out.path().join("block.c");
        let text = format!("{}{}\nreturn 0;\n}}\n", frame(&block.text), block.text);
        fs::write(&file, text).unwrap();
        let mut command = Command::new(&compiler);
        command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
        // The block shows what it does not use.
        command.args(["-Wno-unused-variable", "-Wno-unused-parameter"]);
        for includes in ["include", "llama", "tests/llama"] {
            command.arg("-I").arg(folder.join(includes));
        }
        let output = command.arg(&file).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {message}", block.name);
    }
}
