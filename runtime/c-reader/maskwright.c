/* Reads tables of Maskwright and follows texts in them. maskwright.h says what holds for callers, docs/table-format.md how
 * tables are laid out.
 *
 * From the top: words of tables, lists of ids, token sets; loading a vocabulary and a grammar; a symbol on one stack, on all
 * stacks; tokens; masks; the functions of the header.
 *
 * What holds throughout: tables are read through get(), record_at() and next_block(), which stay inside the bytes that the
 * caller gave, so that no word of a table can make a read go astray, not even in a build that does not check tables. Loops end
 * on any tables: a look goes to a lower offset, a symbol is taken again from a lower height, and a mask tree is walked down a
 * stack. */

#include "maskwright.h"

/* Types that lie in memory of the caller's, whatever that was declared as. */
#if defined(__GNUC__)
#define ALIAS __attribute__((may_alias))
#else
#define ALIAS
#endif

typedef maskwright_grammar grammar_t;
typedef maskwright_words words_t;
typedef maskwright_status status_t;

#define OK MASKWRIGHT_STATUS_OK

/* What a build leaves out. */
#ifdef MASKWRIGHT_NO_CHECK
enum { CHECKS = 0 };
#else
enum { CHECKS = 1 };
#endif
#ifdef MASKWRIGHT_NO_TERMINALS
enum { TERMINALS = 0 };
#else
enum { TERMINALS = 1 };
#endif

/* ---- The layout ---- */

#define GRAMMAR_MAGIC 0x474b534du    /* "MSKG" */
#define VOCABULARY_MAGIC 0x564b534du /* "MSKV" */
#define PART_MAGIC 0x504b534du       /* "MSKP" */
#define LINK_MAGIC 0x4c4b534du       /* "MSKL" */
#define FORMAT_VERSION 9u

/* Words of a header. Both kinds of tables begin with magic, version, length and checksum. */
enum { H_MAGIC, H_VERSION, H_WORDS, H_CHECKSUM };
enum { G_VOCABULARY_HASH = 6, G_VOCAB_SIZE = 8, G_STATES, G_FRAMES, G_MAX_STACKS, G_START, G_CLASSES, G_END_CLASS };
enum { G_STACKS_PROVED = 15, G_BESIDE_SETS, G_BESIDE_CHECKSUM, G_SECTIONS, G_HEADER_WORDS = G_SECTIONS + 2 * 9 };
enum { V_HASH = 4, V_VOCAB_SIZE = 6, V_BYTES, V_HEADER_WORDS };
enum { S_CLASSES, S_STATES, S_EDGES, S_PROGRAMS, S_MASKS, S_INDEX, S_SETS, S_EOS, S_TOKENS, S_ALL };

#define CLASSES_WORDS 64u
#define MAX_MAPS_WORDS (1u << 16) /* more than all maps that a row can name */
#define MAX_VOCAB_SIZE (1u << 30)
#define MAX_CLASSES 257u
#define MAX_FRAMES (1u << 16)
#define STATE_WORDS 2u

#define HEAD (1u << 23) /* marks the first word of a record of programs and masks */
#define BOTTOM 0u

/* Many words hold something small in their highest byte. A state: an offset of a row, and the map that it is read through; an
 * offset of a mask tree, and the need. */
#define HIGH 24
#define OFFSET 0xffffffu
#define NEVER 255u

/* An edge. */
#define EMPTY 0xffffffffu
#define PAYLOAD 0x3fffffu
#define PROGRAM (1u << 22)
#define CLASS_SHIFT 23
#define REFUSE PAYLOAD

/* A program: looks have a depth, alternatives a number of frames to pop and a reserve up there. */
#define P_LOOK (1u << 16)
#define P_COUNT 0xffffu
#define P_AGAIN (1u << 22)
#define P_FRAME 0xffffu

/* A node of a mask tree. */
#define M_SETS 0xffu
#define M_CHILDREN_SHIFT 8
#define M_CHILDREN 0x7fffu
#define M_LOOK (1u << 24)
#define M_NO_NODE (HEAD - 1)
#define M_SET (HEAD - 1)

/* Token sets. */
enum { BITMAP, ACCEPT, REJECT, LEVELS, SHARED };
#define KIND 0xffu
#define SHARED_SHIFT 8
#define PLANES_SHIFT 8
#define PLANES 0xffu
#define LEAST_SHIFT 16
#define MAX_PLANES 6u
#define FINE (1u << 31)
#define FINE_SHIFT 8
#define HALVES_SHIFT 16

/* Tokens that are terminals. */
#define T_NO_CLASS 0x1ffu
#define T_OTHERS_SHIFT 16
#define T_LIMITS_SHIFT 9
#define T_LIMITS 0x7fu
#define T_LIMIT_SHIFT 16
#define T_IS_TEXT (1u << 9)
#define T_ID_SHIFT 10

#define TOKEN_BLOCK_SHIFT 6

/* ---- Words ---- */

static uint32_t load(const uint8_t *at) { return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24; }

/* The word at an index; all ones past the end. */
static uint32_t get(words_t words, uint32_t at) { return at < words.len ? load(words.at + (size_t)4 * at) : 0xffffffffu; }

/* Leaves the first `count` words out; false if there are not as many. */
static bool skip(words_t *words, uint32_t count) {
    if (count > words->len) return false;
    if (count > 0) words->at += (size_t)4 * count;
    words->len -= count;
    return true;
}

/* The words from an index to the end of a section whose first word is there. */
static bool record_at(words_t section, uint32_t at, uint32_t *first, words_t *rest) {
    *rest = section;
    *first = get(section, at);
    return at < section.len && skip(rest, at + 1);
}

/* Splits the first `count` words off; false if there are not as many. */
static bool split_off(words_t *words, uint32_t count, words_t *first) {
    *first = *words;
    first->len = count;
    return skip(words, count);
}

/* The number of words that `bytes` lie in. */
static uint32_t words_of(uint32_t bytes) { return bytes / 4 + (bytes % 4 != 0); }

/* The index behind the records of which all are at or before `key`: the first word of each is shifted and compared. Records
 * have `size` words and lie behind `skipped` words. */
