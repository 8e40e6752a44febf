// A module that has ended: in a file of its own, since all objects of a program share one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compile, MaskwrightError, Matcher, Vocabulary } from "maskwright";

test("a module that has ended is left alone, and the next vocabulary begins another", async () => {
    const other = await Vocabulary.fromTokens(["a", "(", ")", ""], { eos: 3 });
    // Deeper than the stack of the module.
    const deep = `${"(".repeat(1e6)}a${")".repeat(1e6)}`;
    const compiled = () => compile(deep, { vocabulary: other, kind: "regex", limits: { nesting: 1e9 } });
    assert.throws(compiled, MaskwrightError);
    assert.throws(() => compile("a", { vocabulary: other, kind: "regex" }), /has ended/);
    const again = await Vocabulary.fromTokens(["a", ""], { eos: 1 });
    assert.ok(new Matcher(compile("a", { vocabulary: again, kind: "regex" })).acceptText("a"));
});
