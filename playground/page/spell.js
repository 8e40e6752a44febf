// A text in tokens: always the longest that fits. Tokenizers choose others; masks are the same.

let known = { vocabulary: null };

const key = (bytes) => String.fromCharCode(...bytes);

function ids(vocabulary) {
    if (known.vocabulary !== vocabulary) {
        const byText = new Map();
        let longest = 0;
        for (let id = vocabulary.size - 1; id >= 0; id--) {
            const bytes = vocabulary.bytes(id);
            if (bytes.length > 0) byText.set(key(bytes), id);
            longest = Math.max(longest, bytes.length);
        }
        known = { vocabulary, byText, longest };
    }
    return known;
}

export function spell(vocabulary, bytes) {
    const { byText, longest } = ids(vocabulary);
    const out = [];
    for (let at = 0; at < bytes.length; ) {
        let length = Math.min(longest, bytes.length - at);
        while (length > 0 && !byText.has(key(bytes.subarray(at, at + length)))) length--;
        if (length === 0) break;
        out.push(byText.get(key(bytes.subarray(at, at + length))));
        at += length;
    }
    return out;
}
