'use strict';
// Bytes, tokens and sets of symbols as text, and elements.

const strict = new TextDecoder('utf-8', { fatal: true });
const NAMED = { 0x20: 'space', 0x0a: '\\n', 0x0d: '\\r', 0x09: '\\t' };

function hex(byte) { return byte.toString(16).toUpperCase().padStart(2, '0'); }

function showByte(byte) {
  return NAMED[byte] || (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : hex(byte));
}

// A token: text where it is text, else bytes; blanks made visible.
function showToken(bytes) {
  let text;
  try { text = strict.decode(bytes); } catch { return Array.from(bytes, b => b > 0x20 && b < 0x7f ? String.fromCharCode(b) : '\\x' + hex(b)).join(''); }
  return text.replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t').replace(/ /g, '␣')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/g, c => '\\u{' + c.codePointAt(0).toString(16) + '}');
}

// The same with long runs of one character counted.
function shortened(text) {
  const parts = [];
  let from = 0;
  for (const run of text.matchAll(/(\\[nrt]|[^])\1{7,}/gu)) {
    parts.push(text.slice(from, run.index) + run[1], make('small', {}, '×' + run[0].length / run[1].length));
    from = run.index + run[0].length;
  }
  return parts.concat(text.slice(from));
}

// Text of at most so many columns, and an ellipsis if there is more; wide characters take two.
function shortenedTo(text, most) {
  let columns = 0, end = 0;
  for (const character of text) {
    columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u.test(character) ? 2 : 1;
    if (columns > most) return text.slice(0, end).trimEnd() + '…';
    end += character.length;
  }
  return text;
}

// Classes as ranges of bytes.
function showClasses(tables, classes) {
  const within = b => classes.has(tables.classOf(b)), parts = [];
  for (let byte = 0; byte < 256; byte++) {
    if (!within(byte)) continue;
    const first = byte;
    while (byte < 255 && within(byte + 1)) byte++;
    parts.push(first === byte ? showByte(first) : showByte(first) + '-' + showByte(byte));
  }
  if (classes.has(tables.endClass)) parts.push('end');
  return parts.join(' ');
}

// An element with properties and children; strings become text.
function make(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key in element) element[key] = value; else element.setAttribute(key, value);
  }
  element.append(...children.flat());
  return element;
}

function plural(count, noun) { return count.toLocaleString('en') + ' ' + noun + (count === 1 ? '' : 's'); }
