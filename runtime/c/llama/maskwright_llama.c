/* In: logits of candidates, and tokens that were chosen. Out: candidates that the grammar allows. maskwright_llama.h says what holds.
 *
 * All that a sampler has is one block of memory, so that a clone is one copy:
 *
 *     state | matcher | row of words for a mask | words of the mask that holds the end tokens only
 *
 * The matcher's size is a multiple of 8, so that what follows is aligned. */

#include "maskwright_llama.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Candidates that one word of a mask speaks of. */
#define BITS 32

typedef struct {
    const maskwright_grammar *grammar;
    maskwright_pool *pool; /* or null */
    size_t size;           /* of the whole block */
    size_t matcher_size;
    size_t words; /* of a mask */
    enum maskwright_llama_refused refused;
    maskwright_status status;
} sampler_state;

/* Where the matcher lies: behind the state, aligned to 8. */
#define HEAD ((sizeof(sampler_state) + 7) / 8 * 8)

static struct llama_sampler_i sampler_functions;

static maskwright_matcher *matcher_of(const sampler_state *state) {
    return (maskwright_matcher *)((char *)state + HEAD);
}

static uint32_t *row_of(const sampler_state *state) {
    return (uint32_t *)((char *)state + HEAD + state->matcher_size);
}

static uint32_t *ends_of(const sampler_state *state) {
    return row_of(state) + state->words;
}

static sampler_state *state_of(const struct llama_sampler *sampler) {
    return sampler != NULL && sampler->iface == &sampler_functions ? sampler->ctx : NULL;
}

/* The words of the mask, state->words of them. */
static const uint32_t *mask(const sampler_state *state) {
    const maskwright_matcher *matcher = matcher_of(state);
    size_t row;
    if (state->status != MASKWRIGHT_STATUS_OK || maskwright_is_finished(matcher))
        return ends_of(state);
    /* Rows of earlier masks need not stay: this one is read before the next is asked for. */
    if (state->pool != NULL && maskwright_pool_begin_step(state->pool) == MASKWRIGHT_STATUS_OK &&
        maskwright_pool_row(state->pool, matcher, &row, NULL) == MASKWRIGHT_STATUS_OK)
        return maskwright_pool_words(state->pool, row);
    if (maskwright_fill(matcher, row_of(state), state->words) == MASKWRIGHT_STATUS_OK)
        return row_of(state);
    return ends_of(state);
}

/* Whether a candidate is allowed. Ids that no mask speaks of are not. */
static bool is_allowed(const uint32_t *words, size_t len, llama_token id) {
    size_t word = (uint32_t)id / BITS;
    return word < len && (words[word] >> ((uint32_t)id % BITS) & 1);
}

/* Whether 32 candidates have the ids from `first` on, in order, as they come from the model. Without branches, so that compilers use
 * vector instructions. */
static bool are_in_order(const llama_token_data *data, llama_token first) {
    llama_token differ = 0;
    for (llama_token i = 0; i < BITS; i++)
        differ |= data[i].id ^ (first + i);
    return differ == 0;
}

/* The word of a mask that speaks of the 32 candidates from `at` on, in `*word`; false if there is none. */
static bool word_at(const llama_token_data_array *candidates, size_t at, const uint32_t *words, size_t len,
                    uint32_t *word) {
    if (at / BITS >= len || candidates->size - at < BITS || !are_in_order(candidates->data + at, (llama_token)at))
        return false;
    *word = words[at / BITS];
    return true;
}

/* Sets the logits of refused candidates to minus infinity. */
static void mask_refused(llama_token_data_array *candidates, const uint32_t *words, size_t len) {
    for (size_t at = 0; at < candidates->size; at += BITS) {
        llama_token_data *data = candidates->data + at;
        uint32_t word;
        size_t here = candidates->size - at < BITS ? candidates->size - at : BITS;
        if (!word_at(candidates, at, words, len, &word)) {
            for (size_t i = 0; i < here; i++)
                if (!is_allowed(words, len, data[i].id))
                    data[i].logit = -INFINITY;
        } else if (word != UINT32_MAX) {
            for (size_t i = 0; i < BITS; i++)
                data[i].logit = word >> i & 1 ? data[i].logit : -INFINITY;
        }
    }
}

/* Takes refused candidates out. */
static void drop_refused(llama_token_data_array *candidates, const uint32_t *words, size_t len) {
    llama_token_data *data = candidates->data;
    size_t kept = 0;
    for (size_t at = 0; at < candidates->size; at += BITS) {
        uint32_t word;
        size_t here = candidates->size - at < BITS ? candidates->size - at : BITS;
        if (!word_at(candidates, at, words, len, &word)) {
            for (size_t i = at; i < at + here; i++)
                if (is_allowed(words, len, data[i].id))
                    data[kept++] = data[i];
        } else if (word == UINT32_MAX) {
            if (kept != at)
                memmove(data + kept, data + at, BITS * sizeof *data);
            kept += BITS;
        } else {
            for (size_t i = at; word != 0; i++, word >>= 1)
                if (word & 1)
                    data[kept++] = data[i];
        }
    }
    candidates->size = kept;
}

