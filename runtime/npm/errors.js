// What is thrown.

// Whatever the module refuses: a vocabulary, a state, an option.
export class MaskwrightError extends Error {
    constructor(message, options) {
        super(message, options);
        this.name = new.target.name;
    }
}

// A grammar, schema, structural tag or list of tools that cannot be compiled. The message draws all
// errors with their places.
export class GrammarError extends MaskwrightError {
    constructor(told) {
        super(told.drawn);
        this.reason = told.message;
        this.code = told.code;
        this.line = told.line;
        this.column = told.column;
        this.diagnostics = told.diagnostics;
    }
}

// The error for what the module said of a failure.
export const failure = (told) => (told.diagnostics ? new GrammarError(told) : new MaskwrightError(told.message));
