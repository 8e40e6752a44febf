/* A sampler for llama.cpp that allows what a grammar allows: maskwright.h behind the functions of a llama_sampler.
 *
 * Add maskwright_llama.c to what links llama.cpp and Maskwright's static library. It needs llama.h and maskwright.h, C99, and nothing else.
 *
 *     maskwright_grammar grammar;
 *     maskwright_grammar_load(&grammar, tables, tables_len, vocabulary, vocabulary_len);
 *     llama_sampler_chain_add(chain, maskwright_llama_init(&grammar, 16, MASKWRIGHT_LLAMA_DROP));
 *     llama_sampler_chain_add(chain, llama_sampler_init_top_k(40));
 *     llama_sampler_chain_add(chain, llama_sampler_init_dist(seed));
 *
 * Compile it with the llama.h of the library that the program runs with, or a newer one: a later version of llama.cpp reads more
 * functions of a sampler than an earlier one declares.
 *
 * The grammar is compiled for the vocabulary of the model: both take their tokens from the same GGUF. The sampler comes first in
 * a chain, since samplers such as top-k choose among what it leaves.
 *
 * What holds:
 *
 * - llama_sampler_apply() allocates nothing. Memory is allocated by maskwright_llama_init() and llama_sampler_clone(), once, and freed by
 *   llama_sampler_free().
 * - A clone stands where its original stands, and goes its own way from there. llama_sampler_reset() goes back to the beginning.
 * - The grammar, and its tables and vocabulary, stay where they are as long as the sampler or a clone of it is used.
 * - Before the text ends, at least one token is allowed. Once it has ended, only the tokens that end it are.
 * - llama_sampler_accept() has no result. If it is given a token that the grammar refuses, the sampler stops: from there on only
 *   the tokens that end a text are allowed, and maskwright_llama_status() says what happened.
 */

#ifndef MASKWRIGHT_LLAMA_H
#define MASKWRIGHT_LLAMA_H

#include "llama.h"
#include "maskwright.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of candidates that are refused. */
enum maskwright_llama_refused {
    /* They stay, with a logit of minus infinity, as under llama.cpp's own grammars. */
    MASKWRIGHT_LLAMA_MASK = 0,
    /* They are taken out; the others keep their order. What comes after has as many candidates fewer to sort and to weigh, and
     * chooses the same token. */
    MASKWRIGHT_LLAMA_DROP = 1,
};

/* A sampler at the beginning of a text, whose stacks have up to `depth` frames: at least maskwright_least_depth(). Null if there is
 * no memory, or no matcher of this depth. */
struct llama_sampler *maskwright_llama_init(const maskwright_grammar *grammar, size_t depth,
                                            enum maskwright_llama_refused refused);

/* Makes a sampler take its masks from a pool, and clones that are made later too; null is none. Masks that texts have in common are
 * then written once. Samplers of one pool are used by one thread, and nothing else takes rows of the pool. Its rows have
 * maskwright_mask_words() words or more. False if this is not a sampler of maskwright_llama_init(). */
bool maskwright_llama_set_pool(struct llama_sampler *sampler, maskwright_pool *pool);

/* The matcher of a sampler: for maskwright_forced_tokens(), maskwright_forced_bytes(), maskwright_is_finished() and the like. It
 * takes tokens by llama_sampler_accept() only. Null if this is not a sampler of maskwright_llama_init(). */
maskwright_matcher *maskwright_llama_matcher(struct llama_sampler *sampler);

/* MASKWRIGHT_STATUS_OK, or why the sampler has stopped: what the matcher said of the token that it refused. */
maskwright_status maskwright_llama_status(const struct llama_sampler *sampler);

#ifdef __cplusplus
}
#endif

#endif
