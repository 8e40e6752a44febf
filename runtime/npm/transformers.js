// A processor of logits for transformers.js: `generate({ …, logits_processor: [processor] })`.

import { MaskwrightError } from "./errors.js";
import { Matcher } from "./matcher.js";

// The processor of one call of `generate`. It is a function, as the processors of transformers.js
// are: given the ids of all texts so far and their logits, it leaves those that may come next.
// The ids of the first call are the prompt. Rows go on by themselves, so beams are refused.
export function logitsProcessor(grammar, options) {
    const rows = [];
    return (inputIds, logits) => {
        const width = logits.data.length / inputIds.length;
        inputIds.forEach((ids, at) => {
            rows[at] ??= { matcher: new Matcher(grammar, options), length: ids.length };
            follow(rows[at], ids);
            // A text that has ended is filled up by the engine.
            if (!rows[at].matcher.isFinished) rows[at].matcher.maskLogits(logits.data.subarray(at * width, (at + 1) * width));
        });
        return logits;
    };
}

// Takes the tokens that are new.
function follow(row, ids) {
    if (ids.length < row.length) throw new MaskwrightError("a processor is for one call of `generate`: make a new one");
    for (const id of ids.slice(row.length)) {
        if (!row.matcher.isFinished && !row.matcher.accept(Number(id))) {
            throw new MaskwrightError(`token ${id} was not allowed: another processor comes after this one, or there are beams`);
        }
    }
    row.length = ids.length;
}
