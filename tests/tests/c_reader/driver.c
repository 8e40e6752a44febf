/* Does what the lines of its input say with the reader of tables in C, and prints what came of
 * each: tests/tests/c_reader compares that with the Rust matcher. Every failure ends it. */

#include "maskwright.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition);     \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

/* What is larger than this is not tried with damaged tables. */
#define MOST ((size_t)1 << 26)

struct bytes {
    uint8_t *at;
    size_t len;
};

static struct bytes tables, vocabulary;
/* Copies without a byte to spare, so that reads past the end are found. */
static struct bytes loaded_tables[2], loaded_vocabulary;
static maskwright_grammar grammars[2];
static int loaded; /* the grammar that is used */
static maskwright_matcher *matcher;
static void *memory, *checkpoint;
static size_t size;

static char *line;
static size_t line_size;

static struct bytes read_file(const char *name) {
    struct bytes bytes;
    FILE *file = fopen(name, "rb");
    long len;
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0 && (len = ftell(file)) >= 0);
    rewind(file);
    bytes.len = (size_t)len;
    bytes.at = malloc(bytes.len + 1);
    CHECK(bytes.at != NULL && fread(bytes.at, 1, bytes.len, file) == bytes.len);
    fclose(file);
    return bytes;
}

/* Reads a line; false at the end of the input. */
static int read_line(void) {
    size_t len = 0;
    for (;;) {
        int byte = getchar();
        if (len + 1 >= line_size) {
            line_size = 2 * line_size + 64;
            line = realloc(line, line_size);
            CHECK(line != NULL);
        }
        if (byte == EOF || byte == '\n') {
            line[len] = 0;
            return byte == '\n';
        }
        line[len++] = (char)byte;
    }
}

/* The bytes that a text spells in hexadecimal digits, which must be freed. */
static struct bytes unhex(const char *text) {
    struct bytes bytes;
    size_t at;
    bytes.len = strlen(text) / 2;
    bytes.at = malloc(bytes.len + 1);
    CHECK(bytes.at != NULL);
    for (at = 0; at < bytes.len; at++) {
        unsigned byte;
        CHECK(sscanf(text + 2 * at, "%2x", &byte) == 1);
        bytes.at[at] = (uint8_t)byte;
    }
    return bytes;
}

/* "AT HEX": these bytes from there on. */
static void patch(struct bytes *bytes, char *text) {
    char *rest;
    size_t at = strtoul(text, &rest, 10);
    struct bytes other = unhex(rest + 1);
    CHECK(at + other.len <= bytes->len);
    memcpy(bytes->at + at, other.at, other.len);
    free(other.at);
}

static void copy(struct bytes *to, const struct bytes *from) {
    free(to->at);
    to->len = from->len;
    to->at = malloc(from->len > 0 ? from->len : 1);
    CHECK(to->at != NULL);
    if (from->len > 0)
        memcpy(to->at, from->at, from->len);
}

static void drop_matcher(void) {
    free(memory), free(checkpoint);
    memory = checkpoint = NULL;
    matcher = NULL;
    size = 0;
}

static uint32_t hash(uint32_t hash, const uint8_t *bytes, size_t len) {
    size_t at;
    for (at = 0; at < len; at++)
        hash = (hash ^ bytes[at]) * 0x01000193u;
    return hash;
}

#define HASH 0x811c9dc5u

static uint32_t hash_words(const uint32_t *words, size_t len) {
    uint32_t all = HASH;
    size_t at;
    for (at = 0; at < len; at++) {
        uint8_t bytes[4];
        int i;
        for (i = 0; i < 4; i++)
            bytes[i] = (uint8_t)(words[at] >> (8 * i));
        all = hash(all, bytes, 4);
    }
    return all;
}

/* What there is to say of a grammar. */
static void describe(const maskwright_grammar *grammar) {
    uint32_t id, texts = HASH, ids[64];
    size_t ends = maskwright_eos(grammar, ids, 64);
    for (id = 0; id <= maskwright_vocab_size(grammar); id++) {
        size_t len;
        const uint8_t *text = maskwright_token_bytes(grammar, id, &len);
        uint8_t length = (uint8_t)len;
        texts = hash(hash(texts, &length, 1), text, len);
    }
    printf("%u %zu %zu %08x\n", (unsigned)maskwright_vocab_size(grammar),
           maskwright_least_depth(grammar), ends, (unsigned)texts);
}

/* A number that differs from those of most other tokens. */
static float logit_of(size_t id) {
    return (float)((uint64_t)id * 2654435761u % 1000);
}

