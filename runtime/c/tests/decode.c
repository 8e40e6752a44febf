/* Decodes the tokens in the file "tokens", and prints for each step what the matcher says. Every failure ends it. */

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

    size_t size = maskwright_matcher_size(grammar, 32);
    CHECK(size > 0 && maskwright_matcher_size(grammar, 513) == 0);
    char *memory = malloc(size + 8);
    maskwright_matcher *matcher = NULL;
    CHECK(memory != NULL);
    CHECK(maskwright_matcher_new(grammar, 513, memory, size, &matcher) == MASKWRIGHT_STATUS_DEPTH_TOO_LARGE);
    CHECK(maskwright_matcher_new(grammar, 32, memory, size - 1, &matcher) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_matcher_new(grammar, 32, memory + 4, size, &matcher) == MASKWRIGHT_STATUS_NOT_ALIGNED);
    CHECK(maskwright_matcher_new(grammar, 32, NULL, size, &matcher) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(matcher == NULL && maskwright_accept_token(matcher, 0) == MASKWRIGHT_STATUS_NULL_POINTER);
    memset(memory, 0, size);
    CHECK(maskwright_accept_token((maskwright_matcher *)memory, 0) == MASKWRIGHT_STATUS_NOT_A_MATCHER);

    CHECK(maskwright_matcher_new(grammar, 32, memory, size, &matcher) == OK);
    CHECK(sizeof(void *) != 8 || size == 96); /* as docs/embedded.md says */
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

int main(void) {
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
    refusals(&grammar, tables, tables_len, vocabulary, vocabulary_len);
    beside(&grammar, tokens, tokens_len);

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

        /* There and back, by copying the memory and by the function for it. */
        memcpy(checkpoint, matcher, size);
        CHECK(maskwright_accept_draft(matcher, tokens + i, tokens_len - i) == tokens_len - i);
        CHECK(maskwright_is_finished(matcher) && maskwright_count(matcher) == 0);
        if (i % 2 == 0)
            memcpy(matcher, checkpoint, size);
        else
            CHECK(maskwright_rollback(matcher, checkpoint) == OK);

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
