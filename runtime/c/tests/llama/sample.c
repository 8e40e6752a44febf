/* Drives the sampler for llama.cpp along the tokens in the file "tokens": at each step every candidate is what the matcher says,
 * whatever the order of candidates, with and without a pool. Every failure ends it. The sampler is compiled with its own malloc, which
 * counts. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maskwright_llama.h"

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition);     \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

#define OK MASKWRIGHT_STATUS_OK
#define DEPTH 32

static size_t allocated, freed, left = SIZE_MAX;

void *counted_malloc(size_t size) {
    if (left == 0)
        return NULL;
    left--, allocated++;
    return malloc(size);
}

void counted_free(void *memory) {
    freed += memory != NULL;
    free(memory);
}

struct llama_sampler *llama_sampler_init(struct llama_sampler_i *iface, void *ctx) {
    struct llama_sampler *sampler = malloc(sizeof *sampler);
    CHECK(sampler != NULL);
    sampler->iface = iface, sampler->ctx = ctx;
    return sampler;
}

struct llama_sampler *llama_sampler_clone(const struct llama_sampler *sampler) {
    return sampler->iface->clone(sampler);
}

void llama_sampler_free(struct llama_sampler *sampler) {
    sampler->iface->free(sampler);
    free(sampler);
}

static uint8_t *read_file(const char *name, size_t *len) {
    FILE *file = fopen(name, "rb");
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    *len = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*len + 1);
    CHECK(bytes != NULL && fread(bytes, 1, *len, file) == *len);
    fclose(file);
    return bytes;
}

/* Orders of candidates: as the model gives them, the other way round, with two neighbours changed, every third, and just one. */
enum { IN_ORDER, BACKWARDS, CHANGED, THIRD, ONE, ORDERS };

/* Candidates of ids below `size`, which is more than the vocabulary has, and -1. */
static size_t candidates(llama_token_data *data, uint32_t size, int order, llama_token one) {
    size_t len = 0;
    if (order == ONE) {
        data[0] = (llama_token_data){one, 1.0f, 0.5f};
        return 1;
    }
    for (uint32_t i = 0; i < size; i++) {
        llama_token id = (llama_token)(order == BACKWARDS ? size - 1 - i : i);
        if (order != THIRD || i % 3 == 0)
            data[len++] = (llama_token_data){id, (float)(id % 17), 0.5f};
    }
    if (order == CHANGED) {
        llama_token_data first = data[1];
        data[1] = data[2], data[2] = first;
    }
    data[len++] = (llama_token_data){-1, 1.0f, 0.5f};
    return len;
}

/* What the sampler leaves is what `allowed` says; the rest is as it was. */
static void judge(struct llama_sampler *sampler, const bool *allowed, uint32_t size, bool drops, llama_token next) {
    llama_token_data *before = malloc((size + 9) * sizeof *before), *after = malloc((size + 9) * sizeof *after);
    CHECK(before != NULL && after != NULL);
    for (int order = 0; order < ORDERS; order++) {
        size_t len = candidates(before, size + 8, order, next), calls = allocated + freed, at = 0;
        memcpy(after, before, len * sizeof *after);
        llama_token_data_array array = {after, len, 0, true};
        sampler->iface->apply(sampler, &array);
        CHECK(allocated + freed == calls && array.selected == -1 && array.sorted == drops);
        for (size_t i = 0; i < len; i++) {
            llama_token id = before[i].id;
            bool is_allowed = id >= 0 && (uint32_t)id < size && allowed[id];
            if (drops && !is_allowed)
                continue;
            CHECK(at < array.size && after[at].id == id && after[at].p == before[i].p);
            CHECK(is_allowed ? after[at].logit == before[i].logit : isinf(after[at].logit) && after[at].logit < 0);
            at++;
        }
        CHECK(at == array.size && (order != ONE || !allowed[next] || at == 1));
    }
    free(before), free(after);
}

/* What the matcher of a sampler says, or the end tokens. */
static void expect(const maskwright_grammar *grammar, struct llama_sampler *sampler, bool ends, bool *allowed) {
    const maskwright_matcher *matcher = maskwright_llama_matcher(sampler);
    uint32_t size = maskwright_vocab_size(grammar), eos[8];
    size_t len = maskwright_eos(grammar, eos, 8);
    CHECK(matcher != NULL && len > 0 && len <= 8);
    for (uint32_t id = 0; id < size; id++)
        allowed[id] = !ends && maskwright_allows(matcher, id);
    for (size_t i = 0; ends && i < len; i++)
        allowed[eos[i]] = true;
}

