// Grammars: compiled, or read from tables that were compiled before.

import { MaskwrightError } from "./errors.js";
import { decode, encode, release } from "./module.js";
import { Vocabulary } from "./vocabulary.js";

// The options of a compile; all others are the kind's.
function request(text, { vocabulary, kind, timeLimit, deterministic, limits, ...options }) {
    if (!(vocabulary instanceof Vocabulary)) throw new MaskwrightError("`vocabulary` is missing");
    const written = typeof text === "string" ? text : JSON.stringify(text, null, 2);
    return encode(JSON.stringify({ kind: kind ?? "schema", text: written, timeLimit, deterministic, limits, options }));
}

export class Grammar {
    // Use `compile` or `Grammar.fromTables`.
    constructor(vocabulary, handle, { warnings, report }) {
        this.module = vocabulary.module;
        this.handle = this.module.own(this, handle);
        Object.assign(this, { vocabulary, warnings, report });
    }

    static fromTables(tables, vocabulary) {
        const handle = vocabulary.module.call("grammar_load", [vocabulary.handle], [tables]);
        return new Grammar(vocabulary, handle, { warnings: [], report: null });
    }

    // The tables: bytes to keep, for `fromTables` and for the runtime in other languages.
    tables() {
        return this.module.ask("grammar_tables", [this.handle]);
    }

    free() {
        release(this);
    }
}

export function compile(text, options) {
    const input = request(text, options);
    const { vocabulary } = options;
    const handle = vocabulary.module.call("compile", [vocabulary.handle], [input]);
    return new Grammar(vocabulary, handle, JSON.parse(decode(vocabulary.module.reply())));
}

// The automaton as a picture.
export function draw(text, options) {
    const input = request(text, options);
    const { vocabulary } = options;
    return JSON.parse(decode(vocabulary.module.ask("draw", [vocabulary.handle], [input])));
}
