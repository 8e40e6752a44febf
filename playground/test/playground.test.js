// The page in headless chromium, as a person uses it. PAGE is its folder, PICTURES the one for
// pictures of what is seen; without PICTURES none are taken.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser } from "./browser.js";
import { serve } from "./server.js";

const { PAGE, PICTURES } = process.env;
let server, browser, page;

const picture = (of, name) => PICTURES && of.picture(join(PICTURES, `${name}.png`));
const taken = () => page.value('[...document.querySelectorAll("#taken .token")].map((token) => token.firstChild.data).join("")');
const tokens = () => page.value('[...document.querySelectorAll("#tokens .token")].map((token) => token.textContent)');
const clickToken = async (label) => {
    const id = await page.value(`[...document.querySelectorAll("#tokens .token")].find((token) => token.textContent === ${JSON.stringify(label)})?.dataset.id`);
    await page.click(`#tokens .token[data-id="${id}"]`);
};
// Waits until the tokens taken are this text.
const wrote = (text) => page.until(`[...document.querySelectorAll("#taken .token")].map((token) => token.firstChild.data).join("") === ${JSON.stringify(text)}`);

before(async () => {
    if (PICTURES) await mkdir(PICTURES, { recursive: true });
    server = await serve(PAGE);
    browser = await Browser.start();
    page = await browser.open(server.address);
});

after(async () => {
    await browser?.close();
    server?.close();
});

test("the page compiles its first example", async () => {
    await page.says("/^Compiled in/", 120);
    assert.match(await page.text("#standing"), /of 100,277 tokens? may come next\. The text may not end here\./);
    assert.ok((await tokens()).includes("{"));
    await picture(page, "first");
});

test("a mistake is shown at its place, and mended", async () => {
    await page.type("#text", '{\n  "type": "object",\n  "properties": {"age": {"type": "intger"}}\n}');
    await page.until('document.querySelector(".diagnostic.error")');
    assert.match(await page.text(".diagnostic"), /intger/);
    assert.match(await page.value('document.querySelector("#backdrop mark").textContent'), /intger/);
    assert.match(await page.text("#standing"), /No masks/);
    assert.deepEqual(await tokens(), []);
    await picture(page, "mistake");
    // A click on the message selects the place.
    await page.click(".diagnostic");
    assert.match(await page.value("getSelection().toString()"), /intger/);
    await page.send("Input.insertText", { text: '"type": "integer"' });
    await page.says("/^Compiled in/");
    assert.equal(await page.value('document.querySelectorAll("#backdrop mark.error").length'), 0);
});

test("tokens are taken one by one, and taken back", async () => {
    await page.choose("#kind", "ebnf");
    await page.says("/^Compiled in/");
    await clickToken("[");
    await wrote("[");
    await page.type("#typed", "12,[7");
    await page.key("Enter");
    await wrote("[12,[7");
    assert.ok((await tokens()).every((token) => /^[\d,\][]+$/.test(token)));
    await page.type("#typed", "]x]");
    await page.key("Enter");
    await page.until('!document.querySelector("#refusal").hidden');
    assert.match(await page.text("#refusal"), /x\].*`,`, `\]`/);
    assert.equal(await page.value('document.querySelector("#typed").value'), "x]");
    await wrote("[12,[7]");
    await picture(page, "tokens");
    await page.click("#undo");
    await wrote("[12,[7");
    await page.type("#filter", "]]");
    await page.until('[...document.querySelectorAll("#tokens .token")].every((token) => token.textContent.startsWith("]]"))');
    await clickToken("]]");
    await wrote("[12,[7]]");
    assert.match(await page.text("#standing"), /may end here/);
    await page.click("#taken .token:first-child");
    await wrote("");
});

