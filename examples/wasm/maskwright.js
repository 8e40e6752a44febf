// The runtime's C functions, called from a page. Tables, matcher and mask lie in the module's memory, after its own data:
// nothing is allocated by the module itself.
"use strict";

class Grammar {
    // `wasm`, `tables` and `vocabulary` are byte arrays.
    static async load(wasm, tables, vocabulary, depth) {
        const { instance } = await WebAssembly.instantiate(wasm, {});
        return new Grammar(instance.exports, tables, vocabulary, depth);
    }

    constructor(exports, tables, vocabulary, depth) {
        this.exports = exports;
        this.end = exports.__heap_base.value;
        this.vocabulary = vocabulary;
        const [at, vocabularyAt] = [this.place(tables), this.place(vocabulary)];
        // As long as `maskwright_grammar` in the header.
        this.grammar = this.reserve(8 * 50);
        this.check(exports.maskwright_grammar_load(this.grammar, at, tables.length, vocabularyAt, vocabulary.length));
        this.vocabSize = exports.maskwright_vocab_size(this.grammar);
        this.maskWords = exports.maskwright_mask_words(this.grammar);
        this.mask = this.reserve(4 * this.maskWords);
        this.scratch = this.reserve(1024);
        const size = exports.maskwright_matcher_size(this.grammar, depth);
        this.matcher = this.reserve(size);
        this.check(exports.maskwright_matcher_new(this.grammar, depth, this.matcher, size, this.scratch));
    }

    // An address of `len` free bytes, aligned to 8.
    reserve(len) {
        const at = (this.end + 7) & ~7;
        this.end = at + len;
        const missing = this.end - this.exports.memory.buffer.byteLength;
        if (missing > 0) this.exports.memory.grow(Math.ceil(missing / 65536));
        return at;
    }

    place(bytes) {
        const at = this.reserve(bytes.length);
        this.bytes(at, bytes.length).set(bytes);
        return at;
    }

    bytes(at, len) {
        return new Uint8Array(this.exports.memory.buffer, at, len);
    }

    check(status) {
        if (status === 0) return;
        let at = this.exports.maskwright_status_message(status);
        let message = "";
        for (const memory = new Uint8Array(this.exports.memory.buffer); memory[at] !== 0; at++) message += String.fromCharCode(memory[at]);
        throw new Error(message);
    }

    reset() {
        this.check(this.exports.maskwright_reset(this.matcher));
    }

    // Takes bytes up to the first that is refused; how many were taken.
    accept(bytes) {
        for (let i = 0; i < bytes.length; i++) {
            this.bytes(this.scratch, 1)[0] = bytes[i];
            if (this.exports.maskwright_accept_bytes(this.matcher, this.scratch, 1) !== 0) return i;
        }
        return bytes.length;
    }

    acceptToken(id) {
        this.check(this.exports.maskwright_accept_token(this.matcher, id));
    }

    // The ids of the tokens that may come next.
    allowed() {
        this.check(this.exports.maskwright_fill(this.matcher, this.mask, this.maskWords));
        const words = new Uint32Array(this.exports.memory.buffer, this.mask, this.maskWords);
        const ids = [];
        words.forEach((word, at) => {
            for (; word !== 0; word &= word - 1) ids.push(32 * at + 31 - Math.clz32(word & -word));
        });
        return ids;
    }

    token(id) {
        const at = this.exports.maskwright_token_bytes(this.grammar, id, this.scratch);
        const len = new Uint32Array(this.exports.memory.buffer, this.scratch, 1)[0];
        return this.bytes(at, len).slice();
    }

    // The bytes that must come next.
    forced() {
        return this.bytes(this.scratch, this.exports.maskwright_forced_bytes(this.matcher, this.scratch, 256)).slice();
    }

    get isComplete() {
        return this.exports.maskwright_is_complete(this.matcher) !== 0;
    }

    get isFinished() {
        return this.exports.maskwright_is_finished(this.matcher) !== 0;
    }
}
