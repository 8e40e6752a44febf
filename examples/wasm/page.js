// The page: what is typed is decoded, and the tokens that may come next are shown.
"use strict";

const find = (id) => document.getElementById(id);
const decode = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
const SHOWN = 300;
const DEPTH = 32;
const NAMES = { "\n": "⏎", "\r": "␍", "\t": "⇥", " ": "␣", "\x7f": "␡" };

// The text of bytes; null if they end inside of a character, or begin there.
function text(bytes) {
    try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
    } catch {
        return null;
    }
}

// A token to be read: blanks by their signs, parts of characters in hexadecimal.
function label(token) {
    if (token.length === 0) return "end";
    const hexadecimal = () => [...token].map((byte) => `<${byte.toString(16)}>`).join("");
    return text(token)?.replace(/[\n\r\t \x7f]/g, (blank) => NAMES[blank]) ?? hexadecimal();
}

// Decodes what is in the text box.
function update(grammar) {
    const bytes = new TextEncoder().encode(find("text").value);
    grammar.reset();
    const taken = grammar.accept(bytes);
    const refused = new TextDecoder().decode(bytes.slice(taken));
    find("taken").textContent = new TextDecoder().decode(bytes.slice(0, taken));
    find("refused").textContent = refused;
    find("forced").textContent = refused ? "" : new TextDecoder().decode(grammar.forced());
    const ids = grammar.allowed();
    const ends = grammar.isComplete ? "The text may end here." : "The text may not end here.";
    const where = refused ? "After the part that is allowed: " : "";
    find("state").textContent = `${where}${ids.length} of ${grammar.vocabSize} tokens may come next. ${ends}`;
    find("tokens").replaceChildren(...ids.slice(0, SHOWN).map((id) => button(grammar, id, bytes.slice(0, taken))));
    if (ids.length > SHOWN) find("tokens").append(`and ${ids.length - SHOWN} more`);
}

// A button that writes a token. A text box cannot hold parts of characters.
function button(grammar, id, before) {
    const element = document.createElement("button");
    const token = grammar.token(id);
    const after = text([...before, ...token]);
    element.textContent = label(token);
    element.title = `token ${id}`;
    element.disabled = after === null || token.length === 0;
    element.onclick = () => {
        find("text").value = after;
        update(grammar);
    };
    return element;
}

// A text of tokens that are drawn by chance from the masks, by a generator that begins at `seed`.
function write(grammar, seed) {
    let state = seed;
    const bytes = [];
    grammar.reset();
    while (!grammar.isFinished && bytes.length < 4000) {
        const ids = grammar.allowed();
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        const end = ids.find((id) => grammar.token(id).length === 0);
        const id = end ?? ids[(state >>> 8) % ids.length];
        bytes.push(...grammar.token(id));
        grammar.acceptToken(id);
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
}

// Compares the masks after some prefixes with those of the command line, and lets some texts be written.
function test(grammar) {
    for (const { prefix, complete, tokens, eos } of window.EXPECTED) {
        grammar.reset();
        const bytes = new TextEncoder().encode(prefix);
        const ids = grammar.accept(bytes) === bytes.length ? grammar.allowed() : [];
        const expected = [...tokens.map((token) => token.id), ...(complete ? eos : [])];
        if (ids.join() !== expected.join() || grammar.isComplete !== complete) throw new Error(`another mask after ${prefix}`);
    }
    for (let seed = 1; seed <= 20; seed++) {
        const { tool } = JSON.parse(write(grammar, seed));
        if (!["light", "timer", "sequence"].includes(tool)) throw new Error(`no call: ${tool}`);
    }
    return `passed: ${window.EXPECTED.length} masks, 20 texts`;
}

// Lets the text be typed and written, and shows what it may go on with.
function show(grammar, size) {
    find("size").textContent = size.toLocaleString("en");
    find("text").oninput = () => update(grammar);
    find("write").onclick = () => {
        find("text").value = write(grammar, Date.now() >>> 0);
        update(grammar);
    };
    update(grammar);
}

async function start() {
    const [wasm, tables, vocabulary] = ["wasm", "tables", "vocabulary"].map((name) => decode(window.ASSETS[name]));
    let grammar;
    if (location.hash === "#test") {
        // Nothing is awaited: headless chromium writes the page down without waiting for a module that compiles in the background.
        const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm));
        grammar = new Grammar(exports, tables, vocabulary, DEPTH);
        find("result").textContent = test(grammar);
    } else {
        grammar = await Grammar.load(wasm, tables, vocabulary, DEPTH);
    }
    show(grammar, wasm.length);
}

start().catch((error) => (find("result").textContent = `FAILED: ${error.message}`));