/* Decodes the tokens; midway a clone is made, which says the same when the original has gone on, and has gone back. */
static void decode(const maskwright_grammar *grammar, maskwright_pool *pool, bool drops, const uint32_t *tokens, size_t len) {
    uint32_t size = maskwright_vocab_size(grammar);
    bool *allowed = malloc(size), *midway = malloc(size);
    struct llama_sampler *clone = NULL,
                         *sampler = maskwright_llama_init(grammar, DEPTH, drops ? MASKWRIGHT_LLAMA_DROP : MASKWRIGHT_LLAMA_MASK);
    CHECK(allowed != NULL && midway != NULL && sampler != NULL && maskwright_llama_set_pool(sampler, pool));
    CHECK(strcmp(sampler->iface->name(sampler), "maskwright") == 0);
    for (size_t i = 0; i < len; i++) {
        expect(grammar, sampler, false, allowed);
        CHECK(allowed[tokens[i]]);
        judge(sampler, allowed, size, drops, (llama_token)tokens[i]);
        if (i == len / 2) {
            clone = llama_sampler_clone(sampler);
            CHECK(clone != NULL);
            memcpy(midway, allowed, size);
        }
        sampler->iface->accept(sampler, (llama_token)tokens[i]);
        CHECK(maskwright_llama_status(sampler) == OK);
    }
    /* Behind the end there are the ends, however many. */
    CHECK(maskwright_is_finished(maskwright_llama_matcher(sampler)));
    expect(grammar, sampler, true, allowed);
    for (int i = 0; i < 2; i++) {
        judge(sampler, allowed, size, drops, 0);
        sampler->iface->accept(sampler, (llama_token)tokens[len - 1]);
        CHECK(maskwright_llama_status(sampler) == OK);
    }
    sampler->iface->reset(sampler);
    expect(grammar, sampler, false, allowed);
    judge(sampler, allowed, size, drops, (llama_token)tokens[0]);
    llama_sampler_free(sampler);

    judge(clone, midway, size, drops, (llama_token)tokens[len / 2]);
    for (size_t i = len / 2; i < len; i++)
        clone->iface->accept(clone, (llama_token)tokens[i]);
    CHECK(maskwright_is_finished(maskwright_llama_matcher(clone)) && maskwright_llama_status(clone) == OK);

    /* What is refused stops it, until it is reset. */
    clone->iface->reset(clone);
    expect(grammar, clone, false, allowed);
    llama_token refused = 0;
    while (allowed[refused])
        refused++;
    clone->iface->accept(clone, refused);
    CHECK(maskwright_llama_status(clone) == MASKWRIGHT_STATUS_NOT_ALLOWED);
    expect(grammar, clone, true, allowed);
    judge(clone, allowed, size, drops, refused);
    clone->iface->accept(clone, (llama_token)tokens[0]);
    CHECK(maskwright_llama_status(clone) == MASKWRIGHT_STATUS_NOT_ALLOWED);
    clone->iface->reset(clone);
    CHECK(maskwright_llama_status(clone) == OK);
    clone->iface->accept(clone, (llama_token)tokens[0]);
    clone->iface->accept(clone, -1);
    CHECK(maskwright_llama_status(clone) == MASKWRIGHT_STATUS_NOT_ALLOWED);
    llama_sampler_free(clone);
    free(allowed), free(midway);
}

/* What cannot be made is null, and leaves no memory. */
static void refusals(const maskwright_grammar *grammar) {
    CHECK(maskwright_llama_init(NULL, DEPTH, MASKWRIGHT_LLAMA_MASK) == NULL);
    CHECK(maskwright_llama_init(grammar, 65536, MASKWRIGHT_LLAMA_MASK) == NULL);
    CHECK(maskwright_llama_init(grammar, maskwright_least_depth(grammar) - 1, MASKWRIGHT_LLAMA_MASK) == NULL);
    for (size_t most = 0; most < 2; most++) {
        left = most;
        CHECK(maskwright_llama_init(grammar, DEPTH, MASKWRIGHT_LLAMA_MASK) == NULL);
        left = SIZE_MAX;
    }
    struct llama_sampler *sampler = maskwright_llama_init(grammar, DEPTH, MASKWRIGHT_LLAMA_MASK);
    CHECK(sampler != NULL);
    left = 0;
    CHECK(llama_sampler_clone(sampler) == NULL);
    left = SIZE_MAX;
    llama_sampler_free(sampler);
    struct llama_sampler_i others = {0};
    struct llama_sampler other = {&others, NULL};
    CHECK(maskwright_llama_matcher(&other) == NULL && maskwright_llama_matcher(NULL) == NULL);
    CHECK(!maskwright_llama_set_pool(&other, NULL));
    CHECK(maskwright_llama_status(&other) == MASKWRIGHT_STATUS_NOT_A_MATCHER);
}

int main(void) {
    size_t tables_len, vocabulary_len, tokens_len;
    uint8_t *tables = read_file("tables", &tables_len), *vocabulary = read_file("vocabulary", &vocabulary_len);
    uint32_t *tokens = (uint32_t *)(void *)read_file("tokens", &tokens_len);
    maskwright_grammar grammar;
    CHECK(maskwright_grammar_load(&grammar, tables, tables_len, vocabulary, vocabulary_len) == OK);
    refusals(&grammar);

    /* A pool of fewer rows than there are masks, so that rows are written again, and with longer rows than masks. */
    size_t row_words = maskwright_mask_words(&grammar) + 3, pool_size = maskwright_pool_size(2);
    void *memory = malloc(pool_size);
    uint32_t *words = malloc(2 * row_words * sizeof *words);
    maskwright_pool *pool;
    CHECK(memory != NULL && words != NULL);
    CHECK(maskwright_pool_new(2, row_words, words, 2 * row_words, memory, pool_size, &pool) == OK);
    for (int drops = 0; drops < 2; drops++) {
        decode(&grammar, NULL, drops, tokens, tokens_len / sizeof *tokens);
        decode(&grammar, pool, drops, tokens, tokens_len / sizeof *tokens);
    }
    CHECK(allocated == freed && allocated > 0);
    printf("%zu tokens\n", tokens_len / sizeof *tokens);
    free(memory), free(words), free(tables), free(vocabulary), free(tokens);
    return 0;
}
