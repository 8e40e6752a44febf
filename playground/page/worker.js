// The module, in a thread of its own: what takes long does not stop the page, and can be ended.
//
// In: messages `{ id, what, args }`, one at a time. Out: `{ id, result }` or `{ id, error }`.

import { compile, draw, formats, Matcher, Vocabulary } from "./maskwright/index.js";
import { spell } from "./spell.js";

// Tokens that are listed at most.
const LISTED = 400;
const HISTORY = 4096;

let vocabulary = null;
let grammar = null;
let matcher = null;
// The tokens taken so far, with the number that were allowed in their place.
let taken = [];

const commands = {
    formats,

    async vocabulary({ name, content }) {
        forget();
        vocabulary?.free();
        vocabulary = null;
        vocabulary = name ? await Vocabulary.named(name) : await Vocabulary.fromFile(content);
        return { size: vocabulary.size, warnings: vocabulary.warnings };
    },

    compile({ text, options, depth, tokens }) {
        forget();
        grammar = compile(text, { ...options, vocabulary });
        matcher = new Matcher(grammar, { depth: depth ?? 64, history: HISTORY });
        for (const id of tokens ?? []) if (!take(id)) break;
        return { report: grammar.report, warnings: grammar.warnings, standing: standing("") };
    },

    draw: ({ text, options }) => draw(text, { ...options, vocabulary }),

    accept({ ids, filter }) {
        for (const id of ids) take(id);
        return standing(filter);
    },

    // Takes a text by the longest tokens, as far as it is allowed.
    type({ text, filter }) {
        const bytes = new TextEncoder().encode(text);
        const most = matcher.acceptedPrefix(bytes);
        for (const id of spell(vocabulary, bytes.subarray(0, most))) if (!take(id)) break;
        const rest = bytes.subarray(most);
        return { ...standing(filter), refusal: matcher.explain(rest), rest: new TextDecoder().decode(rest) };
    },

    forced({ filter }) {
        for (const id of matcher.forced(LISTED)) take(id);
        return standing(filter);
    },

    // Takes tokens by chance, at most so many; short ones are likelier, so that texts end.
    chance({ most, filter }) {
        for (let step = 0; step < most && !matcher.isFinished; step++) {
            const ids = matcher.allowedTokens();
            const end = ids.find((id) => vocabulary.eos.includes(id));
            const ends = end !== undefined && most > 1;
            const draws = Array.from({ length: 4 }, () => ids[Math.floor(Math.random() * ids.length)]);
            const shortest = draws.reduce((a, b) => (vocabulary.bytes(a).length <= vocabulary.bytes(b).length ? a : b));
            take(ends ? end : most > 1 ? shortest : draws[0]);
        }
        return standing(filter);
    },

    undo({ tokens, filter }) {
        const count = Math.min(tokens, taken.length);
        if (count === taken.length) matcher.reset();
        else matcher.rollback(count);
        taken.length -= count;
        return standing(filter);
    },

    list: ({ filter }) => standing(filter),
};

function forget() {
    matcher?.free();
    grammar?.free();
    [matcher, grammar, taken] = [null, null, []];
}

function take(id) {
    const allowed = matcher.allowedTokens().length;
    const accepted = matcher.accept(id);
    if (accepted) taken.push({ ...shown(id), allowed });
    return accepted;
}

// A token as the page shows it.
function shown(id) {
    return { id, bytes: vocabulary.bytes(id).slice(), name: vocabulary.tokenName(id), ends: vocabulary.eos.includes(id) };
}

// Where the text stands, and the tokens that may come next.
function standing(filter) {
    const finished = matcher.isFinished;
    const ids = finished ? [] : matcher.allowedTokens();
    const wanted = new TextEncoder().encode(filter ?? "");
    const begins = (id) => wanted.every((byte, at) => vocabulary.bytes(id)[at] === byte);
    const found = wanted.length > 0 ? ids.filter(begins) : ids;
    return {
        taken,
        allowed: ids.length,
        size: vocabulary.size,
        complete: matcher.isComplete,
        finished,
        forced: new TextDecoder().decode(finished ? new Uint8Array(0) : matcher.forcedBytes(200)),
        forcedTokens: finished ? 0 : matcher.forced(LISTED).length,
        found: found.length,
        listed: order(found).slice(0, LISTED).map(shown),
    };
}

// Tokens that end the text first, then shorter ones before longer ones.
function order(ids) {
    const length = (id) => (vocabulary.eos.includes(id) ? 0 : vocabulary.bytes(id).length || 1);
    return [...ids].sort((a, b) => length(a) - length(b) || a - b);
}

onmessage = async ({ data: { id, what, args } }) => {
    try {
        postMessage({ id, result: await commands[what](args ?? {}) });
    } catch (error) {
        const { message, reason, code, diagnostics } = error;
        postMessage({ id, error: { message, reason, code, diagnostics } });
    }
};
