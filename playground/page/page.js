// The page: what is typed is compiled, and the masks are shown.

import { Compiler, Stopped } from "./compiler.js";
import { diagnostics, follow, mark } from "./editor.js";
import { KINDS, kindOf } from "./examples.js";
import * as link from "./link.js";
import { Masks } from "./masks.js";
import * as report from "./report.js";
import { size } from "./tokens.js";

const find = (id) => document.getElementById(id);
// Milliseconds without a key before what is typed is compiled; and after which a compile that runs
// is ended for a newer text.
const PAUSE = 350;
const PATIENCE = 3000;
const DEPTH = 64;
// Seconds that the picture of an automaton may take: what is typed waits for it.
const DRAWING = 10;
// The format of tool calls at first.
const FORMAT = "qwen_3";

const compiler = new Compiler();
const masks = new Masks((what, args) => compiler.ask(what, args));
// The bytes and the name of the vocabulary's file; whether there is a vocabulary, or one is being
// loaded; the timer of what is typed; since when a compile runs; which compile is the newest, and
// which one was drawn.
const state = { content: null, file: "", hasVocabulary: false, timer: 0, since: 0, turn: 0, drawn: -1, report: null };

function status(text, kind = "") {
    find("status-text").textContent = text;
    find("status").className = `bar ${kind}`;
}

function options(choices, chosen) {
    return choices.map(([value, title]) => new Option(title, value, false, value === chosen));
}

// What is asked for. Options are written as `name=value`, with spaces between them.
function request() {
    const { name } = kindOf(find("kind").value);
    const set = { kind: name };
    if (name === "tools") set.format = find("format").value;
    for (const pair of find("options").value.split(/\s+/).filter(Boolean)) {
        const [option, ...value] = pair.split("=");
        set[option] = value.join("=").split(",");
    }
    return { text: find("text").value, options: set };
}

function choose(name, example = 0) {
    const kind = kindOf(name);
    find("kind").value = kind.name;
    find("format-label").hidden = kind.name !== "tools";
    find("options").placeholder = kind.options || "none";
    const choices = kind.examples.map(([title], at) => [String(at), title]);
    find("example").replaceChildren(...options(choices, String(example)), new Option("your own", "own"));
    if (example === null) {
        find("example").value = "own";
    } else {
        find("text").value = kind.examples[example][1];
        find("options").value = "";
    }
    mark([]);
}

// Compiles, unless a newer text is waiting by then.
async function compile(tokens) {
    clearTimeout(state.timer);
    if (!state.hasVocabulary) return status("There is no vocabulary.", "bad");
    if (state.since > 0 && performance.now() - state.since > PATIENCE) await restart();
    const turn = ++state.turn;
    state.since = performance.now();
    find("stop").hidden = false;
    status("Compiling …");
    masks.wait();
    try {
        const result = await compiler.ask("compile", { ...request(), depth: DEPTH, tokens });
        if (turn !== state.turn) return;
        state.report = result.report;
        status(report.line(result.report), "good");
        diagnostics(result.warnings.map((warning) => ({ ...warning, severity: "warning" })));
        find("report").replaceChildren(...report.tables(result.report));
        masks.show(result.standing);
        draw();
    } catch (error) {
        if (turn === state.turn) refused(error);
    } finally {
        if (turn === state.turn) {
            state.since = 0;
            find("stop").hidden = true;
        }
    }
}

function refused(error) {
    if (error instanceof Stopped) {
        status("Stopped. Change something to compile again.", "bad");
        masks.clear("Nothing is compiled.");
        return;
    }
    const all = error.diagnostics ?? [{ severity: "error", message: error.message }];
    const errors = all.filter(({ severity }) => severity === "error").length;
    status(`Not compiled: ${errors === 1 ? "an error" : `${errors} errors`}.`, "bad");
    diagnostics(all);
    find("report").replaceChildren();
    masks.clear("No masks: the grammar has an error.");
}

// The picture, when it is looked at.
async function draw() {
    if (find("automaton").hidden || state.drawn === state.turn || !state.report) return;
    const turn = (state.drawn = state.turn);
    find("automaton-about").textContent = "Drawing …";
    try {
        const { text, options: set } = request();
        const { states, arrows, svg } = await compiler.ask("draw", { text, options: { ...set, timeLimit: DRAWING } });
        if (turn !== state.turn) return;
        find("automaton-about").textContent = `${size(states)} states, ${size(arrows)} edges. The text begins at the blue state.`;
        const none = Object.assign(document.createElement("p"), { textContent: "The automaton is too large to be looked at." });
        const parsed = svg && new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
        find("picture").replaceChildren(parsed || none);
        zoom();
    } catch (error) {
        if (!(error instanceof Stopped)) find("automaton-about").textContent = error.message;
    }
}

