// Compiling: schemas, grammars and tools; errors; tables kept and read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compile, draw, formats, Grammar, GrammarError, MaskwrightError, Matcher, Vocabulary } from "maskwright";

const SCHEMA = {
    type: "object",
    properties: { city: { enum: ["Oslo", "Rome"] }, days: { type: "integer", minimum: 1, maximum: 7 } },
    required: ["city", "days"],
    additionalProperties: false,
};
const vocabulary = await Vocabulary.named("cl100k_base");

// A text of tokens that are drawn by a generator that begins at `seed`.
function write(grammar, seed) {
    let state = seed;
    const matcher = new Matcher(grammar);
    const ids = [];
    while (!matcher.isFinished && ids.length < 500) {
        const allowed = matcher.allowedTokens();
        assert.notEqual(allowed.length, 0);
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        const id = allowed.find((token) => vocabulary.eos.includes(token)) ?? allowed[(state >>> 8) % allowed.length];
        assert.ok(matcher.accept(id));
        ids.push(id);
    }
    return vocabulary.decode(ids);
}

test("texts under the masks of a schema are its values", () => {
    const grammar = compile(SCHEMA, { vocabulary, whitespace: "spaced" });
    for (let seed = 1; seed <= 20; seed++) {
        const { city, days } = JSON.parse(write(grammar, seed));
        assert.ok(["Oslo", "Rome"].includes(city) && days >= 1 && days <= 7);
    }
});

test("a compile says what it took and what the tables hold", () => {
    const { report, warnings } = compile(JSON.stringify(SCHEMA), { vocabulary });
    assert.ok(report.states > 10 && report.tableBytes > 1000);
    assert.ok(report.milliseconds > 0, "the clock of the page is asked");
    assert.ok(report.stages.some(([name, time]) => name.length > 0 && time > 0));
    assert.deepEqual(warnings, []);
});

test("each kind of text", async () => {
    const texts = {
        regex: ["[a-c]{2}", "ab"],
        ebnf: ['root ::= "x" [0-9]', "x7"],
        lark: ["start: /[a-z]+/", "abc"],
        structural_tag: [{ type: "structural_tag", format: { type: "const_string", value: "hello" } }, "hello"],
    };
    for (const [kind, [text, fits]] of Object.entries(texts)) {
        const matcher = new Matcher(compile(text, { vocabulary, kind }));
        assert.ok(matcher.acceptText(fits), kind);
        assert.ok(matcher.isComplete, kind);
    }
    const tools = [{ type: "function", function: { name: "add", parameters: { type: "object", properties: { a: { type: "integer" } }, required: ["a"] } } }];
    const called = compile(tools, { vocabulary, kind: "tools", format: "hermes", tool_choice: "required" });
    const matcher = new Matcher(called);
    assert.ok(matcher.acceptText('<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>'));
    assert.ok((await formats()).some(({ name }) => name === "qwen_3"));
});

test("an error has its place, its reason and a way out", () => {
    const text = 'root ::= "é𝄞" values\n';
    const compiled = () => compile(text, { vocabulary, kind: "ebnf" });
    assert.throws(compiled, (error) => {
        assert.ok(error instanceof GrammarError && error instanceof MaskwrightError);
        assert.deepEqual([error.line, error.column], [1, 15]);
        const { start, end } = error.diagnostics[0].labels[0];
        assert.equal(text.slice(start, end), "values");
        assert.match(error.message, /values/);
        assert.match(error.message, /1:15|1 \|/);
        return true;
    });
});

test("what is no option, no kind or no limit is refused by name", () => {
    const refused = (options, name) => assert.throws(() => compile(SCHEMA, { vocabulary, ...options }), new RegExp(name));
    refused({ whitespaces: "compact" }, "whitespaces");
    refused({ whitespace: "none at all" }, "whitespace");
    refused({ kind: "yaml" }, "kind");
    refused({ limits: { stars: 1 } }, "stars");
    refused({ kind: "tools" }, "format");
    assert.throws(() => compile(SCHEMA, {}), /vocabulary/);
});

test("a compile ends with its time", () => {
    const text = { type: "string", pattern: "^(a|b)*a(a|b){18}$" };
    const begun = performance.now();
    assert.throws(() => compile(text, { vocabulary, timeLimit: 0.05 }), { code: "limit-exceeded" });
    assert.ok(performance.now() - begun < 5000);
});

test("tables can be kept", () => {
    const grammar = compile(SCHEMA, { vocabulary });
    const again = Grammar.fromTables(grammar.tables(), vocabulary);
    assert.deepEqual(new Matcher(again).mask(), new Matcher(grammar).mask());
    assert.throws(() => Grammar.fromTables(grammar.tables().subarray(8), vocabulary), MaskwrightError);
});

test("the automaton can be drawn", () => {
    const { states, arrows, svg } = draw("[ab]c", { vocabulary, kind: "regex" });
    assert.ok(states >= 3 && arrows >= 2);
    assert.match(svg, /^<svg /);
});

test("what was freed is no grammar", () => {
    const grammar = compile("a", { vocabulary, kind: "regex" });
    const matcher = new Matcher(grammar);
    grammar.free();
    assert.throws(() => new Matcher(grammar), /no grammar/);
    assert.ok(matcher.acceptText("a"), "a matcher keeps what it needs");
});

test("memory does not grow with what is garbage", () => {
    const size = () => vocabulary.module.exports.memory.buffer.byteLength;
    const once = () => {
        const grammar = compile(SCHEMA, { vocabulary });
        new Matcher(grammar).free();
        grammar.free();
    };
    once();
    const before = size();
    for (let at = 0; at < 20; at++) once();
    assert.ok(size() - before <= 1 << 20, `${size() - before} bytes more`);
});
