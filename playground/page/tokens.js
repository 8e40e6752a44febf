// How tokens are shown: blanks by signs, parts of characters in hexadecimal, and a colour for what
// a token is made of.

const NAMES = { "\n": "⏎", "\r": "␍", "\t": "⇥", " ": "␣", "\x7f": "␡" };

export const LEGEND = [
    ["letters", "letters"],
    ["digits", "digits"],
    ["signs", "signs"],
    ["blanks", "blanks"],
    ["pieces", "part of a character"],
    ["control", "control, end"],
];

export const size = (number) => number.toLocaleString("en");

// The text of bytes; null if they begin or end inside of a character.
function text(bytes) {
    try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
        return null;
    }
}

export function label({ bytes, name, ends, id }) {
    if (bytes.length === 0) return name ?? (ends ? "end" : `token ${id}`);
    const read = text(bytes);
    if (read === null) return Array.from(bytes, (byte) => `<${byte.toString(16).padStart(2, "0")}>`).join("");
    const visible = read.replace(/[\r\t\x7f]/g, (blank) => NAMES[blank]).replace(/\n/g, "⏎").replace(/ /g, "␣");
    return visible.replace(/[\0-\x1f]/g, (control) => String.fromCodePoint(0x2400 + control.charCodeAt(0)));
}

export function colour({ bytes }) {
    if (bytes.length === 0) return "control";
    const read = text(bytes);
    if (read === null) return "pieces";
    if (/^\s*$/.test(read)) return "blanks";
    if (/^[\s\p{N}]+$/u.test(read)) return "digits";
    return /\p{L}/u.test(read) ? "letters" : "signs";
}

// A button for a token.
export function button(token, title, onclick) {
    const element = document.createElement("button");
    element.type = "button";
    element.className = `token ${colour(token)}`;
    element.textContent = label(token);
    element.title = title;
    element.dataset.id = token.id;
    element.onclick = onclick;
    return element;
}
