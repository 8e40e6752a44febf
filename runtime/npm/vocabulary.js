// Vocabularies: the bytes of each token, and the tokens that end a text.

import { MaskwrightError } from "./errors.js";
import { decode, encode, fileOfPackage, init, release } from "./module.js";

const [FILE, TABLES, TOKENS] = [0, 1, 2];

export class Vocabulary {
    // Use the functions below.
    constructor(module, from, inputs, options = {}) {
        const text = encode(JSON.stringify({ ...options, eos: list(options.eos) }));
        this.module = module;
        this.handle = module.own(this, module.call("vocabulary_new", [from], [text, ...inputs]));
        const { size, eos, special, hash, warnings } = JSON.parse(decode(module.reply()));
        Object.assign(this, { size, eos, hash, warnings });
        this.specialTokens = new Map(special);
    }

    static async named(name, options) {
        const names = JSON.parse(decode(await fileOfPackage("vocabularies/names.json")));
        if (!Object.hasOwn(names, name)) {
            throw new MaskwrightError(`no vocabulary is called ${name}: there are ${Object.keys(names).join(", ")}`);
        }
        return Vocabulary.fromTables(await fileOfPackage(`vocabularies/${name}.mskv`), { eos: names[name].eos, ...options });
    }

    static async fromFile(content, options) {
        return new Vocabulary(await init(), FILE, [encode(content)], options);
    }

    static async fromTables(tables, options) {
        return new Vocabulary(await init(), TABLES, [tables], options);
    }

    static async fromTokens(tokens, options) {
        const all = tokens.map(encode);
        const lengths = new Uint8Array(Uint32Array.from(all, (token) => token.length).buffer);
        const bytes = new Uint8Array(all.reduce((sum, token) => sum + token.length, 0));
        let end = 0;
        for (const token of all) {
            bytes.set(token, end);
            end += token.length;
        }
        return new Vocabulary(await init(), TOKENS, [bytes, lengths], options);
    }

    // The bytes of a token; none for those that are no text.
    bytes(id) {
        const { ends, bytes } = (this.all ??= this.fetchAll());
        return id < this.size ? bytes.subarray(id > 0 ? ends[id - 1] : 0, ends[id]) : new Uint8Array(0);
    }

    fetchAll() {
        const reply = this.module.ask("vocabulary_bytes", [this.handle]);
        return { ends: new Uint32Array(reply.buffer, 0, this.size), bytes: reply.subarray(4 * this.size) };
    }

    // The name of a token that is no text.
    tokenName(id) {
        return this.specialTokens.get(id);
    }

    // The text of tokens; control tokens by their names, but for those that end a text.
    decode(ids) {
        const parts = Array.from(ids, (id) => {
            if (this.eos.includes(id)) return new Uint8Array(0);
            return this.specialTokens.has(id) ? encode(this.specialTokens.get(id)) : this.bytes(id);
        });
        const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
        let end = 0;
        for (const part of parts) {
            all.set(part, end);
            end += part.length;
        }
        return decode(all);
    }

    free() {
        release(this);
    }
}

const list = (ids) => (typeof ids === "number" ? [ids] : ids);
