// The processor for transformers.js, in a loop that calls it as `generate` does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compile, Vocabulary } from "maskwright";
import { logitsProcessor } from "maskwright/transformers";

const vocabulary = await Vocabulary.named("cl100k_base");
const [END] = vocabulary.eos;
// Where it is installed, its own list of processors and its tensors are used as well.
const real = await import("@huggingface/transformers").catch(() => null);

// A model that likes ids by arithmetic. `generate` of transformers.js hands each processor the ids
// of all rows, as BigInt, and a tensor of logits with a row for each; it ends a row at the end token
// and fills it up with that token.
function generate(prompts, logits_processor, { most = 60, tensor = (data, dims) => ({ dims, data }) } = {}) {
    const texts = prompts.map((prompt) => prompt.map(BigInt));
    const done = prompts.map(() => false);
    for (let step = 0; step < most && done.includes(false); step++) {
        const data = new Float32Array(texts.length * vocabulary.size);
        texts.forEach((_, row) => {
            for (let id = 0; id < vocabulary.size; id++) data[row * vocabulary.size + id] = (id * (row + 7) + step) % 997;
        });
        let logits = tensor(data, [texts.length, vocabulary.size]);
        for (const processor of logits_processor) logits = processor(texts, logits);
        texts.forEach((ids, row) => {
            const scores = logits.data.subarray(row * vocabulary.size, (row + 1) * vocabulary.size);
            const best = scores.reduce((best, score, id) => (score > scores[best] ? id : best), 0);
            ids.push(BigInt(done[row] ? END : best));
            done[row] ||= best === END;
        });
    }
    return texts.map((ids, row) => vocabulary.decode(ids.slice(prompts[row].length).map(Number)));
}

const grammar = compile(
    { type: "object", properties: { city: { enum: ["Oslo", "Rome"] }, days: { type: "integer", minimum: 1, maximum: 7 } }, required: ["city", "days"], additionalProperties: false },
    { vocabulary, whitespace: "spaced" },
);

test("a model that knows nothing writes what the schema allows", () => {
    const texts = generate([[1, 2, 3], [4, 5, 6]], [logitsProcessor(grammar)]);
    for (const text of texts) assert.ok(["Oslo", "Rome"].includes(JSON.parse(text).city), text);
});

test("the same through the classes of transformers.js", { skip: real === null && "@huggingface/transformers is not installed" }, () => {
    const list = new real.LogitsProcessorList();
    list.extend([logitsProcessor(grammar)]);
    const tensor = (data, dims) => new real.Tensor("float32", data, dims);
    for (const text of generate([[1, 2, 3], [4, 5, 6]], [list], { tensor })) assert.ok(JSON.parse(text).days >= 1, text);
});

test("a processor is for one text", () => {
    const processor = logitsProcessor(grammar);
    generate([[1, 2, 3]], [processor]);
    assert.throws(() => generate([[1]], [processor]), /new one/);
});

test("a token that another processor has chosen is an error", () => {
    const processor = logitsProcessor(grammar);
    const logits = () => ({ data: new Float32Array(vocabulary.size) });
    processor([[1n]], logits());
    assert.throws(() => processor([[1n, 15339n]], logits()), /15339/);
});