function zoom() {
    const picture = find("picture").querySelector("svg");
    if (!picture) return;
    const { width, height } = picture.viewBox.baseVal;
    const factor = find("zoom").value / 100;
    picture.setAttribute("width", width * factor);
    picture.setAttribute("height", height * factor);
}

async function vocabulary() {
    const name = find("vocabulary").value;
    find("file").hidden = name !== "file";
    state.hasVocabulary = name !== "file" || state.content !== null;
    if (!state.hasVocabulary) {
        find("vocabulary-about").textContent = "tokenizer.json, GGUF, SentencePiece, tekken.json, .tiktoken";
        masks.clear("Choose a tokenizer's file.");
        return false;
    }
    find("vocabulary-about").textContent = "Loading …";
    try {
        const given = name === "file" ? { content: state.content } : { name };
        const { size: count, warnings } = await compiler.ask("vocabulary", given);
        const about = `${name === "file" ? `${state.file}: ` : ""}${size(count)} ids`;
        find("vocabulary-about").textContent = [about, ...warnings].join("; ");
        return true;
    } catch (error) {
        if (error instanceof Stopped) return false;
        state.hasVocabulary = false;
        find("vocabulary-about").textContent = error.message;
        status("There is no vocabulary.", "bad");
        masks.clear("There is no vocabulary.");
        return false;
    }
}

async function restart() {
    compiler.restart();
    state.since = 0;
    return vocabulary();
}

function later() {
    clearTimeout(state.timer);
    status("Compiling …");
    state.timer = setTimeout(compile, PAUSE);
}

async function share() {
    const saved = { ...request(), kind: find("kind").value, format: find("format").value, options: find("options").value };
    saved.vocabulary = find("vocabulary").value;
    saved.tokens = masks.tokens.map((token) => token.id);
    history.replaceState(null, "", `#${await link.write(saved)}`);
    const button = find("link");
    try {
        await navigator.clipboard.writeText(location.href);
        button.textContent = "Copied";
    } catch {
        button.textContent = "It is in the address bar";
    }
    setTimeout(() => (button.textContent = "Copy link"), 2000);
}

function tab(name) {
    for (const other of ["masks", "automaton", "report"]) {
        find(other).hidden = other !== name;
        find(`tab-${other}`).setAttribute("aria-selected", String(other === name));
    }
    draw();
}

function listen() {
    find("kind").onchange = () => {
        choose(find("kind").value);
        compile();
    };
    find("example").onchange = () => {
        if (find("example").value === "own") return;
        choose(find("kind").value, Number(find("example").value));
        compile();
    };
    find("format").onchange = () => compile();
    find("text").oninput = () => {
        find("example").value = "own";
        mark([]);
        later();
    };
    find("text").onscroll = follow;
    find("options").oninput = later;
    find("vocabulary").onchange = async () => (await vocabulary()) && compile();
    find("file").onchange = async () => {
        const [file] = find("file").files;
        if (!file) return;
        state.content = new Uint8Array(await file.arrayBuffer());
        state.file = file.name;
        // The same file can be chosen again, when it has changed.
        find("file").value = "";
        if (await vocabulary()) compile();
    };
    find("stop").onclick = restart;
    find("link").onclick = share;
    find("zoom").oninput = zoom;
    for (const name of ["masks", "automaton", "report"]) find(`tab-${name}`).onclick = () => tab(name);
    addEventListener("hashchange", open);
}

// Shows what the address holds, or the first example.
async function open() {
    const saved = location.hash.length > 1 ? await link.read(location.hash.slice(1)) : null;
    choose(saved?.kind ?? "schema", saved ? null : 0);
    if (saved) {
        find("text").value = saved.text ?? "";
        find("options").value = saved.options ?? "";
        find("format").value = saved.format ?? FORMAT;
        find("vocabulary").value = saved.vocabulary ?? "cl100k_base";
    }
    if (await vocabulary()) await compile(saved?.tokens);
}

// The list of formats, before the module is there: the one that is chosen.
async function formats() {
    const saved = location.hash.length > 1 ? await link.read(location.hash.slice(1)) : null;
    const chosen = saved?.format || FORMAT;
    find("format").replaceChildren(new Option(chosen, chosen));
    compiler.ask("formats").then((all) => {
        const titles = all.map(({ name, about }) => [name, name + (about ? ` (${about})` : "")]);
        find("format").replaceChildren(...options(titles, find("format").value));
    }, refused);
}

async function start() {
    find("kind").replaceChildren(...options(KINDS.map((kind) => [kind.name, kind.title])));
    masks.clear("Loading …");
    listen();
    await formats();
    await open();
}

start();
