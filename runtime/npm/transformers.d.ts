import type { Grammar, MatcherOptions } from "./index.js";

/** What a processor reads of a tensor of transformers.js. */
export interface Logits {
    data: Float32Array;
}

/**
 * A processor of logits for one call of `generate`:
 * `model.generate({ ...inputs, logits_processor: [logitsProcessor(grammar)] })`.
 * What it is first called with is the prompt. Each row of a batch is a text; beams are refused.
 */
export function logitsProcessor(grammar: Grammar, options?: MatcherOptions): <T extends Logits>(inputIds: bigint[][], logits: T) => T;
