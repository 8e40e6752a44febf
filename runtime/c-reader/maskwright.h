/* Maskwright's runtime in one file of C: exact token masks from tables that were compiled ahead of
 * time, without Rust.
 *
 * maskwright.c, beside this header, is C99 and needs no library: it allocates nothing, has no
 * variables of its own and calls nothing but memcpy and memset where a compiler puts them.
 * docs/table-format.md describes the format that it reads. The functions are those of the C library
 * over Rust (runtime/c) under the same names, so a program may be linked with either. That library
 * has more: pools of masks, and the names of control tokens.
 *
 * What is common to all functions:
 *
 * - Pointers point at what their types say for as long as the call takes; a null pointer is refused
 *   with a status or with zero, unless the length beside it is zero. The bytes of tables and of a
 *   vocabulary stay where they are, unchanged, as long as the grammar is used, and the grammar as
 *   long as a matcher of it is.
 * - A matcher is plain memory. Copying its maskwright_matcher_size() bytes to memory aligned to 8
 *   is a fork or a checkpoint, and copying them back is a rollback. There is nothing to free.
 * - Different matchers may be used by different threads at the same time, the grammar being shared.
 *   One matcher may not.
 * - Tables and vocabularies may hold anything: damaged ones are refused. Memory in which no grammar
 *   was loaded or no matcher made is refused as far as a mark at its beginning tells.
 *
 * What this file does not read is refused when it is loaded: grammars without a proved number of
 * stacks (MASKWRIGHT_STATUS_STACKS_NOT_PROVED), linked grammars and their parts, and what a macro
 * leaves out (MASKWRIGHT_STATUS_NOT_SUPPORTED).
 *
 * Macros for smaller builds, to be defined for maskwright.c:
 *
 * - MASKWRIGHT_NO_CHECK: tables are not checked beyond magic number, version, length and sections.
 *   For tables that are a part of the program. Reads stay checked, so wrong tables give wrong masks
 *   at worst.
 * - MASKWRIGHT_NO_TERMINALS: without grammars that name tokens or limit them.
 *
 * Linkers leave out functions that a program does not call (-ffunction-sections, --gc-sections).
 */

#ifndef MASKWRIGHT_H
#define MASKWRIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What came of a call. Everything but MASKWRIGHT_STATUS_OK left things as they were. The numbers
 * are those of the C library over Rust, which has none above 63. */
enum {
    /* It was done. */
    MASKWRIGHT_STATUS_OK = 0,
    /* The grammar does not allow this here. */
    MASKWRIGHT_STATUS_NOT_ALLOWED = 1,
    /* The text could then not be finished within the matcher's depth. */
    MASKWRIGHT_STATUS_TOO_DEEP = 2,
    /* The text needs more stacks than the tables say. */
    MASKWRIGHT_STATUS_TOO_MANY_STACKS = 3,
    /* The grammar was loaded without a vocabulary, so that the bytes of tokens are not known. */
    MASKWRIGHT_STATUS_NO_VOCABULARY = 4,
    /* The buffer is too short. */
    MASKWRIGHT_STATUS_BUFFER_TOO_SMALL = 5,
    /* A pointer is null that must not be. */
    MASKWRIGHT_STATUS_NULL_POINTER = 6,
    /* The memory for a grammar is not aligned for it, or that for a matcher not to 8 bytes. */
    MASKWRIGHT_STATUS_NOT_ALIGNED = 7,
    /* This is not a matcher, or the two matchers are not of one grammar and depth. */
    MASKWRIGHT_STATUS_NOT_A_MATCHER = 8,
    /* Not even the shortest text could be finished within this depth: maskwright_least_depth(). */
    MASKWRIGHT_STATUS_DEPTH_TOO_SMALL = 9,
    /* Matchers have no such depth: it is at most 65,535. */
    MASKWRIGHT_STATUS_DEPTH_TOO_LARGE = 10,
    /* These are not tables of the kind that was asked for. */
    MASKWRIGHT_STATUS_FOREIGN = 11,
    /* The tables are of another version of the format: compile the grammar again. */
    MASKWRIGHT_STATUS_VERSION = 12,
    /* The tables are cut off, or something follows them. */
    MASKWRIGHT_STATUS_LENGTH = 13,
    /* The tables were changed after they were made. */
    MASKWRIGHT_STATUS_CHECKSUM = 14,
    /* The tables contradict their layout. */
    MASKWRIGHT_STATUS_CORRUPT = 15,
    /* The grammar was compiled for another vocabulary. */
    MASKWRIGHT_STATUS_OTHER_VOCABULARY = 16,
    /* The tables share sets of other tables: see maskwright_grammar_load_beside(). */
    MASKWRIGHT_STATUS_OTHER_TABLES = 17,
    /* No number of stacks is proved to be enough for the grammar. */
    MASKWRIGHT_STATUS_STACKS_NOT_PROVED = 20,
    /* No grammar was loaded into this memory. */
    MASKWRIGHT_STATUS_NOT_A_GRAMMAR = 21,
    /* A linked grammar, a part of one, or tables that need what a macro leaves out. */
    MASKWRIGHT_STATUS_NOT_SUPPORTED = 64
};
typedef int32_t maskwright_status;

