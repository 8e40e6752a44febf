/* Maskwright's runtime for C and C++: exact token masks from a grammar that was compiled ahead of time.
 *
 * This file is generated from runtime/c/src; `cargo test -p maskwright-c` says so if it differs, and with
 * UPDATE_HEADER=1 in the environment writes it.
 *
 * Nothing is allocated, and nothing is kept but in memory that the caller gives. What is common to all functions:
 *
 * - Pointers point at what their types say, for as long as the call takes; a null pointer is refused with a status or with
 *   zero, unless the length beside it is zero. The bytes of tables and of a vocabulary must stay where they are, unchanged, as
 *   long as the grammar is used, and the grammar as long as a matcher of it is, or a pool or a buffer that was given one.
 * - A matcher is plain memory. Copying its maskwright_matcher_size() bytes to memory aligned to 8, with memcpy, is a fork or a
 *   checkpoint; copying them back is a rollback. There is nothing to free. A pool or a buffer is refused where it was moved or copied.
 * - Different matchers may be used by different threads at the same time, the grammar being shared. One matcher may not, nor one
 *   pool or buffer.
 * - Tables and vocabularies may hold anything: damaged ones are refused. Tokens that do not exist are not allowed. Memory in which no
 *   grammar was loaded, or no matcher, pool or buffer made, is refused as far as a mark at its beginning tells.
 */

#ifndef MASKWRIGHT_H
#define MASKWRIGHT_H



#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What came of a call. Everything but MASKWRIGHT_STATUS_OK left things as they were.
enum maskwright_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It was done.
    MASKWRIGHT_STATUS_OK = 0,
    // The grammar does not allow this here.
    MASKWRIGHT_STATUS_NOT_ALLOWED = 1,
    // The text could then not be finished within the matcher's depth.
    MASKWRIGHT_STATUS_TOO_DEEP = 2,
    // The text is more ambiguous than the matcher has memory for. Only where no number of stacks
    // is proved to be enough.
    MASKWRIGHT_STATUS_TOO_MANY_STACKS = 3,
    // The grammar was loaded without a vocabulary, so that the bytes of tokens are not known.
    MASKWRIGHT_STATUS_NO_VOCABULARY = 4,
    // The buffer is too short.
    MASKWRIGHT_STATUS_BUFFER_TOO_SMALL = 5,
    // A pointer is null that must not be.
    MASKWRIGHT_STATUS_NULL_POINTER = 6,
    // The memory for a grammar, a matcher, a pool or a buffer is not aligned to 8 bytes.
    MASKWRIGHT_STATUS_NOT_ALIGNED = 7,
    // This is not a matcher, or the two matchers are not of one grammar and depth.
    MASKWRIGHT_STATUS_NOT_A_MATCHER = 8,
    // Not even the shortest text could be finished within this depth: see
    // maskwright_least_depth().
    MASKWRIGHT_STATUS_DEPTH_TOO_SMALL = 9,
    // Matchers have no such depth: it is at most 65,535.
    MASKWRIGHT_STATUS_DEPTH_TOO_LARGE = 10,
    // These are not tables of the kind that was asked for.
    MASKWRIGHT_STATUS_FOREIGN = 11,
    // The tables are of another version of the format: compile the grammar again.
    MASKWRIGHT_STATUS_VERSION = 12,
    // The tables are cut off, or something follows them.
    MASKWRIGHT_STATUS_LENGTH = 13,
    // The tables were changed after they were made.
    MASKWRIGHT_STATUS_CHECKSUM = 14,
    // The tables contradict their layout.
    MASKWRIGHT_STATUS_CORRUPT = 15,
    // The grammar was compiled for another vocabulary.
    MASKWRIGHT_STATUS_OTHER_VOCABULARY = 16,
    // The tables share sets of other tables: see maskwright_grammar_load_beside().
    MASKWRIGHT_STATUS_OTHER_TABLES = 17,
    // This is not a pool or not a buffer, or one that was moved or copied.
    MASKWRIGHT_STATUS_NOT_A_POOL = 18,
    // All rows of the pool hold masks of this step: it needs as many rows as there are sequences.
    MASKWRIGHT_STATUS_POOL_FULL = 19,
    // The grammar may need any number of stacks, which are then a graph: this library was built
    // without the feature `graphs`.
    MASKWRIGHT_STATUS_STACKS_NOT_PROVED = 20,
    // No grammar was loaded into this memory.
    MASKWRIGHT_STATUS_NOT_A_GRAMMAR = 21,
    // These bytes are not a state of a text of this grammar, or were damaged.
    MASKWRIGHT_STATUS_NOT_A_STATE = 22,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum maskwright_status maskwright_status;
