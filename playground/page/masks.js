// Where the text stands: the tokens that were taken, and those that may come next.

import { button, LEGEND, label, size } from "./tokens.js";

const find = (id) => document.getElementById(id);

export class Masks {
    // `ask` has the worker do something.
    constructor(ask) {
        Object.assign(this, { ask, tokens: [] });
        find("legend").replaceChildren(...LEGEND.map(([name, title]) => legend(name, title)));
        find("typing").onsubmit = (event) => {
            event.preventDefault();
            this.type();
        };
        find("forced").onclick = () => this.run("forced");
        find("chance").onclick = () => this.run("chance", { most: 1 });
        find("finish").onclick = () => this.run("chance", { most: 300 });
        find("undo").onclick = () => this.run("undo", { tokens: 1 });
        find("again").onclick = () => this.run("undo", { tokens: this.tokens.length });
        find("filter").oninput = () => this.run("list");
    }

    // Shows that these are the masks of an older text.
    wait() {
        find("masks").classList.add("old");
    }

    // Shows nothing while there is no grammar.
    clear(why) {
        find("masks").classList.remove("old");
        for (const id of ["taken", "tokens"]) find(id).replaceChildren();
        find("standing").textContent = why;
        find("share").style.width = "0";
        this.enable(false);
        this.tokens = [];
    }

    enable(live) {
        for (const element of find("masks").querySelectorAll("button, input")) element.disabled = !live;
    }

    async run(what, args = {}) {
        try {
            this.show(await this.ask(what, { ...args, filter: find("filter").value }));
        } catch (error) {
            find("standing").textContent = error.message;
        }
    }

    async type() {
        const typed = find("typed");
        const { refusal, rest, ...standing } = await this.ask("type", { text: typed.value, filter: find("filter").value });
        this.show(standing);
        typed.value = rest;
        refuse(refusal && `“${rest}” was not taken: ${refusal.replace(/^refused at byte 0: /, "")}`);
    }

    show(standing) {
        find("masks").classList.remove("old");
        this.enable(true);
        refuse(null);
        this.tokens = standing.taken;
        find("taken").replaceChildren(...standing.taken.map((token, at) => this.chip(token, at)));
        find("taken").scrollTop = find("taken").scrollHeight;
        find("standing").replaceChildren(...sentence(standing));
        // Most masks are tiny or nearly full: the bar is as long as the logarithm.
        const share = Math.log1p(standing.allowed) / Math.log1p(standing.size);
        find("share").style.width = `${100 * share}%`;
        find("tokens").replaceChildren(...standing.listed.map((token) => this.choice(token)), ...more(standing));
        find("forced").disabled = standing.forcedTokens === 0;
        find("undo").disabled = find("again").disabled = standing.taken.length === 0;
        find("chance").disabled = find("finish").disabled = find("typed").disabled = standing.finished;
    }

    // A token that was taken. A click goes back to before it.
    chip(token, at) {
        const back = this.tokens.length - at;
        const title = `token ${token.id}, one of ${size(token.allowed)} that were allowed; click to go back to before it`;
        const element = button(token, title, () => this.run("undo", { tokens: back }));
        element.classList.toggle("only", token.allowed === 1);
        const count = document.createElement("sup");
        count.textContent = size(token.allowed);
        element.append(count);
        return element;
    }

    choice(token) {
        return button(token, `token ${token.id}: ${JSON.stringify(label(token))}`, () => {
            find("filter").value = "";
            this.run("accept", { ids: [token.id] });
        });
    }
}

function legend(name, title) {
    const element = document.createElement("span");
    element.className = `token ${name}`;
    element.textContent = title;
    return element;
}

function refuse(refusal) {
    find("refusal").hidden = !refusal;
    find("refusal").textContent = refusal ?? "";
}

function* sentence({ allowed, size: all, complete, finished, forced, taken }) {
    if (finished) {
        yield `The text has ended, after ${size(taken.length)} tokens.`;
        return;
    }
    const tokens = allowed === 1 ? "token" : "tokens";
    yield `${size(allowed)} of ${size(all)} ${tokens} may come next. The text may ${complete ? "" : "not "}end here.`;
    if (forced.length > 0) {
        const code = document.createElement("code");
        code.textContent = forced;
        yield " Forced: ";
        yield code;
    }
}

function* more({ found, listed, allowed }) {
    const element = document.createElement("span");
    element.className = "soft";
    if (found > listed.length) element.textContent = `and ${size(found - listed.length)} more`;
    else if (found === 0 && allowed > 0) element.textContent = "No allowed token begins so.";
    else return;
    yield element;
}
