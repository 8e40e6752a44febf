// The first program of the README, as it stands there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

test("the README's program prints what it says", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const [, program] = /```js\n([\s\S]*?)```/.exec(readme);
    const [, said] = /console\.log\(.*\); \/\/ (.*)/.exec(program);
    const folder = new URL("..", import.meta.url);
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: folder, encoding: "utf8" });
    assert.equal(printed.trim(), said);
});
