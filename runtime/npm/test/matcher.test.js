// Masks and tokens, on the nested lists of DESIGN.md, and vocabularies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compile, MaskwrightError, Matcher, Vocabulary } from "maskwright";

const TOKENS = ["[", "]", ",", "0", "12", "[[", "[]", "]]", "]]]", "],", "]],[", "1]", ",[", ""];
const END = 13;
const LISTS = 'root ::= value\nvalue ::= "[" (value ("," value)*)? "]" | [0-9]+';
const vocabulary = await Vocabulary.fromTokens(TOKENS, { eos: END });
const lists = compile(LISTS, { vocabulary, kind: "ebnf" });
const allowed = (matcher) => matcher.allowedTokens().map((id) => TOKENS[id] || "END");

test("masks are those of DESIGN.md", () => {
    const matcher = new Matcher(lists, { depth: 4 });
    const steps = [
        ["[", "[ ] 0 12 [[ [] 1]"],
        ["12", "] , 0 12 1] ,["],
        [",[", "[ ] 0 12 [[ [] ]] ], 1]"],
        ["]]", "END"],
    ];
    assert.deepEqual(allowed(matcher), ["[", "0", "12", "[[", "[]"]);
    for (const [token, after] of steps) {
        assert.ok(matcher.accept(TOKENS.indexOf(token)));
        assert.deepEqual(allowed(matcher).sort(), after.split(" ").sort(), `after ${token}`);
    }
    assert.ok(matcher.isComplete && !matcher.isFinished);
    assert.deepEqual(matcher.forced(), [END]);
    assert.ok(matcher.accept(END) && matcher.isFinished);
});

test("a depth of one leaves out what nests deeper", () => {
    const matcher = new Matcher(lists, { depth: 1 });
    matcher.acceptText("[12");
    assert.ok(!allowed(matcher).includes(",["));
    assert.equal(matcher.accept(TOKENS.indexOf(",[")), false);
    assert.ok(matcher.accept(TOKENS.indexOf(",")));
});

test("logits of other tokens become minus infinity", () => {
    const matcher = new Matcher(lists);
    const logits = new Float32Array(TOKENS.length + 3).fill(1);
    assert.equal(matcher.maskLogits(logits), logits);
    const left = [...logits.keys()].filter((id) => logits[id] > -Infinity);
    assert.deepEqual(left, matcher.allowedTokens());
    const mask = matcher.mask();
    assert.deepEqual(left, TOKENS.map((_, id) => id).filter((id) => (mask[id >>> 5] >>> (id & 31)) & 1));
});

test("tokens are taken back, and forks go their own way", () => {
    const matcher = new Matcher(lists);
    const first = matcher.mask();
    matcher.acceptText("[0");
    const fork = matcher.fork();
    matcher.accept(TOKENS.indexOf("]"));
    matcher.rollback(2);
    assert.deepEqual(matcher.mask(), first);
    assert.ok(fork.acceptText(",0]") && fork.isComplete);
    assert.throws(() => matcher.rollback(1), MaskwrightError);
    fork.reset();
    assert.deepEqual(fork.mask(), first);
});

test("a refusal changes nothing and is explained", () => {
    const matcher = new Matcher(lists);
    matcher.acceptText("[1");
    const before = matcher.mask();
    assert.equal(matcher.accept(END), false);
    assert.equal(matcher.acceptText(",x"), false);
    assert.deepEqual(matcher.mask(), before);
    assert.equal(matcher.acceptedPrefix("2,x]"), 2);
    assert.match(matcher.explain(",x"), /byte 1.*`0` to `9`/);
    assert.equal(typeof matcher.explain(END), "string");
    assert.equal(matcher.explain("]"), null);
    assert.equal(matcher.explain(""), null);
    assert.throws(() => matcher.accept(-1), MaskwrightError);
    assert.throws(() => matcher.accept("1"), MaskwrightError);
});

test("what is forced is told as bytes and as tokens", () => {
    const grammar = compile('root ::= "[" "0" "]"', { vocabulary, kind: "ebnf" });
    const matcher = new Matcher(grammar);
    assert.equal(new TextDecoder().decode(matcher.forcedBytes()), "[0]");
    assert.equal(vocabulary.decode(matcher.forced()), "[0]");
    assert.equal(matcher.forced(1).length, 1);
});

test("vocabularies by name have OpenAI's tokens", async () => {
    const cl100k = await Vocabulary.named("cl100k_base");
    assert.equal(cl100k.size, 100_277);
    assert.deepEqual(cl100k.eos, [100_257]);
    assert.equal(new TextDecoder().decode(cl100k.bytes(1917)), " world");
    assert.equal(cl100k.tokenName(100_258), "<|fim_prefix|>");
    assert.equal(cl100k.decode([15339, 1917, 100_257]), "hello world");
    await assert.rejects(Vocabulary.named("cl100k"), /cl100k_base/);
    await assert.rejects(Vocabulary.named("../names"), MaskwrightError);
});

test("a tokenizer's file is read", async () => {
    const file = JSON.stringify({
        version: "1.0",
        added_tokens: [{ id: 3, content: "</s>", special: true }],
        decoder: { type: "ByteLevel" },
        pre_tokenizer: { type: "ByteLevel", add_prefix_space: false },
        model: { type: "BPE", vocab: { a: 0, b: 1, Ġa: 2 }, merges: [] },
    });
    const read = await Vocabulary.fromFile(file);
    assert.equal(read.size, 4);
    assert.deepEqual(read.eos, [3]);
    assert.equal(new TextDecoder().decode(read.bytes(2)), " a");
    const wider = await Vocabulary.fromFile(file, { size: 64 });
    assert.equal(new Matcher(compile("a a", { vocabulary: wider, kind: "regex" })).mask().length, 2);
    await assert.rejects(Vocabulary.fromFile("nothing"), MaskwrightError);
    await assert.rejects(Vocabulary.fromFile(file, { eos: [99] }), MaskwrightError);
});
