// The worker, seen from the page.
//
// In: a command and its arguments. Out: its result, or an error. What holds: commands are answered
// in the order in which they were given; `restart` ends the one that runs, and all that wait.

export class Stopped extends Error {}

export class Compiler {
    constructor() {
        this.waiting = new Map();
        this.next = 0;
        this.begin();
    }

    begin() {
        this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
        this.worker.onmessage = ({ data }) => this.settle(data.id, data);
        this.worker.onerror = (event) => {
            for (const id of [...this.waiting.keys()]) this.settle(id, { error: { message: event.message ?? "the worker has ended" } });
        };
    }

    ask(what, args) {
        const id = this.next++;
        this.worker.postMessage({ id, what, args });
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }

    settle(id, { result, error }) {
        const { resolve, reject } = this.waiting.get(id);
        this.waiting.delete(id);
        if (error) reject(Object.assign(new Error(error.message), error));
        else resolve(result);
    }

    // A new worker, which knows nothing of the old one's vocabulary.
    restart() {
        this.worker.terminate();
        for (const { reject } of this.waiting.values()) reject(new Stopped("stopped"));
        this.waiting.clear();
        this.begin();
    }
}