#else
typedef int32_t maskwright_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Rows of words for masks, one for each sequence of a batch, that know which mask they hold: only
// what differs from a row's last mask is written. What holds for the memory, the words and the
// grammars of a pool holds for those of a buffer.
typedef struct maskwright_buffer maskwright_buffer;

// A matcher: where a text stands in a grammar. It is as large as maskwright_matcher_size() says,
// and has no address in it but that of the grammar, so that a copy of its memory is a fork or a
// checkpoint. One thread may use it at a time, also in functions that leave it where it is: they
// try things in its memory.
typedef struct maskwright_matcher maskwright_matcher;

// Rows of words for masks that all sequences of a batch share: sequences whose masks are equal are
// given the same row, and a mask that was met some steps ago is mostly still there. As many rows
// as there are sequences suffice at any step; for one sequence, 32 to 64 keep nearly all masks of
// a text. Matchers may be of different grammars.
//
// What it is made of stays where it is, used by nothing else, as long as the pool is used: its
// memory, which must be neither moved nor copied, and the words, which may be read between calls.
// Which mask a row holds is told by what is in the tables, not by where a grammar is: grammars may
// go while the pool is used, and copies of one grammar share rows. One thread may use it at a
// time.
//
// A library that was built without default features has pools and buffers only with the feature
// `batches`.
typedef struct maskwright_pool maskwright_pool;

// A grammar: a view of its tables. What is in it may change with any version. It may lie anywhere,
// but must not be moved while matchers of it are in use.
typedef struct {
    uint64_t opaque[50];
} maskwright_grammar;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// What a status means, in English; it must not be freed.
const char *maskwright_status_message(int32_t status);

// Loads a grammar from `tables`, as the compiler wrote them, with the bytes of the tokens from
// `vocabulary`. All of both is checked; nothing is copied. Without a vocabulary (null, 0) only
// bytes can be accepted, not tokens.
maskwright_status maskwright_grammar_load(maskwright_grammar *grammar,
                                          const uint8_t *tables,
                                          size_t tables_len,
                                          const uint8_t *vocabulary,
                                          size_t vocabulary_len);

// Loads a grammar from `tables` that were compiled to stand beside those of another grammar, whose
// token sets they share, and whose vocabulary they take. The other grammar's tables must stay
// where they are as well.
maskwright_status maskwright_grammar_load_beside(maskwright_grammar *grammar,
                                                 const uint8_t *tables,
                                                 size_t tables_len,
                                                 const maskwright_grammar *other);

// Number of token ids: the length of a row of logits.
uint32_t maskwright_vocab_size(const maskwright_grammar *grammar);

// Number of 32-bit words of a mask: one bit a token id.
size_t maskwright_mask_words(const maskwright_grammar *grammar);

// The least depth with which a matcher can finish a text.
size_t maskwright_least_depth(const maskwright_grammar *grammar);

// The bytes of a token, `*len` of them; none for special tokens and ids that do not exist, and
// where there is no vocabulary.
const uint8_t *maskwright_token_bytes(const maskwright_grammar *grammar, uint32_t id, size_t *len);

// The name of a control token, `*len` bytes of UTF-8: such a token has no bytes. Null for other
// tokens, for names that the tokenizer's file does not tell, and where there is no vocabulary.
const uint8_t *maskwright_token_name(const maskwright_grammar *grammar, uint32_t id, size_t *len);

