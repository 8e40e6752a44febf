// The module's tables are those of the command line, byte for byte, though it has words of 32 bits
// and one thread. MASKWRIGHT names the command line.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { compile, Vocabulary } from "maskwright";

const { MASKWRIGHT } = process.env;
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TEXTS = [
    ["ebnf", "examples/json-decode/json.ebnf", []],
    ["schema", "examples/cortex-m/tool.json", []],
    ["schema", "examples/llama-cpp/person.json", ["--key-order", "any"], { key_order: "any" }],
    ["tools", "examples/tool-calls/tools.json", ["--tool-format", "qwen_3"], { format: "qwen_3" }],
];

test("tables are those of the command line", { skip: !MASKWRIGHT && "MASKWRIGHT is not set" }, async () => {
    const vocabulary = await Vocabulary.named("cl100k_base");
    const folder = mkdtempSync(join(tmpdir(), "maskwright-"));
    const output = join(folder, "tables.mskg");
    for (const [kind, path, flags, options] of TEXTS) {
        const file = join(ROOT, path);
        execFileSync(MASKWRIGHT, ["compile", `--${kind}`, file, ...flags, "--vocab", "cl100k_base", "-o", output], { stdio: "ignore" });
        const grammar = compile(readFileSync(file, "utf8"), { vocabulary, kind, ...options });
        assert.ok(readFileSync(output).equals(grammar.tables()), path);
    }
    rmSync(folder, { recursive: true });
});
