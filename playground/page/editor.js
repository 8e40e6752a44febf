// The text of the grammar, with marked places behind it.

const find = (id) => document.getElementById(id);

// Marks the places of diagnostics: `[start, end, severity]`, in units of the text.
export function mark(places) {
    const { value } = find("text");
    const parts = [];
    let end = 0;
    for (const [start, stop, severity] of [...places].sort((a, b) => a[0] - b[0])) {
        if (start < end || start > value.length) continue;
        // A place of no length is shown by what stands there.
        const last = Math.min(Math.max(stop, start + 1), value.length);
        const element = document.createElement("mark");
        element.className = severity;
        element.textContent = start < last ? value.slice(start, last) : " ";
        parts.push(value.slice(end, start), element);
        end = last;
    }
    parts.push(value.slice(end), "\n");
    find("backdrop").replaceChildren(...parts);
    follow();
}

export function follow() {
    find("backdrop").scrollTop = find("text").scrollTop;
}

// Selects a place, and shows it.
export function show(start, end) {
    const text = find("text");
    text.focus();
    text.setSelectionRange(start, Math.max(end, start));
    const marks = [...find("backdrop").querySelectorAll("mark")];
    marks[0]?.scrollIntoView({ block: "nearest" });
    text.scrollTop = find("backdrop").scrollTop;
}

// An element with a text.
function part(name, text) {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
}

// The excerpt of a drawn diagnostic: without the message before it and the help behind it.
function excerpt(drawn) {
    const lines = (drawn ?? "").split("\n").slice(1);
    const help = lines.findIndex((line) => /^\s*= help:/.test(line));
    return (help < 0 ? lines : lines.slice(0, help)).join("\n").replace(/[\s|]+$/, "");
}

// A box for each error or warning.
export function diagnostics(all) {
    const boxes = all.map(({ severity, code, message, help, drawn, labels }) => {
        const box = document.createElement("div");
        box.className = `diagnostic ${severity}`;
        box.append(part("b", `${severity}${code ? ` [${code}]` : ""}: ${message}`));
        const text = excerpt(drawn);
        if (text) box.append(part("pre", text));
        if (help) box.append(part("p", `Help: ${help}`));
        const place = labels?.[0];
        if (typeof place?.start === "number") box.onclick = () => show(place.start, place.end);
        return box;
    });
    find("diagnostics").replaceChildren(...boxes);
    const placed = all.flatMap(({ severity, labels }) => (labels ?? []).slice(0, 1).map((label) => [label.start, label.end, severity]));
    mark(placed.filter(([start]) => typeof start === "number"));
}