// Writes the token ids that end a text, ascending, as far as the buffer goes; how many there are.
size_t maskwright_eos(const maskwright_grammar *grammar, uint32_t *ids, size_t len);

// Bytes of memory that a matcher of a grammar takes, with stacks of up to `depth` frames and as
// many stacks as the grammar needs, of which nearly all need one; 0 if `depth` is above 65,535.
// Where no number of stacks is proved to be enough, they are a graph in the memory of 64 stacks,
// and `depth` is at most 1,024.
size_t maskwright_matcher_size(const maskwright_grammar *grammar, size_t depth);

// Makes a matcher at the beginning of a text, in memory of maskwright_matcher_size() bytes that is
// aligned to 8. `*matcher` is then the memory's address.
maskwright_status maskwright_matcher_new(const maskwright_grammar *grammar,
                                         size_t depth,
                                         void *memory,
                                         size_t size,
                                         maskwright_matcher **matcher);

// The frames that a matcher's stacks may have: the depth that was asked for.
size_t maskwright_depth(const maskwright_matcher *matcher);

// Goes back to a checkpoint: a copy of the matcher, or of one of the same grammar and depth.
maskwright_status maskwright_rollback(maskwright_matcher *matcher,
                                      const maskwright_matcher *checkpoint);

// Goes back to the beginning of a text.
maskwright_status maskwright_reset(maskwright_matcher *matcher);

// Writes the mask: bit id % 32 of word id / 32 says whether token id may come next. Words past
// maskwright_mask_words() are set to 0.
maskwright_status maskwright_fill(const maskwright_matcher *matcher, uint32_t *words, size_t len);

// Sets the logits of all tokens that may not come next to minus infinity; that of token id lies at
// index id.
maskwright_status maskwright_apply(const maskwright_matcher *matcher, float *logits, size_t len);

// The token of the highest logit among those that may come next, in `*id`; of equal ones the
// first. MASKWRIGHT_STATUS_NOT_ALLOWED if no token that may come next has a logit.
maskwright_status maskwright_argmax(const maskwright_matcher *matcher,
                                    const float *logits,
                                    size_t len,
                                    uint32_t *id);

// Whether a token may come next.
bool maskwright_allows(const maskwright_matcher *matcher, uint32_t id);

// How many tokens may come next.
size_t maskwright_count(const maskwright_matcher *matcher);

// Takes a token: one that is in the mask.
maskwright_status maskwright_accept_token(maskwright_matcher *matcher, uint32_t id);

// Takes bytes, whatever tokens they may come from: all of them or, with another status, none.
maskwright_status maskwright_accept_bytes(maskwright_matcher *matcher,
                                          const uint8_t *bytes,
                                          size_t len);

// Takes the tokens of a draft up to the first that is refused; how many were taken.
size_t maskwright_accept_draft(maskwright_matcher *matcher, const uint32_t *ids, size_t len);

// How many tokens of a draft, from its first, would be accepted one after the other. The matcher
// stays where it is.
size_t maskwright_check_draft(maskwright_matcher *matcher, const uint32_t *ids, size_t len);

// Bytes that maskwright_state_write() writes; 0 if this is not a matcher.
size_t maskwright_state_size(const maskwright_matcher *matcher);

// Writes where the text stands, as bytes for maskwright_state_read() on any machine, by a matcher
// of the same tables, of any depth.
maskwright_status maskwright_state_write(const maskwright_matcher *matcher,
                                         uint8_t *bytes,
                                         size_t len);

// Goes to where the matcher stood that wrote these bytes. They are not trusted: the text can be
// finished within the matcher's depth from there. MASKWRIGHT_STATUS_NOT_A_STATE if they are damaged, of
// another version or of other tables, MASKWRIGHT_STATUS_TOO_DEEP if a deeper matcher is needed;
// the matcher is then as it was.
maskwright_status maskwright_state_read(maskwright_matcher *matcher,
                                        const uint8_t *bytes,
                                        size_t len);

