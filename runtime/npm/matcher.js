// Where one text stands in a grammar.

import { MaskwrightError } from "./errors.js";
import { decode, encode, release } from "./module.js";

const [COMPLETE, FINISHED] = [1, 2];

export class Matcher {
    constructor(grammar, { depth = 64, history = 256, handle } = {}) {
        this.module = grammar.module;
        this.grammar = grammar;
        const made = handle ?? this.module.call("matcher_new", [grammar.handle, depth, history]);
        this.handle = this.module.own(this, made);
    }

    // The mask as words of 32 bits.
    mask() {
        return new Uint32Array(this.module.ask("matcher_mask", [this.handle]).buffer);
    }

    // The ids of the tokens that may come next, ascending.
    allowedTokens() {
        const ids = [];
        this.mask().forEach((word, at) => {
            for (; word !== 0; word &= word - 1) ids.push(32 * at + 31 - Math.clz32(word & -word));
        });
        return ids;
    }

    // Sets the logits of all other tokens to minus infinity, in place.
    maskLogits(logits) {
        const mask = this.mask();
        for (let id = 0; id < logits.length; id++) {
            if (((mask[id >>> 5] >>> (id & 31)) & 1) === 0) logits[id] = -Infinity;
        }
        return logits;
    }

    accept(token) {
        if (!Number.isInteger(token) || token < 0) throw new MaskwrightError(`a token is an id, not ${token}`);
        return this.module.call("matcher_accept_token", [this.handle, token]) === 1;
    }

    acceptText(text) {
        return this.module.call("matcher_accept_bytes", [this.handle], [encode(text)]) === 1;
    }

    // How many bytes of a text could be taken.
    acceptedPrefix(text) {
        return this.module.call("matcher_accepted_prefix", [this.handle], [encode(text)]);
    }

    // Why a token's id or a text would be refused; null if it would be taken.
    explain(what) {
        const isToken = typeof what === "number";
        const bytes = isToken ? [] : encode(what);
        if (!isToken && bytes.length === 0) return null;
        const reply = this.module.ask("matcher_explain", [this.handle, isToken ? what : 0], isToken ? [] : [bytes]);
        return reply.length > 0 ? decode(reply) : null;
    }

    // The tokens that come next while the mask holds exactly one.
    forced(limit = 256) {
        return [...new Uint32Array(this.module.ask("matcher_forced_tokens", [this.handle, limit]).buffer)];
    }

    // The bytes that must come next.
    forcedBytes(limit = 4096) {
        return this.module.ask("matcher_forced_bytes", [this.handle, limit]);
    }

    rollback(tokens = 1) {
        this.module.call("matcher_rollback", [this.handle, tokens]);
    }

    reset() {
        this.module.call("matcher_reset", [this.handle]);
    }

    // A matcher at the same point, which goes on by itself, with nothing to take back.
    fork() {
        return new Matcher(this.grammar, { handle: this.module.call("matcher_fork", [this.handle]) });
    }

    get isComplete() {
        return (this.state() & COMPLETE) !== 0;
    }

    get isFinished() {
        return (this.state() & FINISHED) !== 0;
    }

    state() {
        return this.module.call("matcher_state", [this.handle]);
    }

    free() {
        release(this);
    }
}