static uint32_t records_before(words_t words, uint32_t skipped, uint32_t size, uint32_t shift, uint32_t key) {
    uint32_t low = 0, high = words.len < skipped ? 0 : (words.len - skipped) / size;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (get(words, skipped + middle * size) >> shift <= key) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The value of a key in a word and pairs of (key, value), ascending: each value holds from its key on, the first one before all
 * keys. */
static uint32_t branch(words_t words, uint32_t key) { return get(words, 2 * records_before(words, 1, 2, 0, key)); }

static uint32_t mask_words(const grammar_t *grammar) {
    return grammar->header[G_VOCAB_SIZE] / 32 + (grammar->header[G_VOCAB_SIZE] % 32 != 0);
}

/* The maps of classes, which lie behind the classes of bytes, and their length. */
static const uint8_t *class_maps(const grammar_t *grammar) { return grammar->sections[S_CLASSES].at + 4 * CLASSES_WORDS; }
static uint32_t map_bytes(const grammar_t *grammar) { return 4 * (grammar->sections[S_CLASSES].len - CLASSES_WORDS); }

/* ---- Lists of ids ---- */

#define NO_ID 0xffffffffu

/* The ids of a list, ascending, one after the other. */
struct ids {
    const uint8_t *counts; /* of a list of bytes; otherwise null */
    const uint8_t *rest;   /* the blocks that were not begun */
    size_t rest_len;
    const uint8_t *at; /* the next id of this block */
    uint32_t left;     /* ids left in this block */
    uint32_t block, blocks;
    uint32_t shift; /* an id has so many bits below its block's number */
};

/* Goes to the next block; false if there is none. */
static bool next_block(struct ids *ids) {
    uint32_t count, size;
    if (ids->block == ids->blocks) return false;
    if (ids->counts) {
        count = size = ids->counts[ids->block];
    } else {
        if (ids->rest_len < 4) return false;
        count = load(ids->rest);
        ids->rest += 4;
        ids->rest_len -= 4;
        if (count / 2 + count % 2 > ids->rest_len / 4) return false;
        size = 4 * (count / 2 + count % 2);
    }
    if (size > ids->rest_len) return false;
    ids->at = ids->rest;
    ids->rest += size;
    ids->rest_len -= size;
    ids->left = count;
    ids->block++;
    return true;
}

static uint32_t next_id(struct ids *ids) {
    uint32_t low;
    while (ids->left == 0)
        if (!next_block(ids)) return NO_ID;
    ids->left--;
    low = *ids->at++;
    if (!ids->counts) low |= (uint32_t)*ids->at++ << 8;
    return ((ids->block - 1) << ids->shift) + low;
}

/* The first id that is not below `least`, of a list that was not begun. */
static uint32_t first_from(struct ids *ids, uint32_t least) {
    uint32_t id;
    while (ids->block < least >> ids->shift) {
        if (!next_block(ids)) return NO_ID;
        ids->left = 0;
    }
    do id = next_id(ids);
    while (id < least);
    return id;
}

/* Reads a list at the beginning of words, which are those behind it then; false if it is cut off. */
static bool read_ids(words_t *words, uint32_t vocab_size, struct ids *ids) {
    struct ids last;
    uint32_t head = get(*words, 0);
    if (words->len == 0) return false;
    ids->counts = NULL;
    ids->left = ids->block = 0;
    ids->at = NULL;
    ids->shift = head & FINE ? FINE_SHIFT : HALVES_SHIFT;
    ids->blocks = (vocab_size + ((1u << ids->shift) - 1)) >> ids->shift;
    if (head & FINE) {
        uint32_t count = head & ~FINE;
        skip(words, 1);
        ids->counts = words->at;
        if (!skip(words, words_of(ids->blocks))) return false;
        ids->rest = words->at;
        ids->rest_len = count;
        return skip(words, words_of(count));
    }
    ids->rest = words->at;
    ids->rest_len = (size_t)4 * words->len;
    last = *ids;
    while (next_block(&last));
    return last.block == last.blocks && skip(words, (uint32_t)((size_t)(last.rest - ids->rest) / 4));
}

/* ---- Token sets ---- */

/* A set: a base (nothing, ids by their level or everything), ids added and ids removed. */
struct set {
    const uint8_t *planes[MAX_PLANES]; /* as many words as a mask has */
    uint32_t count, least;             /* planes; the least level */
    bool everything;
    struct ids added, removed;
};

static const struct ids NO_IDS = {NULL, NULL, 0, NULL, 0, 0, 0, HALVES_SHIFT};

/* The first word of a set and the words behind it; in the tables that these stand beside, if it is there. `*sets` is where its
 * planes are then. */
static bool set_words(const grammar_t *grammar, const words_t **sets, uint32_t id, uint32_t *head, words_t *rest) {
    if (id >= (*sets)[0].len || !record_at((*sets)[1], get((*sets)[0], id), head, rest)) return false;
    if ((*head & KIND) == SHARED) {
        *sets = grammar->beside;
        id = *head >> SHARED_SHIFT;
        return id < (*sets)[0].len && record_at((*sets)[1], get((*sets)[0], id), head, rest);
    }
    return true;
}

/* Reads the planes of a set of levels; `*rest` is behind their ids then. */
static bool read_planes(const grammar_t *grammar, const words_t *sets, uint32_t head, struct set *set, words_t *rest) {
    uint32_t at, count = head >> PLANES_SHIFT & PLANES, least = head >> LEAST_SHIFT;
    if ((head & KIND) != LEVELS || count > MAX_PLANES || least == 0 || least >> count != 0 || count > rest->len) return false;
    for (at = 0; at < count; at++) {
        const words_t *its_sets = sets;
        uint32_t its_head;
        words_t words;
        if (!set_words(grammar, &its_sets, get(*rest, at), &its_head, &words) || its_head != BITMAP || words.len < mask_words(grammar))
            return false;
        set->planes[at] = words.at;
    }
    set->count = count;
    set->least = least;
    return skip(rest, count);
}

/* Reads a set; false if there is none. */
static bool read_set(const grammar_t *grammar, uint32_t id, struct set *set) {
    const words_t *sets = &grammar->sections[S_INDEX];
    uint32_t head, vocab_size = grammar->header[G_VOCAB_SIZE];
    words_t rest;
    if (!set_words(grammar, &sets, id, &head, &rest)) return false;
    set->count = 0;
    set->everything = head == REJECT;
    set->added = set->removed = NO_IDS;
    if (head == ACCEPT) return read_ids(&rest, vocab_size, &set->added);
    if (head == REJECT) return read_ids(&rest, vocab_size, &set->removed);
    if (head == BITMAP) {
        set->count = set->least = 1;
        set->planes[0] = rest.at;
        return rest.len >= mask_words(grammar);
    }
    return read_planes(grammar, sets, head, set, &rest) && read_ids(&rest, vocab_size, &set->added) &&
           read_ids(&rest, vocab_size, &set->removed);
}

/* A word of the base. Levels are compared with the least one bit by bit, the lowest first: they are equal so far, and the
 * highest bit that differs decides. */
static uint32_t base_word(const grammar_t *grammar, const struct set *set, uint32_t at) {
    uint32_t bit, word = 0xffffffffu;
    if (set->everything) {
        uint32_t ids = grammar->header[G_VOCAB_SIZE] - 32 * at;
        return ids < 32 ? (1u << ids) - 1 : word;
    }
    for (bit = 0; bit < set->count; bit++) {
        uint32_t plane = load(set->planes[bit] + (size_t)4 * at);
        word = set->least >> bit & 1 ? word & plane : word | plane;
    }
    return word;
}

/* Adds a set to the `len` words of a mask from word `first` on; no word is past the mask's end. */
static void add_set(const grammar_t *grammar, uint32_t id, uint32_t *words, uint32_t first, uint32_t len) {
    struct set set;
    uint32_t at, lowest = 32 * first;
    if (!read_set(grammar, id, &set)) return;
    if (set.count > 0 || set.everything) {
        id = first_from(&set.removed, lowest);
        for (at = 0; at < len; at++) {
            uint32_t word = base_word(grammar, &set, first + at);
            for (; id - lowest < 32; id = next_id(&set.removed)) word &= ~(1u << (id - lowest));
            words[at] |= word;
            lowest += 32;
        }
    }
    lowest = 32 * first;
    for (id = first_from(&set.added, lowest); id - lowest < 32 * len; id = next_id(&set.added)) words[(id - lowest) / 32] |= 1u << id % 32;
}

/* ---- Loading ---- */

/* CRC-32 as in zlib, half a byte at a time. */
static uint32_t crc32_of(const uint8_t *bytes, size_t len) {
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = 0xffffffffu;
    for (; len > 0; len--) {
        crc ^= *bytes++;
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

#define CHECK(holds)                                                                                                                       \
    do {                                                                                                                                   \
        if (!(holds)) return false;                                                                                                        \
    } while (0)

/* Whether a record begins at an offset. */
static bool is_record(words_t words, uint32_t at) { return at < words.len && get(words, at) & HEAD; }

/* Whether a number is at least `*least`, which is the next one then, and below `end`. */
static bool ascends(uint32_t *least, uint32_t number, uint32_t end) {
    CHECK(number >= *least && number < end);
    *least = number + 1;
    return true;
}

static bool check_header(const grammar_t *grammar) {
    CHECK(grammar->sections[S_STATES].len - STATE_WORDS * grammar->header[G_STATES] <= grammar->header[G_STATES]);
    CHECK(grammar->header[G_STATES] <= PAYLOAD + 1);
    CHECK(grammar->header[G_FRAMES] - 1 < MAX_FRAMES && grammar->header[G_MAX_STACKS] - 1 < 1u << 16);
    CHECK(grammar->header[G_START] < grammar->header[G_STATES] && grammar->header[G_CLASSES] - 1 < MAX_CLASSES);
    return grammar->header[G_END_CLASS] < grammar->header[G_CLASSES] && grammar->header[G_STACKS_PROVED] <= 1;
}

static bool check_classes(const grammar_t *grammar) {
    uint32_t at, whole = map_bytes(grammar) - map_bytes(grammar) % grammar->header[G_CLASSES];
    for (at = 0; at < 4 * CLASSES_WORDS; at++)
        CHECK(grammar->sections[S_CLASSES].at[at] < grammar->header[G_CLASSES] &&
              grammar->sections[S_CLASSES].at[at] != grammar->header[G_END_CLASS]);
    CHECK(map_bytes(grammar) - whole < 4);
    for (at = 0; at < map_bytes(grammar); at++) CHECK(class_maps(grammar)[at] < (at < whole ? grammar->header[G_CLASSES] : 1));
    return true;
}

static bool check_row(const grammar_t *grammar, uint32_t row) {
    return (row & OFFSET) <= grammar->sections[S_EDGES].len && row >> HIGH <= map_bytes(grammar) / grammar->header[G_CLASSES];
}

static bool check_states(const grammar_t *grammar) {
    for (uint32_t at = 0; at < grammar->sections[S_STATES].len; at++) {
        uint32_t word = get(grammar->sections[S_STATES], at);
        bool is_tree = at < STATE_WORDS * grammar->header[G_STATES] && at % STATE_WORDS == 1;
        CHECK(is_tree ? is_record(grammar->sections[S_MASKS], word & OFFSET) : check_row(grammar, word));
    }
    return true;
}

static bool check_edges(const grammar_t *grammar) {
    for (uint32_t at = 0; at < grammar->sections[S_EDGES].len; at++) {
        uint32_t entry = get(grammar->sections[S_EDGES], at), payload = entry & PAYLOAD;
        if (entry == EMPTY) continue;
        CHECK(entry >> CLASS_SHIFT < grammar->header[G_CLASSES]);
        CHECK(entry & PROGRAM ? is_record(grammar->sections[S_PROGRAMS], payload)
                              : payload == REFUSE || payload < grammar->header[G_STATES]);
    }
    return true;
}

/* Checks the alternatives of a leaf. */
static bool check_leaf(const grammar_t *grammar, words_t words) {
    for (uint32_t at = 0; at < words.len; at += 2) {
        uint32_t first = get(words, at), second = get(words, at + 1), frame = second & P_FRAME;
        CHECK(!(first & HEAD) && (first & PAYLOAD) < grammar->header[G_STATES]);
        CHECK(!(second & 0xff0000u) && (frame != 0 || second == 0) && frame < grammar->header[G_FRAMES]);
        CHECK(!(first & P_AGAIN) || (first >> HIGH > 0 && frame == 0));
    }
    return true;
}

/* Checks the branches of a look: frames ascend, and offsets are those of records below `end`; that of no node, too, if `end` is
 * all ones. */
static bool check_branches(const grammar_t *grammar, words_t records, words_t words, uint32_t end) {
    uint32_t at, least = 0;
    for (at = 0; at < words.len; at++) {
        uint32_t word = get(words, at);
        if (at % 2 == 1) {
            CHECK(ascends(&least, word, grammar->header[G_FRAMES]));
        } else if (end != EMPTY || word != M_NO_NODE) {
            CHECK(!(word & HEAD) && word < end && is_record(records, word));
        }
    }
    return true;
}

static bool check_programs(const grammar_t *grammar) {
    words_t rest = grammar->sections[S_PROGRAMS];
    while (rest.len > 0) {
        uint32_t at = grammar->sections[S_PROGRAMS].len - rest.len, head = get(rest, 0);
        words_t words;
        bool looks = head & P_LOOK;
        CHECK((head & ~(P_COUNT | (looks ? 0xffu << HIGH : 0))) == (looks ? HEAD | P_LOOK : HEAD));
        skip(&rest, 1);
        CHECK(split_off(&rest, 2 * (head & P_COUNT) + looks, &words));
        CHECK(looks ? check_branches(grammar, grammar->sections[S_PROGRAMS], words, at) : check_leaf(grammar, words));
    }
    return true;
}

static bool check_masks(const grammar_t *grammar) {
    words_t rest = grammar->sections[S_MASKS];
    while (rest.len > 0) {
        uint32_t head = get(rest, 0);
        words_t words;
        bool looks = head & M_LOOK;
        CHECK((head & ~(M_SETS | (looks ? M_CHILDREN << M_CHILDREN_SHIFT : 0))) == (looks ? HEAD | M_LOOK : HEAD));
        skip(&rest, 1);
        CHECK(split_off(&rest, head & M_SETS, &words));
        for (uint32_t at = 0; at < words.len; at++)
            CHECK(!(get(words, at) & HEAD) && (get(words, at) & M_SET) < grammar->sections[S_INDEX].len);
        CHECK(split_off(&rest, looks ? 1 + 2 * (head >> M_CHILDREN_SHIFT & M_CHILDREN) : 0, &words));
        CHECK(check_branches(grammar, grammar->sections[S_MASKS], words, EMPTY));
    }
    return true;
}

/* Checks a list; with `base`, that its ids are in the base or absent there. `*rest` is behind it then. */
static bool check_ids(const grammar_t *grammar, words_t *rest, const struct set *base, bool present) {
    struct ids ids;
    uint32_t id, least = 0;
    CHECK(read_ids(rest, grammar->header[G_VOCAB_SIZE], &ids));
    while ((id = next_id(&ids)) != NO_ID) {
        CHECK(ascends(&least, id, grammar->header[G_VOCAB_SIZE]));
        CHECK(!base || (base_word(grammar, base, id / 32) >> id % 32 & 1) == present);
    }
    /* The counts of the blocks and the number of ids agree. */
    return ids.block == ids.blocks && (!ids.counts || ids.rest_len == 0);
}

/* Checks a set; `*rest` begins with it, and is behind it then. */
static bool check_set(const grammar_t *grammar, uint32_t id, words_t *rest) {
    uint32_t head = get(*rest, 0), used = grammar->header[G_VOCAB_SIZE] % 32, size = mask_words(grammar);
    struct set set;
    CHECK(skip(rest, 1));
    if (head == BITMAP) {
        words_t words;
        CHECK(split_off(rest, size, &words));
        return used == 0 || get(words, size - 1) >> used == 0;
    }
    if (head == ACCEPT || head == REJECT) return check_ids(grammar, rest, NULL, false);
    if ((head & KIND) == SHARED) return read_set(grammar, id, &set);
    set.everything = false;
    return read_planes(grammar, &grammar->sections[S_INDEX], head, &set, rest) && check_ids(grammar, rest, &set, false) &&
           check_ids(grammar, rest, &set, true);
}

static bool check_sets(const grammar_t *grammar) {
    words_t rest = grammar->sections[S_SETS];
    for (uint32_t id = 0; id < grammar->sections[S_INDEX].len; id++) {
        CHECK(get(grammar->sections[S_INDEX], id) == grammar->sections[S_SETS].len - rest.len);
        CHECK(check_set(grammar, id, &rest));
    }
    return rest.len == 0;
}

static bool is_symbol(const grammar_t *grammar, uint32_t class) { return class == T_NO_CLASS || class < grammar->header[G_CLASSES]; }

static bool check_tokens(const grammar_t *grammar) {
    words_t rest = grammar->sections[S_TOKENS];
    uint32_t at, least = 0, head = get(rest, 0), limits = head >> T_LIMITS_SHIFT & T_LIMITS;
    if (rest.len == 0) return true;
    CHECK((head & T_NO_CLASS) < grammar->header[G_CLASSES] && is_symbol(grammar, head >> T_OTHERS_SHIFT));
    CHECK(limits < rest.len && (limits == 0 || (grammar->header[G_MAX_STACKS] == 1 && grammar->header[G_STACKS_PROVED])));
    for (at = 1; at < rest.len; at++) {
        uint32_t word = get(rest, at), id = word >> T_ID_SHIFT;
        if (at <= limits) {
            CHECK((word & T_NO_CLASS) < grammar->header[G_CLASSES] && word >> T_LIMIT_SHIFT > 0);
            continue;
        }
        CHECK(is_symbol(grammar, word & T_NO_CLASS) && ascends(&least, id, grammar->header[G_VOCAB_SIZE]));
    }
    return true;
}

static bool check_eos(const grammar_t *grammar) {
    uint32_t least = 0;
    for (uint32_t at = 0; at < grammar->sections[S_EOS].len; at++)
        CHECK(ascends(&least, get(grammar->sections[S_EOS], at), grammar->header[G_VOCAB_SIZE]));
    return true;
}

static bool check_all(const grammar_t *grammar) {
    return check_header(grammar) && check_classes(grammar) && check_states(grammar) && check_edges(grammar) && check_programs(grammar) &&
           check_masks(grammar) && check_sets(grammar) && check_tokens(grammar) && check_eos(grammar);
}

/* The words of tables, if they have the right magic number and version, a whole header and the length that they state. */
static status_t whole(const uint8_t *bytes, size_t len, uint32_t magic, uint32_t header_words, words_t *words) {
    words->at = bytes;
    words->len = len / 4 < 0xffffffffu ? (uint32_t)(len / 4) : 0xffffffffu;
    if (words->len == 0 || get(*words, H_MAGIC) != magic) {
        uint32_t found = get(*words, H_MAGIC);
        return words->len > 0 && (found == PART_MAGIC || found == LINK_MAGIC) ? MASKWRIGHT_STATUS_NOT_SUPPORTED : MASKWRIGHT_STATUS_FOREIGN;
    }
    if (get(*words, H_VERSION) != FORMAT_VERSION) return MASKWRIGHT_STATUS_VERSION;
    if (words->len < header_words || len % 4 != 0 || get(*words, H_WORDS) != len / 4) return MASKWRIGHT_STATUS_LENGTH;
    return OK;
}

/* Whether the checksum is that of what lies behind it. */
static status_t check_sum(words_t words) {
    size_t before = 4 * (H_CHECKSUM + 1), len = (size_t)4 * words.len - before;
    return CHECKS && crc32_of(words.at + before, len) != get(words, H_CHECKSUM) ? MASKWRIGHT_STATUS_CHECKSUM : OK;
}

/* Finds the sections: they ascend, and lie inside of the tables. */
static bool find_sections(grammar_t *grammar, words_t words) {
    uint32_t end = G_HEADER_WORDS;
    for (uint32_t at = 0; at < S_ALL; at++) {
        uint32_t offset = get(words, G_SECTIONS + 2 * at), len = get(words, G_SECTIONS + 2 * at + 1);
        words_t section = words;
        if (offset < end || !skip(&section, offset) || len > section.len) return false;
        section.len = len;
        grammar->sections[at] = section;
        end = offset + len;
    }
    return grammar->sections[S_CLASSES].len - CLASSES_WORDS <= MAX_MAPS_WORDS;
}

static bool same_vocabulary(const uint32_t *one, const uint32_t *other) { return one[0] == other[0] && one[1] == other[1]; }

/* Reads the header, and finds the sections and the sets of the tables that these stand beside. */
static status_t read_grammar(grammar_t *grammar, words_t words, const grammar_t *other) {
    for (uint32_t at = 0; at < G_SECTIONS; at++) grammar->header[at] = get(words, at);
    if (!find_sections(grammar, words) || grammar->header[G_VOCAB_SIZE] > MAX_VOCAB_SIZE ||
        grammar->header[G_STATES] > grammar->sections[S_STATES].len / STATE_WORDS)
        return MASKWRIGHT_STATUS_CORRUPT;
    if (!TERMINALS && grammar->sections[S_TOKENS].len > 0) return MASKWRIGHT_STATUS_NOT_SUPPORTED;
    grammar->beside[0].len = grammar->beside[1].len = 0;
    if (grammar->header[G_BESIDE_SETS] == 0) return OK;
    if (!other || other->header[H_CHECKSUM] != grammar->header[G_BESIDE_CHECKSUM]) return MASKWRIGHT_STATUS_OTHER_TABLES;
    if (!same_vocabulary(&other->header[G_VOCABULARY_HASH], &grammar->header[G_VOCABULARY_HASH])) return MASKWRIGHT_STATUS_OTHER_VOCABULARY;
    grammar->beside[0] = other->sections[S_INDEX];
    grammar->beside[1] = other->sections[S_SETS];
    return OK;
}

/* Where the bytes of an id begin; past the end if there is no such id. */
static uint32_t token_start(const grammar_t *grammar, uint32_t id) {
    uint32_t block = get(grammar->token_blocks, id >> TOKEN_BLOCK_SHIFT), low;
    if (id > grammar->header[G_VOCAB_SIZE] || id >> TOKEN_BLOCK_SHIFT >= grammar->token_blocks.len) return 0xffffffffu;
    low = grammar->token_relative[(size_t)2 * id] | (uint32_t)grammar->token_relative[(size_t)2 * id + 1] << 8;
    return block + low < block ? 0xffffffffu : block + low;
}

/* The bytes of a token. */
static const uint8_t *token_bytes(const grammar_t *grammar, uint32_t id, uint32_t *len) {
    uint32_t start = token_start(grammar, id);
    uint32_t end = id < grammar->header[G_VOCAB_SIZE] ? token_start(grammar, id + 1) : 0;
    *len = 0;
    if (start >= end || end > grammar->token_bytes_len) return grammar->token_bytes;
    *len = end - start;
    return grammar->token_bytes + start;
}

/* The bytes of tokens follow one another, and so do the names of control tokens, to the end. */
static bool check_vocabulary(const grammar_t *grammar) {
    words_t names = grammar->token_names;
    uint32_t id, last = 0, least = 0, count = get(names, 0), text;
    for (id = 0; id <= grammar->header[G_VOCAB_SIZE]; id++) {
        uint32_t start = token_start(grammar, id);
        CHECK(start >= last && start <= grammar->token_bytes_len && (id > 0 || start == 0));
        last = start;
    }
    CHECK(last == grammar->token_bytes_len);
    if (!skip(&names, 1)) return true;
    CHECK(count <= names.len / 2);
    text = names.len - 2 * count;
    last = 0;
    for (id = 0; id < count; id++) {
        uint32_t token = get(names, 2 * id), end = get(names, 2 * id + 1);
        CHECK(ascends(&least, token, grammar->header[G_VOCAB_SIZE]) && end >= last && words_of(end) <= text);
        last = end;
    }
    return text == words_of(last);
}

/* Attaches a vocabulary to a grammar that is dropped if this fails. */
static status_t read_vocabulary(grammar_t *grammar, const uint8_t *bytes, size_t len) {
    words_t words, rest, relative, text;
    status_t status = whole(bytes, len, VOCABULARY_MAGIC, V_HEADER_WORDS, &words);
    uint32_t size = get(words, V_VOCAB_SIZE), hash[2], own_size = grammar->header[G_VOCAB_SIZE];
    if (status != OK) return status;
    hash[0] = get(words, V_HASH);
    hash[1] = get(words, V_HASH + 1);
    rest = words;
    skip(&rest, V_HEADER_WORDS);
    grammar->token_bytes_len = get(words, V_BYTES);
    if (size > MAX_VOCAB_SIZE || !split_off(&rest, (size >> TOKEN_BLOCK_SHIFT) + 1, &grammar->token_blocks) ||
        !split_off(&rest, size / 2 + 1, &relative) || !split_off(&rest, words_of(grammar->token_bytes_len), &text))
        return MASKWRIGHT_STATUS_CORRUPT;
    grammar->token_relative = relative.at;
    grammar->token_bytes = text.at;
    grammar->token_names = rest;
    status = check_sum(words);
    if (status != OK) return status;
    grammar->header[G_VOCAB_SIZE] = size;
    if (CHECKS && !check_vocabulary(grammar)) return MASKWRIGHT_STATUS_CORRUPT;
    return size == own_size && same_vocabulary(hash, &grammar->header[G_VOCABULARY_HASH]) ? OK : MASKWRIGHT_STATUS_OTHER_VOCABULARY;
}

/* ---- Stacks ---- */

/* A stack without its frames. */
struct ALIAS head {
    uint32_t state;
    uint16_t height;
    uint16_t tokens; /* so far of the text that is limited in tokens, if it stands in one */
};

typedef uint16_t ALIAS frame_t;

/* Some stacks: heads, and `depth` frames for each, the top of a stack last. No two are equal. */
struct stacks {
    struct head *heads;
    frame_t *frames;
    uint32_t live;
};

/* The memory of a matcher begins with this. Behind it lie the heads, then the frames, of as many stacks three times: the
 * present ones, those on which something is tried, and those after a step that splits one. */
struct ALIAS maskwright_matcher {
    uint32_t mark;
    uint16_t depth, stacks;
    uint32_t live;
    const grammar_t *grammar;
};

#define GRAMMAR_MARK 0x4d534b47u
#define MATCHER_MARK 0x4d534b00u
#define PARTS 3

/* A matcher that is used. What is tried changes `tried` and `spare` only. */
struct run {
    const grammar_t *grammar;
    uint32_t depth, room; /* frames of a stack, stacks of a part */
    struct stacks now, tried, spare;
};

/* The frames of a stack. */
static frame_t *frames_of(const struct stacks *stacks, uint32_t depth, uint32_t at) { return stacks->frames + (size_t)depth * at; }

static void copy_frames(frame_t *to, const frame_t *from, uint32_t count) {
    while (count-- > 0) *to++ = *from++;
}

static void copy_stack(struct stacks *to, uint32_t at, const struct stacks *from, uint32_t other, uint32_t depth) {
    to->heads[at] = from->heads[other];
    copy_frames(frames_of(to, depth, at), frames_of(from, depth, other), from->heads[other].height);
}

static void copy_stacks(struct stacks *to, const struct stacks *from, uint32_t depth) {
    for (to->live = 0; to->live < from->live; to->live++) copy_stack(to, to->live, from, to->live, depth);
}

/* Makes stacks one empty stack in a state. */
static void start_at(struct stacks *stacks, uint32_t state) {
    stacks->heads[0].state = state;
    stacks->heads[0].height = stacks->heads[0].tokens = 0;
    stacks->live = 1;
}

/* ---- A symbol on one stack ---- */

/* The entry of a class in a row; all ones if the row has none. */
static uint32_t entry_in(const grammar_t *grammar, uint32_t row, uint32_t class) {
    uint32_t map = row >> HIGH, entry;
    if (map > 0) {
        uint32_t at = (map - 1) * grammar->header[G_CLASSES] + class;
        if (at < map_bytes(grammar)) class = class_maps(grammar)[at];
    }
    entry = get(grammar->sections[S_EDGES], (row & OFFSET) + class);
    return entry >> CLASS_SHIFT == class ? entry : EMPTY;
}

/* The edge of a class in a state: a state, PROGRAM and an offset, or REFUSE. */
static uint32_t edge_of(const grammar_t *grammar, uint32_t state, uint32_t class) {
    uint32_t entry = EMPTY, parent = STATE_WORDS * grammar->header[G_STATES] + state;
    if (state < grammar->header[G_STATES]) {
        entry = entry_in(grammar, get(grammar->sections[S_STATES], STATE_WORDS * state), class);
        if (entry == EMPTY && parent < grammar->sections[S_STATES].len)
            entry = entry_in(grammar, get(grammar->sections[S_STATES], parent), class);
    }
    return entry == EMPTY ? REFUSE : entry & (PROGRAM | PAYLOAD);
}

/* The alternatives of the leaf that a program leads to: two words each, none if it refuses. */
static words_t leaf_of(const grammar_t *grammar, uint32_t at, const frame_t *frames, uint32_t height) {
    words_t none = {NULL, 0}, rest, words;
    for (;;) {
        uint32_t head, depth, next;
        bool looks;
        if (!record_at(grammar->sections[S_PROGRAMS], at, &head, &rest)) return none;
        looks = (head & (HEAD | P_LOOK)) != HEAD;
        if (!split_off(&rest, 2 * (head & P_COUNT) + looks, &words)) return none;
        if (!looks) return words;
        depth = head >> HIGH;
        next = branch(words, depth < height ? frames[height - 1 - depth] : BOTTOM);
        if (next >= at) return none;
        at = next;
    }
}

/* What a way of a symbol does with a stack: pop, then push a frame or none, 0. */
struct way {
    uint32_t next, pop, push, reserve;
    bool again;
};

static struct way way_at(words_t leaf, uint32_t at) {
    uint32_t first = get(leaf, 2 * at), second = get(leaf, 2 * at + 1);
    struct way way;
    way.next = first & PAYLOAD;
    way.again = first & P_AGAIN;
    way.pop = first >> HIGH;
    way.push = second & P_FRAME;
    way.reserve = second >> HIGH;
    return way;
}

#define SPLITS (-1)

/* Takes a symbol on a stack where it lies; SPLITS, and the stack is as it was, if there is more than one way. */
static status_t step_in_place(const grammar_t *grammar, struct head *head, frame_t *frames, uint32_t depth, uint32_t class) {
    uint32_t height = head->height, state = head->state;
    for (;;) {
        uint32_t edge = edge_of(grammar, state, class);
        words_t leaf;
        struct way way;
        if (edge == REFUSE) return MASKWRIGHT_STATUS_NOT_ALLOWED;
        if (!(edge & PROGRAM)) {
            state = edge;
            break;
        }
        leaf = leaf_of(grammar, edge & PAYLOAD, frames, height);
        if (leaf.len > 2) return SPLITS;
        if (leaf.len == 0) return MASKWRIGHT_STATUS_NOT_ALLOWED;
        way = way_at(leaf, 0);
        if (way.pop > height || (way.again && way.pop == 0)) return MASKWRIGHT_STATUS_NOT_ALLOWED;
        height -= way.pop;
        state = way.next;
        if (way.again) continue;
        if (way.push != 0) {
            if (height + 1 + way.reserve > depth) return MASKWRIGHT_STATUS_TOO_DEEP;
            frames[height++] = (frame_t)way.push;
        }
        break;
    }
    head->state = state;
    head->height = (uint16_t)height;
    return OK;
}

/* The stacks that a symbol leads to. */
struct step {
    const struct run *run;
    uint32_t class;
    struct stacks *to; /* null: it is only asked whether there is one */
    status_t outcome;
};

/* Adds a stack, unless it is there: the first `kept` of the frames, and what is pushed. Returns whether the step ends here. */
static bool arrive(struct step *step, uint32_t state, const frame_t *frames, uint32_t kept, uint32_t push, uint32_t reserve) {
    struct stacks *to = step->to;
    uint32_t height = kept + (push != 0), depth = step->run->depth, at, i;
    frame_t *own;
    if (height + reserve > depth) {
        step->outcome = to && to->live > 0 ? OK : MASKWRIGHT_STATUS_TOO_DEEP;
        return false;
    }
    step->outcome = OK;
    if (!to) return true;
    for (at = 0; at < to->live; at++) {
        if (to->heads[at].state != state || to->heads[at].height != height) continue;
        own = frames_of(to, depth, at);
        for (i = 0; i < kept && own[i] == frames[i]; i++);
        if (i == kept && (push == 0 || own[kept] == push)) return false;
    }
    if (to->live == step->run->room) {
        step->outcome = MASKWRIGHT_STATUS_TOO_MANY_STACKS;
        return true;
    }
    to->heads[at].state = state;
    to->heads[at].height = (uint16_t)height;
    to->heads[at].tokens = 0;
    own = frames_of(to, depth, at);
    copy_frames(own, frames, kept);
    if (push != 0) own[kept] = (frame_t)push;
    to->live++;
    return false;
}

/* Takes a symbol on a stack in every way. Returns whether the step ends here. Calls itself only where a symbol that is taken
 * again has more than one way, at most once for each frame. */
static bool step_every_way(struct step *step, uint32_t state, const frame_t *frames, uint32_t height) {
    const grammar_t *grammar = step->run->grammar;
    for (;;) {
        uint32_t edge = edge_of(grammar, state, step->class), at, last = height;
        words_t leaf;
        if (edge == REFUSE) return false;
        if (!(edge & PROGRAM)) return arrive(step, edge, frames, height, 0, 0);
        leaf = leaf_of(grammar, edge & PAYLOAD, frames, height);
        for (at = 0; at < leaf.len / 2; at++) {
            struct way way = way_at(leaf, at);
            if (way.pop > height) continue;
            if (!way.again) {
                if (arrive(step, way.next, frames, height - way.pop, way.push, way.reserve)) return true;
            } else if (way.pop > 0) {
                if (at + 1 == leaf.len / 2) {
                    state = way.next;
                    last = height - way.pop;
                } else if (step_every_way(step, way.next, frames, height - way.pop)) {
                    return true;
                }
            }
        }
        if (last == height) return false;
        height = last;
    }
}

/* Whether some stack can take a symbol. */
static bool can_take(const struct run *run, const struct stacks *stacks, uint32_t class) {
    struct step step = {NULL, 0, NULL, MASKWRIGHT_STATUS_NOT_ALLOWED};
    step.run = run;
    step.class = class;
    for (uint32_t at = 0; at < stacks->live; at++)
        if (step_every_way(&step, stacks->heads[at].state, frames_of(stacks, run->depth, at), stacks->heads[at].height)) return true;
    return false;
}

/* ---- A symbol on all stacks ---- */

/* Takes a symbol. After an error the stacks that are tried are not fit for use. */
static status_t take_symbol(struct run *run, uint32_t class) {
    struct stacks *tried = &run->tried, other;
    struct step step = {NULL, 0, NULL, MASKWRIGHT_STATUS_NOT_ALLOWED};
    if (tried->live == 1) {
        status_t status = step_in_place(run->grammar, tried->heads, tried->frames, run->depth, class);
        if (status != SPLITS) return status;
    }
    step.run = run;
    step.class = class;
    step.to = &run->spare;
    run->spare.live = 0;
    for (uint32_t at = 0; at < tried->live; at++)
        if (step_every_way(&step, tried->heads[at].state, frames_of(tried, run->depth, at), tried->heads[at].height)) break;
    other = run->spare;
    run->spare = *tried;
    *tried = other;
    return step.outcome;
}

/* How many frames finishing from a state may need above the present height. */
static uint32_t need_of(const grammar_t *grammar, uint32_t state) {
    return state < grammar->header[G_STATES] ? get(grammar->sections[S_STATES], STATE_WORDS * state + 1) >> HIGH : NEVER;
}

/* Drops the stacks that cannot be finished; if none is left, an error. */
static status_t keep_finishable(struct run *run) {
    struct stacks *tried = &run->tried;
    uint32_t at, kept = 0;
    status_t refused = MASKWRIGHT_STATUS_NOT_ALLOWED;
    for (at = 0; at < tried->live; at++) {
        uint32_t need = need_of(run->grammar, tried->heads[at].state);
        if (need == NEVER) continue;
        if (need + tried->heads[at].height > run->depth) {
            refused = MASKWRIGHT_STATUS_TOO_DEEP;
            continue;
        }
        if (kept < at) copy_stack(tried, kept, tried, at, run->depth);
        kept++;
    }
    tried->live = kept;
    return kept == 0 ? refused : OK;
}

/* The number of limits of a grammar, whose words follow the first one of `tokens`. */
static uint32_t limits_of(const grammar_t *grammar) {
    return grammar->sections[S_TOKENS].len == 0 ? 0 : get(grammar->sections[S_TOKENS], 0) >> T_LIMITS_SHIFT & T_LIMITS;
}

/* The class of what comes before the symbols of all tokens. */
static uint32_t lead_of(const grammar_t *grammar) { return get(grammar->sections[S_TOKENS], 0) & T_NO_CLASS; }

/* The word of the limit on the text that the stack stands in: there is one if the state has an edge by the limit's symbols. 0
 * if there is none. */
static uint32_t limit_at(const struct run *run) {
    const grammar_t *grammar = run->grammar;
    uint32_t at, limits = limits_of(grammar);
    for (at = 1; at <= limits && run->tried.live > 0; at++) {
        uint32_t word = get(grammar->sections[S_TOKENS], at);
        uint32_t next = edge_of(grammar, run->tried.heads[0].state, lead_of(grammar));
        if (next != REFUSE && !(next & PROGRAM) && at < grammar->sections[S_TOKENS].len &&
            edge_of(grammar, next, word & T_NO_CLASS) != REFUSE)
            return word;
    }
    return 0;
}

/* Sets the count of tokens: `tokens` before, and one more if one was taken. At the limit the text is closed. */
static status_t count_token(struct run *run, uint32_t tokens, bool is_token) {
    uint32_t limit = limit_at(run), counted = 0;
    status_t status;
    if (limit != 0) {
        counted = tokens + (is_token && tokens < 0xffff);
        if (counted >= limit >> T_LIMIT_SHIFT) {
            counted = 0;
            status = take_symbol(run, lead_of(run->grammar));
            if (status == OK) status = take_symbol(run, limit & T_NO_CLASS);
            if (status != OK) return status;
        }
    }
    run->tried.heads[0].tokens = (uint16_t)counted;
    return OK;
}

/* Takes bytes, which are a token's or are not. After an error the stacks are not fit for use. */
static status_t take_bytes(struct run *run, const uint8_t *bytes, size_t len, bool is_token) {
    bool counts = TERMINALS && limits_of(run->grammar) > 0;
    uint32_t tokens = run->tried.live > 0 ? run->tried.heads[0].tokens : 0;
    status_t status = OK;
    for (; len > 0; len--) {
        status = take_symbol(run, run->grammar->sections[S_CLASSES].at[*bytes++]);
        if (status != OK) return status;
        if (counts && limit_at(run) == 0) tokens = 0;
    }
    if (counts) status = count_token(run, tokens, is_token);
    return status == OK ? keep_finishable(run) : status;
}

/* ---- Tokens ---- */

static bool is_eos(const grammar_t *grammar, uint32_t id) {
    for (uint32_t at = 0; at < grammar->sections[S_EOS].len; at++)
        if (get(grammar->sections[S_EOS], at) == id) return true;
    return false;
}

static bool is_complete(const struct run *run, const struct stacks *stacks) {
    return can_take(run, stacks, run->grammar->header[G_END_CLASS]);
}

/* Ends the text. */
static status_t take_end(struct run *run) {
    if (!is_complete(run, &run->tried)) return MASKWRIGHT_STATUS_NOT_ALLOWED;
    run->tried.live = 0;
    return OK;
}

/* Takes a token by the symbol of its class. */
static status_t take_terminal(struct run *run, uint32_t class) {
    uint32_t tokens = run->tried.live > 0 ? run->tried.heads[0].tokens : 0;
    status_t status = take_symbol(run, lead_of(run->grammar));
    if (status == OK) status = take_symbol(run, class);
    if (status == OK) status = count_token(run, tokens, true);
    return status == OK ? keep_finishable(run) : status;
}

/* The class of a token's symbol where the token is a terminal on these stacks, T_NO_CLASS if not; `*is_text` is whether it may
 * be text or the end. A token that is a terminal and text, or a terminal and the end, is never both in one place. */
static uint32_t terminal_of(const struct run *run, uint32_t id, const uint8_t *bytes, uint32_t len, bool *is_text) {
    const grammar_t *grammar = run->grammar;
    uint32_t before = 1 + limits_of(grammar);
    uint32_t at = before + records_before(grammar->sections[S_TOKENS], before, 1, T_ID_SHIFT, id) - 1;
    uint32_t word = get(grammar->sections[S_TOKENS], at), class = word & T_NO_CLASS;
    *is_text = word & T_IS_TEXT;
    if (at < before || word >> T_ID_SHIFT != id) {
        class = get(grammar->sections[S_TOKENS], 0) >> T_OTHERS_SHIFT;
        *is_text = true;
    }
    /* An id without bytes is a terminal only if it is listed: the others are padding. */
    if (class == T_NO_CLASS || (*is_text && len == 0)) return T_NO_CLASS;
    if (*is_text && can_take(run, &run->tried, grammar->sections[S_CLASSES].at[bytes[0]])) return T_NO_CLASS;
    return is_eos(grammar, id) && is_complete(run, &run->tried) ? T_NO_CLASS : class;
}

/* Takes a token. After an error the stacks that are tried are not fit for use. */
static status_t take_token(struct run *run, uint32_t id) {
    const grammar_t *grammar = run->grammar;
    uint32_t len;
    const uint8_t *bytes = token_bytes(grammar, id, &len);
    bool is_text = true;
    if (TERMINALS && grammar->sections[S_TOKENS].len > 0) {
        uint32_t class = terminal_of(run, id, bytes, len, &is_text);
        if (class != T_NO_CLASS) return take_terminal(run, class);
    }
    if (is_eos(grammar, id)) return take_end(run);
    if (!is_text) return MASKWRIGHT_STATUS_NOT_ALLOWED;
    if (grammar->token_blocks.len == 0) return MASKWRIGHT_STATUS_NO_VOCABULARY;
    return len == 0 ? MASKWRIGHT_STATUS_NOT_ALLOWED : take_bytes(run, bytes, len, true);
}

/* ---- Masks ---- */

/* Adds the sets of a stack's mask: those on the walk of its state's tree down its frames. */
static void add_stack(const struct run *run, const struct head *head, const frame_t *frames, uint32_t *mask, uint32_t first, uint32_t len) {
    const grammar_t *grammar = run->grammar;
    uint32_t below = head->height, room = run->depth - below, at, node;
    bool at_bottom = false;
    if (head->state >= grammar->header[G_STATES]) return;
    at = get(grammar->sections[S_STATES], STATE_WORDS * head->state + 1) & OFFSET;
    for (;;) {
        words_t rest, words;
        uint32_t frame = BOTTOM;
        if (!record_at(grammar->sections[S_MASKS], at, &node, &rest) || !(node & HEAD) || !split_off(&rest, node & M_SETS, &words)) return;
        for (uint32_t i = 0; i < words.len; i++)
            if (get(words, i) >> HIGH <= room) add_set(grammar, get(words, i) & M_SET, mask, first, len);
        if (!(node & M_LOOK) || at_bottom || !split_off(&rest, 1 + 2 * (node >> M_CHILDREN_SHIFT & M_CHILDREN), &words)) return;
        if (below > 0) frame = frames[--below];
        else at_bottom = true;
        at = branch(words, frame);
    }
}

/* Writes the `len` words of the mask from word `first` on, none past the mask's end. */
static void write_mask(const struct run *run, const struct stacks *stacks, uint32_t *words, uint32_t first, uint32_t len) {
    for (uint32_t at = 0; at < len; at++) words[at] = 0;
    for (uint32_t at = 0; at < stacks->live; at++) add_stack(run, &stacks->heads[at], frames_of(stacks, run->depth, at), words, first, len);
}

/* Words of a mask that are worked out at a time where the caller has no memory for all. */
#define WINDOW 64

/* A window of a mask. */
struct window {
    uint32_t words[WINDOW];
    uint32_t first, len;
};

/* Works the next window out; false if the mask is at its end. Before the first one both numbers are 0. */
static bool next_window(const struct run *run, const struct stacks *stacks, struct window *window) {
    uint32_t end = mask_words(run->grammar);
    window->first += window->len;
    window->len = end - window->first < WINDOW ? end - window->first : WINDOW;
    if (window->len == 0) return false;
    write_mask(run, stacks, window->words, window->first, window->len);
    return true;
}

/* Goes through the bits of a window: the least one from bit `*bit` on, which becomes it. */
static bool next_bit(const struct window *window, uint32_t *bit) {
    for (; *bit < 32 * window->len; ++*bit)
        if (window->words[*bit / 32] >> *bit % 32 & 1) return true;
    return false;
}

/* The number of ids in a mask, and the last of them; it stops counting above `most`. */
static size_t count_ids(const struct run *run, const struct stacks *stacks, size_t most, uint32_t *last) {
    struct window window;
    size_t count = 0;
    window.first = window.len = 0;
    while (count <= most && next_window(run, stacks, &window)) {
        for (uint32_t bit = 0; count <= most && next_bit(&window, &bit); bit++) {
            *last = 32 * window.first + bit;
            count++;
        }
    }
    return count;
}

/* ---- Functions of the header: grammars ---- */

const char *maskwright_status_message(int32_t status) {
    static const char *const messages[] = {
        "done", "the grammar does not allow this here", "the text would nest deeper than the matcher's depth",
        "the text needs more stacks than the tables say", "the grammar was loaded without a vocabulary",
        "the buffer is too short", "a pointer is null", "the memory must be aligned to 8 bytes",
        "this is not a matcher, or not one of this grammar and depth",
        "no text could be finished within this depth: take a greater one",
        "matchers have no such depth: it is at most 65,535", "these are not tables of maskwright, or of the other kind",
        "the tables have another format version: compile the grammar again",
        "the tables are cut off, or something follows them", "the tables were damaged: their checksum differs",
        "the tables are corrupt: a word contradicts the layout", "the grammar was compiled for another vocabulary",
        "the tables share sets of other tables: load them beside those",
    };
    switch (status) {
    case MASKWRIGHT_STATUS_STACKS_NOT_PROVED: return "no number of stacks is proved to be enough for the grammar";
    case MASKWRIGHT_STATUS_NOT_A_GRAMMAR: return "no grammar was loaded into this memory";
    case MASKWRIGHT_STATUS_NOT_SUPPORTED: return "these are linked tables, or they need what this build leaves out";
    default: break;
    }
    return (uint32_t)status < sizeof messages / sizeof *messages ? messages[status] : "no such status";
}

/* Whether memory is aligned for a grammar. */
static bool is_aligned(const void *memory) { return (uintptr_t)memory % sizeof(void *) == 0; }

/* Whether a grammar was loaded into memory. */
static status_t check_grammar(const grammar_t *grammar) {
    if (!grammar) return MASKWRIGHT_STATUS_NULL_POINTER;
    if (!is_aligned(grammar)) return MASKWRIGHT_STATUS_NOT_ALIGNED;
    return grammar->mark == GRAMMAR_MARK ? OK : MASKWRIGHT_STATUS_NOT_A_GRAMMAR;
}

static bool is_grammar(const grammar_t *grammar) { return check_grammar(grammar) == OK; }

/* Loads a grammar into `loaded`, whose vocabulary is set already or is none. */
static status_t load_grammar(grammar_t *loaded, const uint8_t *tables, size_t len, const grammar_t *other) {
    words_t words;
    status_t status = whole(tables, len, GRAMMAR_MAGIC, G_HEADER_WORDS, &words);
    if (status == OK) status = read_grammar(loaded, words, other);
    if (status == OK) status = check_sum(words);
    if (status != OK) return status;
    if (CHECKS && !check_all(loaded)) return MASKWRIGHT_STATUS_CORRUPT;
    if (loaded->header[G_STACKS_PROVED] != 1) return MASKWRIGHT_STATUS_STACKS_NOT_PROVED;
    loaded->mark = GRAMMAR_MARK;
    return OK;
}

/* Attaches no vocabulary. */
static void drop_vocabulary(grammar_t *grammar) {
    static const words_t none = {NULL, 0};
    grammar->token_blocks = grammar->token_names = none;
    grammar->token_relative = grammar->token_bytes = NULL;
    grammar->token_bytes_len = 0;
}

maskwright_status maskwright_grammar_load(maskwright_grammar *grammar, const uint8_t *tables, size_t tables_len, const uint8_t *vocabulary,
                                          size_t vocabulary_len) {
    grammar_t loaded;
    status_t status;
    if (!grammar || (!tables && tables_len > 0) || (!vocabulary && vocabulary_len > 0)) return MASKWRIGHT_STATUS_NULL_POINTER;
    if (!is_aligned(grammar)) return MASKWRIGHT_STATUS_NOT_ALIGNED;
    drop_vocabulary(&loaded);
    status = load_grammar(&loaded, tables, tables_len, NULL);
    if (status == OK && vocabulary_len > 0) status = read_vocabulary(&loaded, vocabulary, vocabulary_len);
    if (status == OK) *grammar = loaded;
    return status;
}

maskwright_status maskwright_grammar_load_beside(maskwright_grammar *grammar, const uint8_t *tables, size_t tables_len,
                                                 const maskwright_grammar *other) {
    grammar_t loaded;
    status_t status = check_grammar(other);
    if (!grammar || (!tables && tables_len > 0)) return MASKWRIGHT_STATUS_NULL_POINTER;
    if (status != OK) return status;
    if (!is_aligned(grammar)) return MASKWRIGHT_STATUS_NOT_ALIGNED;
    /* The other grammar's vocabulary, if it is this one's. */
    loaded = *other;
    status = load_grammar(&loaded, tables, tables_len, other);
    if (status != OK) return status;
    if (!same_vocabulary(&loaded.header[G_VOCABULARY_HASH], &other->header[G_VOCABULARY_HASH]) ||
        loaded.header[G_VOCAB_SIZE] != other->header[G_VOCAB_SIZE])
        drop_vocabulary(&loaded);
    *grammar = loaded;
    return OK;
}

uint32_t maskwright_vocab_size(const maskwright_grammar *grammar) { return is_grammar(grammar) ? grammar->header[G_VOCAB_SIZE] : 0; }

size_t maskwright_mask_words(const maskwright_grammar *grammar) { return is_grammar(grammar) ? mask_words(grammar) : 0; }

size_t maskwright_least_depth(const maskwright_grammar *grammar) {
    uint32_t need = is_grammar(grammar) ? need_of(grammar, grammar->header[G_START]) : 0;
    return need == NEVER ? SIZE_MAX : need;
}

const uint8_t *maskwright_token_bytes(const maskwright_grammar *grammar, uint32_t id, size_t *len) {
    static const uint8_t none[1] = {0};
    const uint8_t *bytes = none;
    uint32_t found = 0;
    if (!len) return NULL;
    if (is_grammar(grammar) && grammar->token_blocks.len > 0) bytes = token_bytes(grammar, id, &found);
    *len = found;
    return bytes;
}

size_t maskwright_eos(const maskwright_grammar *grammar, uint32_t *ids, size_t len) {
    if (!is_grammar(grammar) || (!ids && len > 0)) return 0;
    for (uint32_t at = 0; at < grammar->sections[S_EOS].len && at < len; at++) ids[at] = get(grammar->sections[S_EOS], at);
    return grammar->sections[S_EOS].len;
}

/* ---- Functions of the header: matchers ---- */

/* Bytes of a matcher; 0 if there can be none. */
static size_t size_of(size_t depth, size_t stacks) {
    size_t before = sizeof(struct maskwright_matcher) + 7, each;
    if (depth > 0xffffu || stacks - 1 >= 0xffffu) return 0;
    each = PARTS * (sizeof(struct head) + sizeof(frame_t) * depth);
    if (stacks > (SIZE_MAX - before) / each) return 0;
    return (before + stacks * each) / 8 * 8;
}

size_t maskwright_matcher_size(const maskwright_grammar *grammar, size_t depth) {
    return is_grammar(grammar) ? size_of(depth, grammar->header[G_MAX_STACKS]) : 0;
}

static uint32_t mark_of(uint32_t depth, uint32_t stacks) { return MATCHER_MARK ^ (depth | stacks << 16); }

/* Finds the parts of a matcher. */
static status_t open_run(const maskwright_matcher *matcher, struct run *run) {
    /* What is const for callers is only read. */
    maskwright_matcher *memory = (maskwright_matcher *)(uintptr_t)matcher;
    uint32_t stacks;
    if (!matcher) return MASKWRIGHT_STATUS_NULL_POINTER;
    if ((uintptr_t)matcher % 8 != 0) return MASKWRIGHT_STATUS_NOT_ALIGNED;
    stacks = matcher->stacks;
    if (matcher->mark != mark_of(matcher->depth, stacks) || matcher->live > stacks) return MASKWRIGHT_STATUS_NOT_A_MATCHER;
    run->grammar = matcher->grammar;
    run->depth = matcher->depth;
    run->room = stacks;
    run->now.heads = (struct head *)(memory + 1);
    run->tried.heads = run->now.heads + stacks;
    run->spare.heads = run->tried.heads + stacks;
    run->now.frames = (frame_t *)(run->spare.heads + stacks);
    run->tried.frames = run->now.frames + (size_t)run->depth * stacks;
    run->spare.frames = run->tried.frames + (size_t)run->depth * stacks;
    run->now.live = matcher->live;
    run->tried.live = run->spare.live = 0;
    return OK;
}

/* Opens a matcher to try something on a copy of its stacks. */
static status_t try_run(maskwright_matcher *matcher, struct run *run) {
    status_t status = open_run(matcher, run);
    if (status == OK) copy_stacks(&run->tried, &run->now, run->depth);
    return status;
}

/* Keeps the stacks that were tried, if nothing went wrong. */
static status_t keep_tried(maskwright_matcher *matcher, struct run *run, status_t status) {
    if (status == OK) {
        copy_stacks(&run->now, &run->tried, run->depth);
        matcher->live = run->now.live;
    }
    return status;
}

maskwright_status maskwright_matcher_new(const maskwright_grammar *grammar, size_t depth, void *memory, size_t size,
                                         maskwright_matcher **matcher) {
    maskwright_matcher *made = memory;
    status_t status = check_grammar(grammar);
    struct run run;
    size_t needed;
    if (status != OK) return status;
    if (!matcher) return MASKWRIGHT_STATUS_NULL_POINTER;
    needed = size_of(depth, grammar->header[G_MAX_STACKS]);
    if (needed == 0) return MASKWRIGHT_STATUS_DEPTH_TOO_LARGE;
    if (!memory) return MASKWRIGHT_STATUS_NULL_POINTER;
    if ((uintptr_t)memory % 8 != 0) return MASKWRIGHT_STATUS_NOT_ALIGNED;
    if (size < needed) return MASKWRIGHT_STATUS_BUFFER_TOO_SMALL;
    if (need_of(grammar, grammar->header[G_START]) == NEVER || need_of(grammar, grammar->header[G_START]) > depth)
        return MASKWRIGHT_STATUS_DEPTH_TOO_SMALL;
    made->depth = (uint16_t)depth;
    made->stacks = (uint16_t)grammar->header[G_MAX_STACKS];
    made->mark = mark_of(made->depth, made->stacks);
    made->live = 1;
    made->grammar = grammar;
    open_run(made, &run);
    start_at(&run.now, grammar->header[G_START]);
    *matcher = made;
    return OK;
}

size_t maskwright_depth(const maskwright_matcher *matcher) {
    struct run run;
    return open_run(matcher, &run) == OK ? run.depth : 0;
}

maskwright_status maskwright_rollback(maskwright_matcher *matcher, const maskwright_matcher *checkpoint) {
    struct run run, other;
    status_t status = open_run(matcher, &run);
    if (status == OK) status = open_run(checkpoint, &other);
    if (status != OK) return status;
    if (matcher->mark != checkpoint->mark || run.grammar != other.grammar) return MASKWRIGHT_STATUS_NOT_A_MATCHER;
    copy_stacks(&run.now, &other.now, run.depth);
    matcher->live = run.now.live;
    return OK;
}

maskwright_status maskwright_reset(maskwright_matcher *matcher) {
    struct run run;
    status_t status = open_run(matcher, &run);
    if (status == OK) {
        start_at(&run.now, run.grammar->header[G_START]);
        matcher->live = 1;
    }
    return status;
}

maskwright_status maskwright_fill(const maskwright_matcher *matcher, uint32_t *words, size_t len) {
    struct run run;
    status_t status = open_run(matcher, &run);
    size_t needed;
    if (status != OK) return status;
    if (!words && len > 0) return MASKWRIGHT_STATUS_NULL_POINTER;
    needed = mask_words(run.grammar);
    if (len < needed) return MASKWRIGHT_STATUS_BUFFER_TOO_SMALL;
    write_mask(&run, &run.now, words, 0, (uint32_t)needed);
    for (; needed < len; needed++) words[needed] = 0;
    return OK;
}

/* In the floats of IEEE 754. */
static const union {
    uint32_t bits;
    float value;
} MINUS_INFINITY = {0xff800000u};

maskwright_status maskwright_apply(const maskwright_matcher *matcher, float *logits, size_t len) {
    struct run run;
    struct window window;
    status_t status = open_run(matcher, &run);
    size_t at = 0;
    if (status != OK) return status;
    if (!logits && len > 0) return MASKWRIGHT_STATUS_NULL_POINTER;
    window.first = window.len = 0;
    while (at < len && next_window(&run, &run.now, &window)) {
        for (uint32_t bit = 0; bit < 32 * window.len && at < len; bit++, at++)
            if (!(window.words[bit / 32] >> bit % 32 & 1)) logits[at] = MINUS_INFINITY.value;
    }
    for (; at < len; at++) logits[at] = MINUS_INFINITY.value;
    return OK;
}

maskwright_status maskwright_argmax(const maskwright_matcher *matcher, const float *logits, size_t len, uint32_t *id) {
    struct run run;
    struct window window;
    status_t status;
    float best = 0;
    bool found = false;
    if ((!logits && len > 0) || !id) return MASKWRIGHT_STATUS_NULL_POINTER;
    status = open_run(matcher, &run);
    if (status != OK) return status;
    window.first = window.len = 0;
    while (next_window(&run, &run.now, &window)) {
        for (uint32_t bit = 0; next_bit(&window, &bit); bit++) {
            uint32_t at = 32 * window.first + bit;
            if (at >= len) break;
            /* Not a number is lower than everything else. */
            if (found && !(logits[at] > best) && !(best != best && logits[at] == logits[at])) continue;
            found = true;
            best = logits[at];
            *id = at;
        }
    }
    return found ? OK : MASKWRIGHT_STATUS_NOT_ALLOWED;
}

bool maskwright_allows(const maskwright_matcher *matcher, uint32_t id) {
    struct run run;
    uint32_t word;
    if (open_run(matcher, &run) != OK || id >= run.grammar->header[G_VOCAB_SIZE]) return false;
    write_mask(&run, &run.now, &word, id / 32, 1);
    return word >> id % 32 & 1;
}

size_t maskwright_count(const maskwright_matcher *matcher) {
    struct run run;
    uint32_t last;
    return open_run(matcher, &run) == OK ? count_ids(&run, &run.now, SIZE_MAX, &last) : 0;
}

maskwright_status maskwright_accept_token(maskwright_matcher *matcher, uint32_t id) {
    struct run run;
    status_t status = try_run(matcher, &run);
    return status == OK ? keep_tried(matcher, &run, take_token(&run, id)) : status;
}

maskwright_status maskwright_accept_bytes(maskwright_matcher *matcher, const uint8_t *bytes, size_t len) {
    struct run run;
    status_t status = try_run(matcher, &run);
    if (status != OK || len == 0) return status;
    if (!bytes) return MASKWRIGHT_STATUS_NULL_POINTER;
    return keep_tried(matcher, &run, take_bytes(&run, bytes, len, false));
}

maskwright_status maskwright_finish(maskwright_matcher *matcher) {
    struct run run;
    status_t status = try_run(matcher, &run);
    return status == OK ? keep_tried(matcher, &run, take_end(&run)) : status;
}

bool maskwright_is_complete(const maskwright_matcher *matcher) {
    struct run run;
    return open_run(matcher, &run) == OK && is_complete(&run, &run.now);
}

bool maskwright_is_finished(const maskwright_matcher *matcher) {
    struct run run;
    return open_run(matcher, &run) == OK && run.now.live == 0;
}

size_t maskwright_accept_draft(maskwright_matcher *matcher, const uint32_t *ids, size_t len) {
    size_t at = 0;
    while (ids && at < len && maskwright_accept_token(matcher, ids[at]) == OK) at++;
    return at;
}

size_t maskwright_check_draft(maskwright_matcher *matcher, const uint32_t *ids, size_t len) {
    struct run run;
    size_t at = 0;
    if (!ids || try_run(matcher, &run) != OK) return 0;
    while (at < len && take_token(&run, ids[at]) == OK) at++;
    return at;
}

/* The only symbol that can come next, if it is one byte; 256 if it is not. */
static uint32_t forced_byte(const struct run *run) {
    const grammar_t *grammar = run->grammar;
    uint32_t class, only = T_NO_CLASS, byte, found = 256;
    for (class = 0; class < grammar->header[G_CLASSES] && class < MAX_CLASSES; class++) {
        if (!can_take(run, &run->tried, class)) continue;
        if (only != T_NO_CLASS || class == grammar->header[G_END_CLASS]) return 256;
        only = class;
    }
    for (byte = 0; byte < 256; byte++) {
        if (grammar->sections[S_CLASSES].at[byte] != only) continue;
        if (found < 256) return 256;
        found = byte;
    }
    return found;
}

size_t maskwright_forced_bytes(maskwright_matcher *matcher, uint8_t *bytes, size_t len) {
    struct run run;
    size_t at;
    if (!bytes || try_run(matcher, &run) != OK) return 0;
    for (at = 0; at < len; at++) {
        uint32_t byte = forced_byte(&run);
        if (byte > 255 || take_symbol(&run, run.grammar->sections[S_CLASSES].at[byte]) != OK) break;
        bytes[at] = (uint8_t)byte;
    }
    return at;
}

size_t maskwright_forced_tokens(maskwright_matcher *matcher, uint32_t *ids, size_t len) {
    struct run run;
    size_t at = 0;
    if (!ids || try_run(matcher, &run) != OK) return 0;
    while (at < len && count_ids(&run, &run.tried, 1, &ids[at]) == 1)
        if (take_token(&run, ids[at++]) != OK) break;
    return at;
}