// Whether the text may end here.
bool maskwright_is_complete(const maskwright_matcher *matcher);

// Whether the text has ended: a token that ends it was accepted.
bool maskwright_is_finished(const maskwright_matcher *matcher);

// Writes the bytes that must come next, as far as the buffer goes; how many were written. The
// matcher stays where it is.
size_t maskwright_forced_bytes(maskwright_matcher *matcher, uint8_t *bytes, size_t len);

// Writes the tokens that come next while the mask holds exactly one, as far as the buffer goes;
// how many were written. The matcher stays where it is.
size_t maskwright_forced_tokens(maskwright_matcher *matcher, uint32_t *ids, size_t len);

// Gives a loaded grammar 16 bytes of a cryptographic digest of its tables, and of those that they
// stand beside, such as the first bytes of their SHA-256. Rows of pools and buffers know the
// tables by it from now on. Where tables come from the texts of clients that do not trust one
// another, each grammar needs one before a pool or a buffer is used: without it rows know tables
// by hashes that are not cryptographic, so that a client could choose two texts for which one
// pool has the same masks.
maskwright_status maskwright_grammar_set_digest(maskwright_grammar *grammar, const uint8_t *digest);

// Bytes of memory that a pool of so many rows takes, without the words; 0 if that is more than
// there can be.
size_t maskwright_pool_size(size_t rows);

// Makes a pool of rows of `row_words` words each, maskwright_mask_words() or more, which lie one
// after the other in `words`; what is in them does not matter. Its memory has
// maskwright_pool_size() bytes and is aligned to 8. `*pool` is then the memory's address.
maskwright_status maskwright_pool_new(size_t rows,
                                      size_t row_words,
                                      uint32_t *words,
                                      size_t words_len,
                                      void *memory,
                                      size_t size,
                                      maskwright_pool **pool);

// Begins a step: rows that were handed out before may be written again.
maskwright_status maskwright_pool_begin_step(maskwright_pool *pool);

// The row that holds the mask of a matcher, and zeros after it, in `*row`: one that already does,
// or one that is written now. It stays as it is until the next step. `*is_new`, unless it is null,
// says which: only rows that were written have to be copied to a device again.
// MASKWRIGHT_STATUS_POOL_FULL if all rows were handed out at this step,
// MASKWRIGHT_STATUS_BUFFER_TOO_SMALL if rows are too short for the mask.
maskwright_status maskwright_pool_row(maskwright_pool *pool,
                                      const maskwright_matcher *matcher,
                                      size_t *row,
                                      bool *is_new);

// The words of a row: bit id % 32 of word id / 32 is token id. Null if there is no such row. All
// rows are one after the other.
const uint32_t *maskwright_pool_words(const maskwright_pool *pool, size_t row);

// Bytes of memory that a buffer of so many rows takes, without the words; 0 if that is more than
// there can be.
size_t maskwright_buffer_size(size_t rows);

// Makes a buffer of rows of `row_words` words each, as maskwright_pool_new() makes a pool.
maskwright_status maskwright_buffer_new(size_t rows,
                                        size_t row_words,
                                        uint32_t *words,
                                        size_t words_len,
                                        void *memory,
                                        size_t size,
                                        maskwright_buffer **buffer);

// Makes a row hold the mask of a matcher, and zeros after it. `*changed`, unless it is null, says
// whether the row may have changed. MASKWRIGHT_STATUS_BUFFER_TOO_SMALL if there is no such row, or
// rows are too short; nothing is written then.
maskwright_status maskwright_buffer_update(maskwright_buffer *buffer,
                                           size_t row,
                                           const maskwright_matcher *matcher,
                                           bool *changed);

// The words of a row: bit id % 32 of word id / 32 is token id. Null if there is no such row. All
// rows are one after the other.
const uint32_t *maskwright_buffer_words(const maskwright_buffer *buffer, size_t row);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MASKWRIGHT_H */
