// The module of WebAssembly, and how it is called.
//
// In: numbers and bytes. Out: numbers and bytes; what the module refuses is thrown. What holds: what
// is returned is a copy, since the module's memory moves when it grows. A module that has panicked
// is never called again: its objects throw, and the next vocabulary begins a new one.

import { failure, MaskwrightError } from "./errors.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const inNode = typeof process !== "undefined" && Boolean(process.versions?.node);

export const encode = (text) => (typeof text === "string" ? encoder.encode(text) : text);
export const decode = (bytes) => decoder.decode(bytes);

// The bytes of a file of this package.
export async function fileOfPackage(name) {
    const url = new URL(name, import.meta.url);
    if (inNode && url.protocol === "file:") {
        const { readFile } = await import("node:fs/promises");
        return readFile(url);
    }
    const answer = await fetch(url);
    if (!answer.ok) throw new MaskwrightError(`${url}: ${answer.status} ${answer.statusText}`);
    return new Uint8Array(await answer.arrayBuffer());
}

export class Module {
    static async start(compiled) {
        const module = new Module();
        const imports = {
            maskwright: {
                now: () => performance.now(),
                panicked: (at, length) => (module.dead = decode(module.bytes(at, length))),
            },
        };
        module.exports = (await WebAssembly.instantiate(compiled, imports)).exports;
        // Handles of objects that nobody has any more.
        module.garbage = new FinalizationRegistry((handle) => module.free(handle));
        return module;
    }

    dead = null;

    bytes(at, length) {
        return new Uint8Array(this.exports.memory.buffer, at, length);
    }

    // Calls a function; what it returns, if that is no failure. `inputs` are byte arrays.
    call(name, numbers = [], inputs = []) {
        const result = this.run(name, numbers, inputs);
        const failed = name.endsWith("_new") || ["compile", "grammar_load", "matcher_fork"].includes(name) ? result === 0 : result < 0;
        if (failed) throw failure(JSON.parse(decode(this.reply())));
        return result;
    }

    // The same; the reply.
    ask(name, numbers, inputs) {
        this.call(name, numbers, inputs);
        return this.reply();
    }

    run(name, numbers, inputs) {
        if (this.dead !== null) throw new MaskwrightError(`the module has ended: ${this.dead}`);
        try {
            for (const input of inputs) {
                const at = this.exports.input(input.length);
                this.bytes(at, input.length).set(input);
            }
            return this.exports[name](...numbers);
        } catch (error) {
            this.dead ??= error.message;
            throw new MaskwrightError(`the module has ended: ${this.dead}`, { cause: error });
        }
    }

    // A copy of the last reply. Words are aligned in it.
    reply() {
        const { reply, reply_length } = this.exports;
        return this.bytes(reply(), reply_length()).slice();
    }

    // Has an object freed when `owner` is garbage; the handle.
    own(owner, handle) {
        this.garbage.register(owner, handle, owner);
        return handle;
    }

    free(handle) {
        if (this.dead === null) this.exports.free(handle);
    }
}

// What `init` was given or has fetched, compiled once; the module that is used now.
let compiled;
let present;

// Makes the module ready. Every vocabulary does so by itself; call it to say where the module is:
// its bytes, a compiled module, a URL or an answer of fetch.
export async function init(source) {
    if (source !== undefined || compiled === undefined) compiled = compile(source);
    const live = source === undefined && (await present)?.dead === null;
    if (!live) present = compiled.then((module) => Module.start(module));
    return present;
}

async function compile(source) {
    const given = await source;
    if (given instanceof WebAssembly.Module) return given;
    if (typeof given === "string" || given instanceof URL) return compile(fetch(given));
    if (typeof Response !== "undefined" && given instanceof Response) return WebAssembly.compile(await given.arrayBuffer());
    return WebAssembly.compile(given ?? (await fileOfPackage("maskwright.wasm")));
}

// Frees an object before it is garbage.
export function release(owner) {
    owner.module.garbage.unregister(owner);
    owner.module.free(owner.handle);
    owner.handle = 0;
}

// The formats of tool calls: the name of each, and the models that write so.
export async function formats() {
    const module = await init();
    const all = JSON.parse(decode(module.ask("formats")));
    return all.map(([name, about]) => ({ name, about }));
}