static const char *sampler_name(const struct llama_sampler *sampler) {
    (void)sampler;
    return "maskwright";
}

static void sampler_accept(struct llama_sampler *sampler, llama_token token) {
    sampler_state *state = sampler->ctx;
    maskwright_matcher *matcher = matcher_of(state);
    bool is_end = is_allowed(ends_of(state), state->words, token);
    /* Behind the end, an end token says what is known. */
    if (state->status == MASKWRIGHT_STATUS_OK && !(is_end && maskwright_is_finished(matcher)))
        state->status = maskwright_accept_token(matcher, (uint32_t)token);
}

static void sampler_apply(struct llama_sampler *sampler, llama_token_data_array *candidates) {
    const sampler_state *state = sampler->ctx;
    const uint32_t *words = mask(state);
    if (state->refused == MASKWRIGHT_LLAMA_DROP)
        drop_refused(candidates, words, state->words);
    else
        mask_refused(candidates, words, state->words);
    /* The first candidate may now be one without a chance. */
    candidates->sorted = candidates->sorted && state->refused == MASKWRIGHT_LLAMA_DROP;
    candidates->selected = -1;
}

static void sampler_reset(struct llama_sampler *sampler) {
    sampler_state *state = sampler->ctx;
    state->status = maskwright_reset(matcher_of(state));
}

static struct llama_sampler *sampler_clone(const struct llama_sampler *sampler) {
    const sampler_state *state = sampler->ctx;
    void *copy = malloc(state->size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, state, state->size);
    return llama_sampler_init(&sampler_functions, copy);
}

static void sampler_free(struct llama_sampler *sampler) {
    free(sampler->ctx);
}

/* Functions that this version of llama.cpp has besides are null: it does without them. */
static struct llama_sampler_i sampler_functions = {
    .name = sampler_name,
    .accept = sampler_accept,
    .apply = sampler_apply,
    .reset = sampler_reset,
    .clone = sampler_clone,
    .free = sampler_free,
};

/* Writes the mask that holds the end tokens only. */
static bool write_ends(const sampler_state *state) {
    size_t count = maskwright_eos(state->grammar, NULL, 0);
    uint32_t *ids = malloc((count + 1) * sizeof *ids), *ends = ends_of(state);
    if (ids == NULL)
        return false;
    maskwright_eos(state->grammar, ids, count);
    memset(ends, 0, state->words * sizeof *ends);
    for (size_t i = 0; i < count; i++)
        ends[ids[i] / BITS] |= (uint32_t)1 << ids[i] % BITS;
    free(ids);
    return true;
}

struct llama_sampler *maskwright_llama_init(const maskwright_grammar *grammar, size_t depth,
                                            enum maskwright_llama_refused refused) {
    size_t matcher_size = grammar == NULL ? 0 : maskwright_matcher_size(grammar, depth);
    if (matcher_size == 0)
        return NULL;
    size_t words = maskwright_mask_words(grammar);
    size_t size = HEAD + matcher_size + 2 * words * sizeof(uint32_t);
    sampler_state *state = malloc(size);
    if (state == NULL)
        return NULL;
    state->grammar = grammar, state->pool = NULL;
    state->size = size, state->matcher_size = matcher_size, state->words = words;
    state->refused = refused, state->status = MASKWRIGHT_STATUS_OK;
    maskwright_matcher *matcher;
    struct llama_sampler *sampler = NULL;
    if (maskwright_matcher_new(grammar, depth, matcher_of(state), matcher_size, &matcher) == MASKWRIGHT_STATUS_OK &&
        write_ends(state))
        sampler = llama_sampler_init(&sampler_functions, state);
    if (sampler == NULL)
        free(state);
    return sampler;
}

bool maskwright_llama_set_pool(struct llama_sampler *sampler, maskwright_pool *pool) {
    sampler_state *state = state_of(sampler);
    if (state != NULL)
        state->pool = pool;
    return state != NULL;
}

maskwright_matcher *maskwright_llama_matcher(struct llama_sampler *sampler) {
    const sampler_state *state = state_of(sampler);
    return state == NULL ? NULL : matcher_of(state);
}

maskwright_status maskwright_llama_status(const struct llama_sampler *sampler) {
    const sampler_state *state = state_of(sampler);
    return state == NULL ? MASKWRIGHT_STATUS_NOT_A_MATCHER : state->status;
}
