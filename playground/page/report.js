// Sizes and times of a compile.

import { size } from "./tokens.js";

const bytes = (number) => (number < 10_000 ? `${size(number)} B` : `${size(Math.round(number / 1024))} KiB`);
const time = (milliseconds) => `${milliseconds < 10 ? milliseconds.toFixed(1) : size(Math.round(milliseconds))} ms`;

function table(caption, rows) {
    const element = document.createElement("table");
    element.createCaption().textContent = caption;
    for (const cells of rows) {
        const row = element.insertRow();
        for (const cell of cells) row.insertCell().textContent = cell;
    }
    return element;
}

export function tables(report) {
    const stacks = report.stacksProved ? size(report.maxStacks) : "a graph";
    const counts = [
        ["states", size(report.states)],
        ["frames", size(report.frames)],
        ["edges that look at the stack", size(report.conditionalEdges)],
        ["stacks side by side", stacks],
        ["mask nodes", size(report.maskNodes)],
    ];
    const depth = table("Depth of a matcher", [[report.depths]]);
    const sections = report.sections.map(([name, length]) => [name, bytes(length)]);
    const stages = report.stages.map(([name, milliseconds]) => [name, time(milliseconds)]);
    const rules = report.rules.slice(0, 30).map(([name, states]) => [name, `${size(states)} states`]);
    return [
        table("Automaton", counts),
        depth,
        table("Tables", [...sections, ["together", bytes(report.tableBytes)]]),
        table("Time of each stage", [...stages, ["together", time(report.milliseconds)]]),
        table("Rules that are called", rules),
    ];
}

// The same in a line.
export function line(report) {
    return `Compiled in ${time(report.milliseconds)}: ${size(report.states)} states, ${bytes(report.tableBytes)} of tables.`;
}
