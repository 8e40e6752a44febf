/** What is refused: a vocabulary, an option, a token's id. */
export class MaskwrightError extends Error {}

/** A marked place of the text. */
export interface Label {
    /** What is said of the place; may be empty. */
    text: string;
    /** In characters, from 1. */
    line?: number;
    column?: number;
    /** Where it begins and ends in the string that was given; null in a text embedded in that. */
    start?: number | null;
    end?: number | null;
}

export interface Diagnostic {
    severity: "error" | "warning";
    /** See docs/diagnostics.md. */
    code: string;
    message: string;
    /** The way out. */
    help: string | null;
    /** The place at fault first. */
    labels: Label[];
    /** With an excerpt, for people. */
    drawn: string;
}

/** A text that cannot be compiled. `message` draws all errors with their places. */
export class GrammarError extends MaskwrightError {
    /** The message of the first error, without an excerpt. */
    reason: string;
    code: string;
    line: number | null;
    column: number | null;
    diagnostics: Diagnostic[];
}

/**
 * Makes the module ready. Every vocabulary does so by itself; call it before to say where the
 * module is: its bytes, a compiled module, a URL, or an answer of `fetch`.
 */
export function init(source?: BufferSource | WebAssembly.Module | string | URL | Response | Promise<Response>): Promise<unknown>;

/** The formats of tool calls, and the models that write so. */
export function formats(): Promise<{ name: string; about: string }[]>;

export interface VocabularyOptions {
    /** The ids that end a text, in place of those of the file. */
    eos?: number | number[];
    /** The number of a model's logits, if it has more than the tokenizer has ids. */
    size?: number;
    /** The names of special tokens, which are no text. */
    special?: [number, string][];
}

/** The bytes of each token, and the tokens that end a text. Keep it: it is prepared once. */
export class Vocabulary {
    private constructor();
    /** A vocabulary that comes with this package: `cl100k_base` or `o200k_base`. */
    static named(name: string, options?: VocabularyOptions): Promise<Vocabulary>;
    /** The content of a `tokenizer.json`, GGUF, SentencePiece model, `tekken.json` or `.tiktoken`. */
    static fromFile(content: Uint8Array | string, options?: VocabularyOptions): Promise<Vocabulary>;
    /** What `maskwright … --vocab-output` writes; `eos` is not in it. */
    static fromTables(tables: Uint8Array, options?: VocabularyOptions): Promise<Vocabulary>;
    /** A list of tokens; empty ones are no text. */
    static fromTokens(tokens: (Uint8Array | string)[], options?: VocabularyOptions): Promise<Vocabulary>;
    /** Number of ids. */
    readonly size: number;
    readonly eos: number[];
    /** Names of tokens that are no text. */
    readonly specialTokens: Map<number, string>;
    /** A hash of all that masks depend on. */
    readonly hash: string;
    /** What is probably not meant, drawn. */
    readonly warnings: string[];
    /** The bytes of a token; none for those that are no text. */
    bytes(id: number): Uint8Array;
    tokenName(id: number): string | undefined;
    /** The text of tokens, without the end. */
    decode(ids: Iterable<number>): string;
    /** Frees its memory before it is garbage. */
    free(): void;
}

export type Kind = "schema" | "tools" | "regex" | "ebnf" | "lark" | "structural_tag";

export interface CompileOptions {
    vocabulary: Vocabulary;
    /** What the text is; a JSON Schema if it is left out. */
    kind?: Kind;
    /** Seconds for one compile; 60 if it is left out. */
    timeLimit?: number;
    /** Refuse grammars that need more than one stack. */
    deterministic?: boolean;
    /** Bounds by name, such as `states`. */
    limits?: Record<string, number>;
    /** The format of tool calls, by name. */
    format?: string;
    /** The options of the kind, as docs/json-schema.md, docs/tool-calls.md and docs/lark.md name them. */
    [option: string]: unknown;
}

export interface Report {
    states: number;
    frames: number;
    conditionalEdges: number;
    maxStacks: number;
    stacksProved: boolean;
    leastDepth: number;
    height: { atMost?: number; growsBy?: number };
    depths: string;
    tableBytes: number;
    automatonBytes: number;
    maskBytes: number;
    maskNodes: number;
    /** Name and bytes of each section. */
    sections: [string, number][];
    /** Name and states of each rule that is called. */
    rules: [string, number][];
    /** Name and milliseconds of each stage. */
    stages: [string, number][];
    milliseconds: number;
}

/** A compiled grammar for one vocabulary. */
export class Grammar {
    private constructor();
    /** What `tables` returned, or the command line wrote, for the same vocabulary. */
    static fromTables(tables: Uint8Array, vocabulary: Vocabulary): Grammar;
    readonly vocabulary: Vocabulary;
    readonly warnings: Omit<Diagnostic, "severity" | "labels">[];
    /** Null for a grammar of tables. */
    readonly report: Report | null;
    tables(): Uint8Array;
    free(): void;
}

/**
 * Compiles a text, or an object that is written as JSON. It takes the thread until it has ended:
 * in a page, call it in a worker, which can be terminated.
 */
export function compile(text: string | object | boolean, options: CompileOptions): Grammar;

/** The automaton of a text as a picture; `svg` is null if it is too large to look at. */
export function draw(text: string | object | boolean, options: CompileOptions): { states: number; arrows: number; svg: string | null };

export interface MatcherOptions {
    /** Frames that a stack may have: how deep the text may nest. 64 if it is left out. */
    depth?: number;
    /** Tokens that `rollback` can take back. 256 if it is left out. */
    history?: number;
}

/** Where one text stands in a grammar. */
export class Matcher {
    constructor(grammar: Grammar, options?: MatcherOptions);
    readonly grammar: Grammar;
    /** The mask: bit `id % 32` of word `id / 32` is token `id`. */
    mask(): Uint32Array;
    /** The ids of the tokens that may come next, ascending. */
    allowedTokens(): number[];
    /** Sets the logits of all other tokens to minus infinity, in place; the same array. */
    maskLogits<T extends Float32Array | Float64Array | number[]>(logits: T): T;
    /** Takes a token. False if it may not come next; the matcher is then as it was. */
    accept(token: number): boolean;
    /** Takes a text, which `rollback` counts as one token. */
    acceptText(text: string | Uint8Array): boolean;
    /** How many bytes of a text could be taken. */
    acceptedPrefix(text: string | Uint8Array): number;
    /** Why a token or a text would be refused; null if it would be taken. */
    explain(what: number | string | Uint8Array): string | null;
    /** The tokens that come next while the mask holds exactly one. */
    forced(limit?: number): number[];
    /** The bytes that must come next. */
    forcedBytes(limit?: number): Uint8Array;
    /** Takes the last tokens back. */
    rollback(tokens?: number): void;
    reset(): void;
    /** A matcher at the same point, with nothing to take back. */
    fork(): Matcher;
    /** Whether the text may end here. */
    readonly isComplete: boolean;
    /** Whether an end token was taken. */
    readonly isFinished: boolean;
    free(): void;
}