/* The mask, found in all ways. */
static void mask(const maskwright_grammar *grammar) {
    size_t len = maskwright_mask_words(grammar), ids = maskwright_vocab_size(grammar), at;
    uint32_t *words = malloc((len + 2) * sizeof *words);
    float *logits = malloc((ids + 3) * sizeof *logits);
    uint32_t best = 0xffffffffu;
    CHECK(words != NULL && logits != NULL);
    memset(words, 0xa5, (len + 2) * sizeof *words);
    CHECK(maskwright_fill(matcher, words, len + 2) == MASKWRIGHT_STATUS_OK);
    CHECK(words[len] == 0 && words[len + 1] == 0);
    for (at = 0; at < ids + 3; at++)
        logits[at] = logit_of(at);
    maskwright_argmax(matcher, logits, ids + 3, &best);
    CHECK(maskwright_apply(matcher, logits, ids + 3) == MASKWRIGHT_STATUS_OK);
    for (at = 0; at < ids + 3; at++) {
        float logit = logit_of(at);
        int is_allowed = at < ids && (words[at / 32] >> at % 32 & 1);
        CHECK(is_allowed ? logits[at] == logit : logits[at] < -3e38f);
    }
    for (at = 0; at < ids; at += 1 + ids / 50)
        CHECK(maskwright_allows(matcher, (uint32_t)at) == (words[at / 32] >> at % 32 & 1));
    printf("%08x %zu %d %d %d\n", (unsigned)hash_words(words, len), maskwright_count(matcher),
           maskwright_is_complete(matcher), maskwright_is_finished(matcher), (int)best);
    free(words), free(logits);
}

/* A draft, tried and taken. */
static void draft(char *text) {
    uint32_t ids[64];
    size_t len = 0, checked;
    for (; *text != 0 && len < 64; len++)
        ids[len] = (uint32_t)strtoul(text, &text, 10);
    checked = maskwright_check_draft(matcher, ids, len);
    printf("%zu %zu\n", checked, maskwright_accept_draft(matcher, ids, len));
}

static void forced(void) {
    uint8_t bytes[24];
    uint32_t ids[12];
    size_t len = maskwright_forced_bytes(matcher, bytes, sizeof bytes), at;
    size_t tokens = maskwright_forced_tokens(matcher, ids, 12);
    printf("%zu %08x", len, (unsigned)hash(HASH, bytes, len));
    for (at = 0; at < tokens; at++)
        printf(" %u", (unsigned)ids[at]);
    puts("");
}

/* Loads what is there now: alone, or beside the grammar that was loaded last. */
static void load(int beside) {
    int other = loaded, here = beside ? 1 - loaded : loaded;
    int32_t status;
    drop_matcher();
    copy(&loaded_tables[here], &tables);
    if (beside) {
        status = maskwright_grammar_load_beside(&grammars[here], loaded_tables[here].at,
                                                tables.len, &grammars[other]);
    } else {
        copy(&loaded_vocabulary, &vocabulary);
        memset(&grammars[here], 0, sizeof grammars[here]);
        status = maskwright_grammar_load(&grammars[here], loaded_tables[here].at, tables.len,
                                         loaded_vocabulary.at, vocabulary.len);
    }
    loaded = here;
    printf("%d\n", (int)status);
}

static void make(size_t depth) {
    const maskwright_grammar *grammar = &grammars[loaded];
    int32_t status = MASKWRIGHT_STATUS_DEPTH_TOO_LARGE;
    drop_matcher();
    size = maskwright_matcher_size(grammar, depth);
    if (size > 0 && size < MOST && maskwright_mask_words(grammar) < MOST / 64) {
        memory = malloc(size), checkpoint = malloc(size);
        CHECK(memory != NULL && checkpoint != NULL);
        memset(memory, 0xa5, size);
        status = maskwright_matcher_new(grammar, depth, memory, size, &matcher);
    }
    if (matcher != NULL)
        memcpy(checkpoint, memory, size);
    printf("%d\n", (int)status);
}

