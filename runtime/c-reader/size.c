/* What a firmware calls of the reader: `size` links it, and measures what that takes. It is not
 * run: tables and logits are elsewhere. */

#include "maskwright.h"

extern const uint8_t tables[], vocabulary[];
extern const size_t tables_len, vocabulary_len;
uint32_t choose(const uint32_t *mask);
int decode(void);

static uint64_t memory[64];
static uint32_t mask[128];
static maskwright_grammar grammar;

int decode(void) {
    maskwright_matcher *matcher;
    if (maskwright_grammar_load(&grammar, tables, tables_len, vocabulary, vocabulary_len) != MASKWRIGHT_STATUS_OK ||
        maskwright_matcher_new(&grammar, 32, memory, sizeof memory, &matcher) != MASKWRIGHT_STATUS_OK)
        return 1;
    while (!maskwright_is_finished(matcher)) {
        if (maskwright_fill(matcher, mask, sizeof mask / sizeof *mask) != MASKWRIGHT_STATUS_OK ||
            maskwright_accept_token(matcher, choose(mask)) != MASKWRIGHT_STATUS_OK)
            return 1;
    }
    return 0;
}
