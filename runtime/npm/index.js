// Maskwright for JavaScript: compiles schemas, tools and grammars, and says which tokens may come next.
//
// The types and what each function does stand in index.d.ts.

export { GrammarError, MaskwrightError } from "./errors.js";
export { formats, init } from "./module.js";
export { Vocabulary } from "./vocabulary.js";
export { Grammar, compile, draw } from "./grammar.js";
export { Matcher } from "./matcher.js";