test("what is forced is taken at once, and a text is written to its end", async () => {
    await page.choose("#kind", "schema");
    await page.says("/^Compiled in/");
    await page.type("#typed", '{"na');
    await page.key("Enter");
    await wrote('{"na');
    assert.match(await page.text("#standing"), /Forced: me"/);
    await page.click("#again");
    await page.type("#options", "whitespace=compact");
    await page.says("/^Compiled in/");
    await page.click("#finish");
    await page.until('/The text has ended/.test(document.querySelector("#standing").innerText)');
    const { name, age } = JSON.parse((await taken()).replaceAll("␣", " ").replace(/<\|endoftext\|>$/, ""));
    assert.equal(typeof name, "string");
    assert.ok(age >= 0 && age <= 150);
    await picture(page, "finished");
});

test("each kind and each example compiles, but for the mistakes", async () => {
    for (const kind of await page.value('[...document.querySelector("#kind").options].map((kind) => kind.value)')) {
        await page.choose("#kind", kind);
        const examples = await page.value('[...document.querySelector("#example").options].map((example) => [example.value, example.text])');
        for (const [value, title] of examples.filter(([value]) => value !== "own")) {
            await page.choose("#example", value);
            await page.until('document.querySelector("#stop").hidden');
            const status = await page.text("#status-text");
            if (title === "A mistake") assert.doesNotMatch(status, /^Compiled/);
            else assert.match(status, /^Compiled in/, `${kind}: ${title}: ${await page.text("#diagnostics")}`);
        }
    }
    await page.choose("#kind", "tools");
    await page.choose("#format", "llama");
    await page.type("#options", "tool_choice=required");
    await page.says("/^Compiled in/");
    await picture(page, "tools");
});

test("the automaton is drawn, sizes and times are shown", async () => {
    await page.choose("#kind", "ebnf");
    await page.says("/^Compiled in/");
    await page.click("#tab-automaton");
    await page.until('document.querySelectorAll("#picture .node").length > 3');
    assert.match(await page.text("#automaton-about"), /^\d+ states, \d+ edges/);
    await picture(page, "automaton");
    await page.click("#tab-report");
    assert.match(await page.text("#report"), /states[\s\S]*sets[\s\S]*together[\s\S]*ms/);
    await picture(page, "report");
    await page.click("#tab-masks");
});

test("a link holds the input and the tokens", async () => {
    await page.type("#text", 'root ::= "ä" [0-9]+ "𝄞"');
    await page.says("/^Compiled in/");
    await page.until('document.querySelector("#taken").children.length === 0');
    await page.type("#typed", "ä42");
    await page.key("Enter");
    await wrote("ä42");
    await page.click("#link");
    await page.until("location.hash.length > 10");
    const other = await browser.open(await page.value("location.href"), { dark: true });
    await other.says("/^Compiled in/", 120);
    assert.equal(await other.value('document.querySelector("#text").value'), 'root ::= "ä" [0-9]+ "𝄞"');
    assert.equal(await other.value('document.querySelector("#kind").value'), "ebnf");
    await other.until('document.querySelector("#taken").children.length > 0');
    assert.equal(await other.value('[...document.querySelectorAll("#taken .token")].map((token) => token.firstChild.data).join("")'), "ä42");
    await picture(other, "link");
    assert.deepEqual(other.problems, []);
});

test("a long compile can be stopped", async () => {
    const long = Array.from({ length: 9 }, (_, at) => [`key${at}`, { type: "string", pattern: `^[a-z]{${at + 3},400}$` }]);
    await page.choose("#kind", "schema");
    await page.type("#options", "key_order=any");
    await page.type("#text", JSON.stringify({ type: "object", properties: Object.fromEntries(long) }));
    await page.until('!document.querySelector("#stop").hidden && document.querySelector("#text").value.includes("key8")');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await picture(page, "compiling");
    await page.click("#stop");
    await page.says("/^Stopped/");
    await page.choose("#kind", "regex");
    await page.type("#text", "a+");
    await page.says("/^Compiled in/", 120);
});

test("another vocabulary, and one from a file", async () => {
    await page.choose("#vocabulary", "o200k_base");
    await page.until('/of 200,019/.test(document.querySelector("#standing").innerText)', 120);
    const file = join(PICTURES ?? PAGE, "tokenizer.json");
    const model = { type: "BPE", vocab: { a: 0, b: 1, aa: 2 }, merges: [] };
    const added = [{ id: 3, content: "</s>", special: true }];
    await writeFile(file, JSON.stringify({ version: "1.0", added_tokens: added, decoder: { type: "ByteLevel" }, pre_tokenizer: { type: "ByteLevel" }, model }));
    await page.choose("#vocabulary", "file");
    await page.file("#file", file);
    await page.until('/of 4 tokens/.test(document.querySelector("#standing").innerText)');
    assert.deepEqual(await tokens(), ["a", "aa"]);
    await writeFile(file, "{}");
    await page.file("#file", file);
    await page.says("/no vocabulary/i");
    await page.type("#text", "b+");
    await page.says("/no vocabulary/i");
    await picture(page, "no-vocabulary");
});

test("on a small screen", async () => {
    const small = await browser.open(server.address, { width: 420, height: 900 });
    await small.says("/^Compiled in/", 120);
    assert.ok(await small.value("document.documentElement.scrollWidth <= innerWidth"));
    await picture(small, "small");
    assert.deepEqual(small.problems, []);
});

test("nothing but the page's own folder was asked for, and nothing went wrong", () => {
    assert.deepEqual(page.problems, []);
    const outside = page.requests.filter((address) => !address.startsWith(server.address) && !address.startsWith("data:"));
    assert.deepEqual(outside, []);
    assert.ok(server.asked.some((path) => path.endsWith(".wasm")));
});