/* Calls that are wrong are refused, with a status that says what is wrong, and change nothing. */
static void wrong_calls(const maskwright_grammar *grammar) {
    size_t needed = maskwright_matcher_size(grammar, 32), len;
    char *own = malloc(needed + 8);
    const char *moved = (const char *)grammar + 2;
    maskwright_grammar other;
    maskwright_matcher *made = NULL;
    uint32_t word;
    float logit = 1;
    int byte;
    CHECK(own != NULL && needed > 0 && maskwright_matcher_size(grammar, 65536) == 0);
    CHECK(maskwright_grammar_load(NULL, tables.at, tables.len, NULL, 0) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_grammar_load(&other, NULL, 4, NULL, 0) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_grammar_load(&other, NULL, 0, NULL, 0) == MASKWRIGHT_STATUS_FOREIGN);
    CHECK(maskwright_grammar_load(&other, (const uint8_t *)"MSKL", 4, NULL, 0) == MASKWRIGHT_STATUS_NOT_SUPPORTED);
    CHECK(maskwright_grammar_load_beside(&other, tables.at, tables.len, NULL) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_vocab_size((const maskwright_grammar *)(const void *)moved) == 0);
    for (byte = 0; byte <= 0xff; byte += 0xff) {
        memset(&other, byte, sizeof other);
        CHECK(maskwright_least_depth(&other) == 0 && maskwright_mask_words(&other) == 0);
        CHECK(maskwright_eos(&other, &word, 1) == 0 && maskwright_matcher_size(&other, 1) == 0);
        CHECK(maskwright_token_bytes(&other, 0, &len) != NULL && len == 0);
        CHECK(maskwright_matcher_new(&other, 1, own, needed, &made) == MASKWRIGHT_STATUS_NOT_A_GRAMMAR);
        memset(own, byte, needed);
        CHECK(maskwright_accept_token((maskwright_matcher *)(void *)own, 0) == MASKWRIGHT_STATUS_NOT_A_MATCHER);
    }
    CHECK(maskwright_matcher_new(grammar, 65536, own, needed, &made) == MASKWRIGHT_STATUS_DEPTH_TOO_LARGE);
    CHECK(maskwright_matcher_new(grammar, 32, own, needed - 1, &made) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_matcher_new(grammar, 32, own + 4, needed, &made) == MASKWRIGHT_STATUS_NOT_ALIGNED);
    CHECK(maskwright_matcher_new(grammar, 32, NULL, needed, &made) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(made == NULL && maskwright_reset(made) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_count(made) == 0 && !maskwright_is_finished(made) && maskwright_depth(made) == 0);
    CHECK(maskwright_matcher_new(grammar, 32, own, needed, &made) == MASKWRIGHT_STATUS_OK);
    CHECK(maskwright_depth(made) == 32);
    CHECK(maskwright_accept_token(made, UINT32_MAX) == MASKWRIGHT_STATUS_NOT_ALLOWED);
    CHECK(maskwright_fill(made, &word, 1) == MASKWRIGHT_STATUS_BUFFER_TOO_SMALL);
    CHECK(maskwright_fill(made, NULL, 1) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_apply(made, NULL, 1) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(maskwright_argmax(made, &logit, 1, NULL) == MASKWRIGHT_STATUS_NULL_POINTER);
    CHECK(!maskwright_allows(made, UINT32_MAX));
    CHECK(maskwright_grammar_load(&other, tables.at, tables.len, NULL, 0) == MASKWRIGHT_STATUS_OK);
    CHECK(maskwright_matcher_new(&other, 32, own, needed, &made) == MASKWRIGHT_STATUS_OK);
    CHECK(maskwright_accept_token(made, 'x') == MASKWRIGHT_STATUS_NO_VOCABULARY);
    if (matcher != NULL)
        CHECK(maskwright_rollback(matcher, made) == MASKWRIGHT_STATUS_NOT_A_MATCHER);
    free(own);
    CHECK(strcmp(maskwright_status_message(MASKWRIGHT_STATUS_OK), "done") == 0);
    for (byte = -1; byte < 70; byte++)
        CHECK(strlen(maskwright_status_message(byte)) > 3);
}

/* What is done with a matcher. */
static void use(char command, char *text) {
    struct bytes bytes;
    switch (command) {
    case 'k':
        mask(&grammars[loaded]);
        break;
    case 'a':
        printf("%d\n", (int)maskwright_accept_token(matcher, (uint32_t)strtoul(text, NULL, 10)));
        break;
    case 'y':
        bytes = unhex(text);
        printf("%d\n", (int)maskwright_accept_bytes(matcher, bytes.at, bytes.len));
        free(bytes.at);
        break;
    case 'd':
        draft(text);
        break;
    case 'o':
        forced();
        break;
    case 's':
        memcpy(checkpoint, memory, size);
        break;
    case 'r':
        CHECK(maskwright_rollback(matcher, (maskwright_matcher *)checkpoint) ==
              MASKWRIGHT_STATUS_OK);
        break;
    case 'c':
        memcpy(memory, checkpoint, size);
        break;
    case 'e':
        printf("%d\n", (int)maskwright_finish(matcher));
        break;
    case 'z':
        CHECK(maskwright_reset(matcher) == MASKWRIGHT_STATUS_OK);
        break;
    default:
        CHECK(!"a command");
    }
}

int main(void) {
    while (read_line()) {
        char command = line[0], *text = line + 1;
        switch (command) {
        case 't':
            free(tables.at);
            tables = read_file(text);
            break;
        case 'v':
            free(vocabulary.at);
            vocabulary = read_file(text);
            break;
        case 'p':
            patch(&tables, text);
            break;
        case 'q':
            patch(&vocabulary, text);
            break;
        case 'n':
            tables.len = strtoul(text, NULL, 10);
            break;
        case 'l':
            load(0);
            break;
        case 'b':
            load(1);
            break;
        case 'x':
            describe(&grammars[loaded]);
            break;
        case 'i':
            wrong_calls(&grammars[loaded]);
            break;
        case 'm':
            make(strtoul(text, NULL, 10));
            break;
        default:
            if (matcher == NULL)
                puts("no matcher");
            else
                use(command, text);
        }
    }
    drop_matcher();
    free(tables.at), free(vocabulary.at), free(loaded_vocabulary.at);
    free(loaded_tables[0].at), free(loaded_tables[1].at), free(line);
    return 0;
}