/* A run of little-endian words of 32 bits in the caller's tables. */
typedef struct {
    const uint8_t *at;
    uint32_t len;
} maskwright_words;

/* A grammar: a view of its tables. Its members may change with any version. It may lie anywhere,
 * but must not be moved while matchers of it are in use. */
typedef struct {
    uint32_t mark;
    uint32_t header[18];           /* the first words of the tables */
    maskwright_words sections[9];  /* in the order of the header */
    maskwright_words beside[2];    /* index and sets of the tables that these stand beside */
    maskwright_words token_blocks; /* of the vocabulary; none if none was given */
    maskwright_words token_names;
    const uint8_t *token_relative;
    const uint8_t *token_bytes;
    uint32_t token_bytes_len;
} maskwright_grammar;

/* A matcher: where a text stands in a grammar. It is as large as maskwright_matcher_size() says,
 * and has no address in it but that of the grammar, so that a copy of its memory is a fork or a
 * checkpoint. One thread may use it at a time, also in functions that leave it where it is: those
 * without `const` try things in its memory. */
typedef struct maskwright_matcher maskwright_matcher;

/* The meaning of a status, in English; it must not be freed. */
const char *maskwright_status_message(int32_t status);

/* Loads a grammar from `tables`, as the compiler wrote them, with the bytes of the tokens from
 * `vocabulary`. All of both is checked; nothing is copied. Without a vocabulary (null, 0) only
 * bytes can be accepted, not tokens. */
maskwright_status maskwright_grammar_load(maskwright_grammar *grammar, const uint8_t *tables,
                                          size_t tables_len, const uint8_t *vocabulary,
                                          size_t vocabulary_len);

/* Loads a grammar from `tables` that were compiled to stand beside those of another grammar, whose
 * token sets they share, and whose vocabulary they take. The other grammar's tables must stay
 * where they are as well. */
maskwright_status maskwright_grammar_load_beside(maskwright_grammar *grammar, const uint8_t *tables,
                                                 size_t tables_len,
                                                 const maskwright_grammar *other);

/* Number of token ids: the length of a row of logits. */
uint32_t maskwright_vocab_size(const maskwright_grammar *grammar);

/* Number of 32-bit words of a mask: one bit a token id. */
size_t maskwright_mask_words(const maskwright_grammar *grammar);

/* The least depth with which a matcher can finish a text. */
size_t maskwright_least_depth(const maskwright_grammar *grammar);

/* The bytes of a token, `*len` of them; none for special tokens and ids that do not exist, and
 * where there is no vocabulary. */
const uint8_t *maskwright_token_bytes(const maskwright_grammar *grammar, uint32_t id, size_t *len);

