/* Decodes the tokens in the file "tokens", and prints for each step what the matcher says. Every failure ends it. Without an
   argument it also tries what is refused, tables beside others, and batches. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maskwright.h"

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition);     \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

#define OK MASKWRIGHT_STATUS_OK

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

static uint32_t hash_of(const uint32_t *words, size_t len) {
    uint32_t hash = 0x811c9dc5;
    for (size_t i = 0; i < 4 * len; i++)
        hash = (hash ^ (words[i / 4] >> (8 * (i % 4)) & 0xff)) * 0x01000193;
    return hash;
}

/* What is wrong is refused, with a status that says what it is, and changes nothing. */
static void refusals(const maskwright_grammar *grammar, uint8_t *tables, size_t len,
                     const uint8_t *vocabulary, size_t vocabulary_len) {
    maskwright_grammar other;
    CHECK(maskwright_grammar_load(NULL, tables, len, NULL, 0) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_grammar_load(&other, NULL, len, NULL, 0) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_grammar_load(&other, NULL, 0, NULL, 0) == MASKWRIGHT_STATUS_FOREIGN);
    CHECK(maskwright_grammar_load(&other, tables, len - 4, NULL, 0) == MASKWRIGHT_STATUS_LENGTH);
    CHECK(maskwright_grammar_load(&other, vocabulary, vocabulary_len, NULL, 0) == MASKWRIGHT_STATUS_FOREIGN);
    uint8_t *damaged = malloc(len);
    CHECK(damaged != NULL);
    memcpy(damaged, tables, len);
    damaged[len / 2] ^= 1;
    CHECK(maskwright_grammar_load(&other, damaged, len, NULL, 0) == MASKWRIGHT_STATUS_CHECKSUM);
    free(damaged);

    /* Memory that holds anything but a grammar. */
    for (int byte = 0; byte <= 0xff; byte += 0xff) {
        maskwright_matcher *none = NULL;
        uint32_t id;
        size_t bytes = 1;
        memset(&other, byte, sizeof other);
        CHECK(maskwright_least_depth(&other) == 0 && maskwright_vocab_size(&other) == 0);
        CHECK(maskwright_mask_words(&other) == 0 && maskwright_eos(&other, &id, 1) == 0);
        CHECK(maskwright_token_bytes(&other, 0, &bytes) != NULL && bytes == 0);
        CHECK(maskwright_matcher_size(&other, 1) == 0);
        CHECK(maskwright_matcher_new(&other, 1, NULL, 0, &none) == MASKWRIGHT_STATUS_NOT_A_GRAMMAR);
        CHECK(maskwright_grammar_load_beside(&other, tables, len, &other) == MASKWRIGHT_STATUS_NOT_A_GRAMMAR);
    }
    const char *moved = (const char *)grammar + 4;
    CHECK(maskwright_least_depth((const maskwright_grammar *)moved) == 0);
    CHECK(maskwright_grammar_load((maskwright_grammar *)moved, tables, len, NULL, 0) == MASKWRIGHT_STATUS_NOT_ALIGNED);

    size_t size = maskwright_matcher_size(grammar, 32);
    CHECK(size > 0 && maskwright_matcher_size(grammar, 65536) == 0);
    char *memory = malloc(size + 8);
    maskwright_matcher *matcher = NULL;
    CHECK(memory != NULL);
    CHECK(maskwright_matcher_new(grammar, 65536, memory, size, &matcher) == MASKWRIGHT_STATUS_DEPTH_TOO_LARGE);
    CHECK(maskwright_matcher_new(grammar, 32, memory, size - 1, &matcher) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_matcher_new(grammar, 32, memory + 4, size, &matcher) == MASKWRIGHT_STATUS_NOT_ALIGNED);
    CHECK(maskwright_matcher_new(grammar, 32, NULL, size, &matcher) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(matcher == NULL && maskwright_accept_token(matcher, 0) == MASKWRIGHT_STATUS_NULL_POINTER);
    memset(memory, 0, size);
    CHECK(maskwright_accept_token((maskwright_matcher *)memory, 0) == MASKWRIGHT_STATUS_NOT_A_MATCHER);

    CHECK(maskwright_matcher_new(grammar, 32, memory, size, &matcher) == OK);
    CHECK(sizeof(void *) != 8 || size == 240); /* as docs/embedded.md says */
    CHECK(maskwright_depth(matcher) == 32 && !maskwright_is_complete(matcher));
    CHECK(maskwright_accept_bytes(matcher, (const uint8_t *)"]", 1) == MASKWRIGHT_STATUS_NOT_ALLOWED);
    CHECK(maskwright_accept_token(matcher, UINT32_MAX) == MASKWRIGHT_STATUS_NOT_ALLOWED);
    uint32_t word;
    CHECK(maskwright_fill(matcher, &word, 1) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_fill(matcher, NULL, 1) == MASKWRIGHT_STATUS_NULL_POINTER);
    char nested[33];
    memset(nested, '[', sizeof nested);
    CHECK(maskwright_accept_bytes(matcher, (const uint8_t *)nested, 33) == MASKWRIGHT_STATUS_TOO_DEEP);
    CHECK(maskwright_accept_bytes(matcher, (const uint8_t *)nested, 32) == OK);
    CHECK(maskwright_reset(matcher) == OK);

    /* Any depth is kept to, whatever it is. */
    size_t depths[] = {3, 5000};
    for (size_t i = 0; i < 2; i++) {
        size_t depth = depths[i], deep_size = maskwright_matcher_size(grammar, depth);
        void *deep_memory = malloc(deep_size);
        uint8_t *brackets = malloc(depth + 1);
        maskwright_matcher *deep;
        CHECK(deep_memory != NULL && brackets != NULL);
        memset(brackets, '[', depth + 1);
        CHECK(maskwright_matcher_new(grammar, depth, deep_memory, deep_size, &deep) == OK);
        CHECK(maskwright_depth(deep) == depth);
        CHECK(maskwright_accept_bytes(deep, brackets, depth + 1) == MASKWRIGHT_STATUS_TOO_DEEP);
        CHECK(maskwright_accept_bytes(deep, brackets, depth) == OK);
        CHECK(maskwright_rollback(matcher, deep) == MASKWRIGHT_STATUS_NOT_A_MATCHER);
        free(brackets), free(deep_memory);
    }

    /* Bytes without a vocabulary. */
    CHECK(maskwright_grammar_load(&other, tables, len, NULL, 0) == OK);
    CHECK(maskwright_matcher_new(&other, 1, memory, size, &matcher) == OK);
    CHECK(maskwright_accept_token(matcher, 'x') == MASKWRIGHT_STATUS_NO_VOCABULARY);
    CHECK(maskwright_accept_bytes(matcher, (const uint8_t *)"[1]", 3) == OK && maskwright_is_complete(matcher));
    free(memory);
    CHECK(strcmp(maskwright_status_message(OK), "done") == 0);
}

/* The best of the tokens that may come next, found in three ways. */
static void logits(const maskwright_grammar *grammar, const maskwright_matcher *matcher, uint32_t token) {
    uint32_t len = maskwright_vocab_size(grammar), best = 0;
    float *scores = calloc(len, sizeof *scores);
    CHECK(scores != NULL && maskwright_allows(matcher, token));
    for (uint32_t id = 0; id < len; id++)
        scores[id] = maskwright_allows(matcher, id) ? 1.0f : 3.0f;
    scores[token] = 2.0f;
    CHECK(maskwright_argmax(matcher, scores, len, &best) == OK && best == token);
    CHECK(maskwright_apply(matcher, scores, len) == OK);
    size_t allowed = 0;
    for (uint32_t id = 0; id < len; id++)
        allowed += scores[id] > 0;
    CHECK(allowed == maskwright_count(matcher) && scores[token] == 2.0f);
    free(scores);
}

/* The same grammar beside itself: it has the same masks, and takes the vocabulary of the other one. */
static void beside(const maskwright_grammar *other, const uint32_t *tokens, size_t tokens_len) {
    size_t len;
    uint8_t *tables = read_file("beside", &len);
    maskwright_grammar grammar;
    CHECK(maskwright_grammar_load(&grammar, tables, len, NULL, 0) == MASKWRIGHT_STATUS_OTHER_TABLES);
    CHECK(maskwright_grammar_load_beside(&grammar, tables, len, NULL) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_grammar_load_beside(NULL, tables, len, other) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_grammar_load_beside(&grammar, tables, len - 4, other) == MASKWRIGHT_STATUS_LENGTH);
    CHECK(maskwright_grammar_load_beside(&grammar, tables, len, other) == OK);

    size_t size = maskwright_matcher_size(&grammar, 32), mask_len = maskwright_mask_words(&grammar);
    CHECK(size == maskwright_matcher_size(other, 32) && mask_len == maskwright_mask_words(other));
    const maskwright_grammar *grammars[2] = {other, &grammar};
    void *memory[2];
    uint32_t *masks[2];
    maskwright_matcher *matchers[2];
    for (int i = 0; i < 2; i++) {
        memory[i] = malloc(size), masks[i] = malloc(mask_len * sizeof **masks);
        CHECK(memory[i] != NULL && masks[i] != NULL);
        CHECK(maskwright_matcher_new(grammars[i], 32, memory[i], size, &matchers[i]) == OK);
    }
    for (size_t at = 0; at < tokens_len; at++) {
        for (int i = 0; i < 2; i++) {
            CHECK(maskwright_fill(matchers[i], masks[i], mask_len) == OK);
            CHECK(maskwright_accept_token(matchers[i], tokens[at]) == OK);
        }
        CHECK(memcmp(masks[0], masks[1], mask_len * sizeof **masks) == 0);
    }
    for (int i = 0; i < 2; i++)
        free(memory[i]), free(masks[i]);
    free(tables);
}

enum { BATCH = 5, ROWS = 48 };

/* Sequences of a batch, of two grammars, each some tokens further in the text than the one before. */
struct batch {
    const maskwright_grammar *grammars[2];
    void *memory[BATCH];
    maskwright_matcher *matchers[BATCH];
    size_t at[BATCH];
};

static void begin(struct batch *batch, const uint32_t *tokens) {
    for (int i = 0; i < BATCH; i++) {
        const maskwright_grammar *grammar = batch->grammars[i == 2];
        size_t size = maskwright_matcher_size(grammar, 32);
        batch->memory[i] = malloc(size), batch->at[i] = (size_t)(i / 2);
        CHECK(batch->memory[i] != NULL);
        CHECK(maskwright_matcher_new(grammar, 32, batch->memory[i], size, &batch->matchers[i]) == OK);
        CHECK(maskwright_accept_draft(batch->matchers[i], tokens, batch->at[i]) == batch->at[i]);
    }
}

static void advance(struct batch *batch, const uint32_t *tokens, size_t tokens_len) {
    for (int i = 0; i < BATCH; i++)
        if (batch->at[i] < tokens_len)
            CHECK(maskwright_accept_token(batch->matchers[i], tokens[batch->at[i]++]) == OK);
}

static void end(struct batch *batch) {
    for (int i = 0; i < BATCH; i++)
        free(batch->memory[i]);
}

/* Whether words are the mask of a matcher, and zeros after it. */
static bool is_mask(const uint32_t *words, size_t row_words, const maskwright_matcher *matcher) {
    uint32_t *mask = malloc(row_words * sizeof *mask);
    CHECK(mask != NULL && words != NULL && maskwright_fill(matcher, mask, row_words) == OK);
    bool equal = memcmp(mask, words, row_words * sizeof *mask) == 0;
    free(mask);
    return equal;
}

/* Masks from a pool are those of fill, for all sequences of a batch; hardly any are written. */
static void pools(struct batch *batch, size_t mask_len, const uint32_t *tokens, size_t tokens_len) {
    size_t row_words = mask_len + 3, words_len = ROWS * row_words, size = maskwright_pool_size(ROWS);
    uint32_t *words = malloc(words_len * sizeof *words);
    void *memory = malloc(size);
    maskwright_pool *pool = NULL;
    CHECK(words != NULL && memory != NULL);
    memset(words, 0xa5, words_len * sizeof *words);
    CHECK(maskwright_pool_new(ROWS, row_words, words, words_len, memory, size, &pool) == OK);
    CHECK(maskwright_pool_words(pool, ROWS) == NULL);

    begin(batch, tokens);
    size_t asked = 0, written = 0;
    for (size_t step = 0; step < tokens_len; step++) {
        size_t rows[BATCH], again;
        bool is_new;
        CHECK(maskwright_pool_begin_step(pool) == OK);
        for (int i = 0; i < BATCH; i++) {
            CHECK(maskwright_pool_row(pool, batch->matchers[i], &rows[i], &is_new) == OK && rows[i] < ROWS);
            asked++, written += is_new;
        }
        for (int i = 0; i < BATCH; i++) {
            CHECK(maskwright_pool_words(pool, rows[i]) == words + rows[i] * row_words);
            CHECK(is_mask(words + rows[i] * row_words, row_words, batch->matchers[i]));
            CHECK(maskwright_pool_row(pool, batch->matchers[i], &again, NULL) == OK && again == rows[i]);
        }
        /* The first two are of one grammar, at one place; the third is of the other. */
        CHECK(rows[0] == rows[1] && rows[2] != rows[3]);
        advance(batch, tokens, tokens_len);
    }
    CHECK(written > 0 && 2 * written < asked);

    /* With a row too few, one is refused, and the others stay as they are. */
    size_t first, second;
    CHECK(maskwright_reset(batch->matchers[0]) == OK && maskwright_reset(batch->matchers[1]) == OK);
    CHECK(maskwright_accept_token(batch->matchers[1], tokens[0]) == OK);
    CHECK(maskwright_pool_new(1, row_words, words, words_len, memory, size, &pool) == OK);
    CHECK(maskwright_pool_row(pool, batch->matchers[0], &first, NULL) == OK && first == 0);
    CHECK(maskwright_pool_row(pool, batch->matchers[1], &second, NULL) == MASKWRIGHT_STATUS_POOL_FULL);
    CHECK(is_mask(words, row_words, batch->matchers[0]));
    CHECK(maskwright_pool_begin_step(pool) == OK);
    CHECK(maskwright_pool_row(pool, batch->matchers[1], &second, NULL) == OK && second == 0);
    CHECK(is_mask(words, row_words, batch->matchers[1]));

    /* What is wrong is refused. */
    maskwright_pool *other = NULL;
    CHECK(maskwright_pool_size(SIZE_MAX / 2) == 0);
    CHECK(maskwright_pool_new(ROWS, row_words, words, words_len - 1, memory, size, &other) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_pool_new(ROWS, SIZE_MAX, words, words_len, memory, size, &other) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_pool_new(ROWS, row_words, words, words_len, memory, size - 1, &other) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_pool_new(ROWS, row_words, NULL, words_len, memory, size, &other) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_pool_new(ROWS, row_words, words, words_len, NULL, size, &other) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_pool_new(1, row_words, words, words_len, (char *)memory + 4, size - 4, &other) == MASKWRIGHT_STATUS_NOT_ALIGNED);
    CHECK(other == NULL && maskwright_pool_begin_step(other) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_pool_row(pool, batch->matchers[0], NULL, NULL) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_pool_row(pool, NULL, &first, NULL) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_pool_row(pool, (maskwright_matcher *)memory, &first, NULL) == MASKWRIGHT_STATUS_NOT_A_MATCHER);
    CHECK(maskwright_pool_begin_step((maskwright_pool *)batch->memory[0]) == MASKWRIGHT_STATUS_NOT_A_POOL);
    CHECK(maskwright_buffer_words((maskwright_buffer *)memory, 0) == NULL);
    void *moved = malloc(size);
    CHECK(moved != NULL);
    memcpy(moved, memory, size);
    CHECK(maskwright_pool_begin_step((maskwright_pool *)moved) == MASKWRIGHT_STATUS_NOT_A_POOL);
    CHECK(maskwright_pool_words((maskwright_pool *)moved, 0) == NULL);
    CHECK(maskwright_pool_new(1, mask_len - 1, words, words_len, moved, size, &other) == OK);
    CHECK(maskwright_pool_row(other, batch->matchers[0], &first, NULL) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_pool_new(0, row_words, NULL, 0, moved, size, &other) == OK);
    CHECK(maskwright_pool_row(other, batch->matchers[0], &first, NULL) == MASKWRIGHT_STATUS_POOL_FULL);
    end(batch), free(moved), free(memory), free(words);
}

/* Masks that a buffer keeps are those of fill, a row for each sequence. */
static void buffers(struct batch *batch, size_t mask_len, const uint32_t *tokens, size_t tokens_len) {
    size_t row_words = mask_len + 1, words_len = BATCH * row_words, size = maskwright_buffer_size(BATCH);
    uint32_t *words = malloc(words_len * sizeof *words);
    void *memory = malloc(size);
    maskwright_buffer *buffer = NULL;
    CHECK(words != NULL && memory != NULL);
    memset(words, 0xa5, words_len * sizeof *words);
    CHECK(maskwright_buffer_new(BATCH, row_words, words, words_len, memory, size - 1, &buffer) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_buffer_new(BATCH, row_words, words, words_len, memory, size, &buffer) == OK);
    begin(batch, tokens);
    size_t kept = 0;
    for (size_t step = 0; step < tokens_len; step++) {
        for (size_t i = 0; i < BATCH; i++) {
            bool changed = false, again = true;
            const uint32_t *row = maskwright_buffer_words(buffer, i);
            CHECK(row == words + i * row_words);
            bool held = is_mask(row, row_words, batch->matchers[i]);
            CHECK(maskwright_buffer_update(buffer, i, batch->matchers[i], &changed) == OK);
            CHECK((held || changed) && is_mask(row, row_words, batch->matchers[i]));
            CHECK(maskwright_buffer_update(buffer, i, batch->matchers[i], &again) == OK && !again);
            kept += !changed;
        }
        advance(batch, tokens, tokens_len);
    }
    CHECK(kept > 0);
    CHECK(maskwright_buffer_update(buffer, BATCH, batch->matchers[0], NULL) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_buffer_update((maskwright_buffer *)batch->memory[0], 0, batch->matchers[0], NULL) == MASKWRIGHT_STATUS_NOT_A_POOL);
    CHECK(maskwright_buffer_words(buffer, BATCH) == NULL);
    end(batch), free(memory), free(words);
}

static void batches(const maskwright_grammar *grammar, const uint32_t *tokens, size_t tokens_len) {
    size_t len;
    uint8_t *tables = read_file("beside", &len);
    maskwright_grammar other;
    CHECK(maskwright_grammar_load_beside(&other, tables, len, grammar) == OK);
    struct batch batch = {.grammars = {grammar, &other}};
    pools(&batch, maskwright_mask_words(grammar), tokens, tokens_len);
    buffers(&batch, maskwright_mask_words(grammar), tokens, tokens_len);
    free(tables);
}

/* Rows know a grammar by its digest, if it has one: equal tables share rows where their digests are equal, and only there. */
static void digests(const uint8_t *tables, size_t len, const uint8_t *vocabulary, size_t vocabulary_len) {
    enum { GRAMMARS = 4 };
    const uint8_t digest[GRAMMARS][16] = {{0}, {1}, {1}, {[15] = 1}};
    /* The row of each: the first has no digest. */
    const size_t expected[GRAMMARS] = {0, 1, 1, 2};
    maskwright_grammar grammars[GRAMMARS], none;
    memset(&none, 0, sizeof none);
    CHECK(maskwright_grammar_set_digest(NULL, digest[0]) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_grammar_set_digest(&none, digest[0]) == MASKWRIGHT_STATUS_NOT_A_GRAMMAR);
    size_t rows[GRAMMARS], size = maskwright_pool_size(GRAMMARS), words_len = 0;
    void *memory = malloc(size);
    uint32_t *words = NULL;
    maskwright_pool *pool = NULL;
    CHECK(memory != NULL);
    for (size_t i = 0; i < GRAMMARS; i++) {
        CHECK(maskwright_grammar_load(&grammars[i], tables, len, vocabulary, vocabulary_len) == OK);
        CHECK(maskwright_grammar_set_digest(&grammars[i], NULL) == MASKWRIGHT_STATUS_NULL_POINTER);
        CHECK(i == 0 || maskwright_grammar_set_digest(&grammars[i], digest[i]) == OK);
        if (pool == NULL) {
            words_len = maskwright_mask_words(&grammars[i]);
            words = malloc(GRAMMARS * words_len * sizeof *words);
            CHECK(words != NULL);
            CHECK(maskwright_pool_new(GRAMMARS, words_len, words, GRAMMARS * words_len, memory, size, &pool) == OK);
        }
        size_t matcher_size = maskwright_matcher_size(&grammars[i], 8);
        void *matcher_memory = malloc(matcher_size);
        maskwright_matcher *matcher = NULL;
        CHECK(matcher_memory != NULL);
        CHECK(maskwright_matcher_new(&grammars[i], 8, matcher_memory, matcher_size, &matcher) == OK);
        CHECK(maskwright_pool_row(pool, matcher, &rows[i], NULL) == OK);
        CHECK(is_mask(maskwright_pool_words(pool, rows[i]), words_len, matcher));
        free(matcher_memory);
    }
    for (size_t i = 0; i < GRAMMARS; i++)
        for (size_t j = 0; j < i; j++)
            CHECK((rows[i] == rows[j]) == (expected[i] == expected[j]));
    free(memory), free(words);
}

int main(int argc, char **argv) {
    (void)argv;
    size_t tables_len, vocabulary_len, tokens_len;
    uint8_t *tables = read_file("tables", &tables_len);
    uint8_t *vocabulary = read_file("vocabulary", &vocabulary_len);
    uint32_t *tokens = (uint32_t *)read_file("tokens", &tokens_len);
    tokens_len /= sizeof *tokens;

    maskwright_grammar grammar;
    maskwright_status status = maskwright_grammar_load(&grammar, tables, tables_len, vocabulary, vocabulary_len);
    if (status != OK) {
        fprintf(stderr, "%s\n", maskwright_status_message(status));
        return 1;
    }
    if (argc == 1) {
        refusals(&grammar, tables, tables_len, vocabulary, vocabulary_len);
        beside(&grammar, tokens, tokens_len);
        batches(&grammar, tokens, tokens_len);
        digests(tables, tables_len, vocabulary, vocabulary_len);
    }

    size_t size = maskwright_matcher_size(&grammar, 32), mask_len = maskwright_mask_words(&grammar);
    void *memory = malloc(size), *checkpoint = malloc(size);
    uint32_t *mask = malloc(mask_len * sizeof *mask);
    maskwright_matcher *matcher;
    CHECK(memory != NULL && checkpoint != NULL && mask != NULL);
    CHECK(maskwright_matcher_new(&grammar, 32, memory, size, &matcher) == OK);
    CHECK(maskwright_check_draft(matcher, tokens, tokens_len) == tokens_len);

    for (size_t i = 0; i < tokens_len; i++) {
        uint32_t ids[64];
        uint8_t bytes[64];
        CHECK(maskwright_fill(matcher, mask, mask_len) == OK);
        printf("%08x %zu %d %zu %zu\n", (unsigned)hash_of(mask, mask_len), maskwright_count(matcher),
               maskwright_is_complete(matcher), maskwright_forced_tokens(matcher, ids, 64),
               maskwright_forced_bytes(matcher, bytes, 64));
        logits(&grammar, matcher, tokens[i]);

        /* There and back: by copying the memory, by the function for it, and as bytes. */
        memcpy(checkpoint, matcher, size);
        uint8_t state[4096];
        size_t state_len = maskwright_state_size(matcher);
        CHECK(state_len > 0 && state_len <= sizeof state);
        CHECK(maskwright_state_write(matcher, state, state_len - 1) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
        CHECK(maskwright_state_write(matcher, state, sizeof state) == OK);
        CHECK(maskwright_accept_draft(matcher, tokens + i, tokens_len - i) == tokens_len - i);
        CHECK(maskwright_is_finished(matcher) && maskwright_count(matcher) == 0);
        CHECK(maskwright_state_read(matcher, state, state_len - 1) == MASKWRIGHT_STATUS_NOT_A_STATE);
        CHECK(maskwright_is_finished(matcher));
        if (i % 3 == 0)
            memcpy(matcher, checkpoint, size);
        else if (i % 3 == 1)
            CHECK(maskwright_rollback(matcher, checkpoint) == OK);
        else
            CHECK(maskwright_state_read(matcher, state, state_len) == OK);

        size_t len;
        const uint8_t *text = maskwright_token_bytes(&grammar, tokens[i], &len);
        if (len > 0) {
            CHECK(maskwright_accept_bytes((maskwright_matcher *)checkpoint, text, len) == OK);
        }
        CHECK(maskwright_accept_token(matcher, tokens[i]) == OK);
    }
    uint32_t end = 0;
    CHECK(maskwright_eos(&grammar, &end, 1) == 1 && end == tokens[tokens_len - 1]);
    CHECK(maskwright_is_finished(matcher));
    puts("finished");
    free(mask), free(checkpoint), free(memory), free(tokens), free(vocabulary), free(tables);
    return 0;
}