/* Writes the token ids that end a text, ascending, as far as the buffer goes; how many there are. */
size_t maskwright_eos(const maskwright_grammar *grammar, uint32_t *ids, size_t len);

/* Bytes of memory that a matcher of a grammar takes, with stacks of up to `depth` frames and as
 * many stacks as the grammar needs, of which nearly all need one; 0 if `depth` is above 65,535. */
size_t maskwright_matcher_size(const maskwright_grammar *grammar, size_t depth);

/* Makes a matcher at the beginning of a text, in memory of maskwright_matcher_size() bytes that is
 * aligned to 8. `*matcher` is then the memory's address. */
maskwright_status maskwright_matcher_new(const maskwright_grammar *grammar, size_t depth,
                                         void *memory, size_t size, maskwright_matcher **matcher);

/* The frames that a matcher's stacks may have: the depth that was asked for. */
size_t maskwright_depth(const maskwright_matcher *matcher);

/* Goes back to a checkpoint: a copy of the matcher, or of one of the same grammar and depth. */
maskwright_status maskwright_rollback(maskwright_matcher *matcher,
                                      const maskwright_matcher *checkpoint);

/* Goes back to the beginning of a text. */
maskwright_status maskwright_reset(maskwright_matcher *matcher);

/* Writes the mask: bit id % 32 of word id / 32 says whether token id may come next. Words past
 * maskwright_mask_words() are set to 0. */
maskwright_status maskwright_fill(const maskwright_matcher *matcher, uint32_t *words, size_t len);

/* Sets the logits of all tokens that may not come next to minus infinity; that of token id lies at
 * index id. */
maskwright_status maskwright_apply(const maskwright_matcher *matcher, float *logits, size_t len);

/* The token of the highest logit among those that may come next, in `*id`; of equal ones the
 * first. MASKWRIGHT_STATUS_NOT_ALLOWED if no token that may come next has a logit. */
maskwright_status maskwright_argmax(const maskwright_matcher *matcher, const float *logits,
                                    size_t len, uint32_t *id);

/* Whether a token may come next. */
bool maskwright_allows(const maskwright_matcher *matcher, uint32_t id);

/* How many tokens may come next. */
size_t maskwright_count(const maskwright_matcher *matcher);

/* Takes a token: one that is in the mask. */
maskwright_status maskwright_accept_token(maskwright_matcher *matcher, uint32_t id);

/* Takes bytes, whatever tokens they may come from: all of them or, with another status, none. */
maskwright_status maskwright_accept_bytes(maskwright_matcher *matcher, const uint8_t *bytes,
                                          size_t len);

/* Ends the text without a token that does. This function is not in the library over Rust. */
maskwright_status maskwright_finish(maskwright_matcher *matcher);

/* Takes the tokens of a draft up to the first that is refused; how many were taken. */
size_t maskwright_accept_draft(maskwright_matcher *matcher, const uint32_t *ids, size_t len);

/* How many tokens of a draft, from its first, would be accepted one after the other. The matcher
 * stays where it is. */
size_t maskwright_check_draft(maskwright_matcher *matcher, const uint32_t *ids, size_t len);

/* Whether the text may end here. */
bool maskwright_is_complete(const maskwright_matcher *matcher);

/* Whether the text has ended: a token that ends it was accepted. */
bool maskwright_is_finished(const maskwright_matcher *matcher);

/* Writes the bytes that must come next, as far as the buffer goes; how many were written. The
 * matcher stays where it is. */
size_t maskwright_forced_bytes(maskwright_matcher *matcher, uint8_t *bytes, size_t len);

/* Writes the tokens that come next while the mask holds exactly one, as far as the buffer goes;
 * how many were written. The matcher stays where it is. */
size_t maskwright_forced_tokens(maskwright_matcher *matcher, uint32_t *ids, size_t len);

#ifdef __cplusplus
}
#endif

#endif /* MASKWRIGHT_H */
