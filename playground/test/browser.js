// Headless chromium, driven as a person drives it: by keys and the mouse.
//
// It is spoken to over two pipes, in messages of JSON that end with a zero byte (the DevTools
// protocol), so that nothing has to be installed for it.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe",
];

export class Browser {
    static async start() {
        const browser = new Browser();
        browser.profile = await mkdtemp(join(tmpdir(), "playground-"));
        const flags = [...FLAGS, `--user-data-dir=${browser.profile}`, "about:blank"];
        browser.process = spawn("chromium", flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
        browser.ended = new Promise((resolve) => browser.process.on("exit", resolve));
        browser.process.on("exit", () => browser.waiting.forEach(({ reject }) => reject(new Error("chromium has ended"))));
        browser.listen(browser.process.stdio[4]);
        return browser;
    }

    waiting = new Map();
    next = 1;
    pages = new Map();

    listen(pipe) {
        let rest = Buffer.alloc(0);
        pipe.on("data", (chunk) => {
            rest = Buffer.concat([rest, chunk]);
            for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
                this.take(JSON.parse(rest.subarray(0, end).toString()));
                rest = rest.subarray(end + 1);
            }
        });
    }

    take({ id, result, error, method, params, sessionId }) {
        if (id === undefined) {
            this.pages.get(sessionId)?.told(method, params);
            return;
        }
        const { resolve, reject } = this.waiting.get(id);
        this.waiting.delete(id);
        if (error) reject(new Error(error.message));
        else resolve(result);
    }

    send(method, params = {}, sessionId = undefined) {
        const id = this.next++;
        this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }

    async open(address, { width = 1400, height = 1000, dark = false } = {}) {
        const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
        const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
        const page = new Page(this, sessionId);
        this.pages.set(sessionId, page);
        for (const domain of ["Page", "Runtime", "Network", "Log"]) await page.send(`${domain}.enable`);
        await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
        await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
        await page.send("Page.navigate", { url: address });
        return page;
    }

    async close() {
        await this.send("Browser.close").catch(() => {});
        await this.ended;
        await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
    }
}

class Page {
    constructor(browser, session) {
        Object.assign(this, { browser, session, problems: [], requests: [] });
    }

    send(method, params) {
        return this.browser.send(method, params, this.session);
    }

    told(method, params) {
        if (method === "Runtime.exceptionThrown") this.problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        if (method === "Log.entryAdded" && params.entry.level === "error") this.problems.push(params.entry.text);
        if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    }

    // The value of an expression in the page.
    async value(expression) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
        return result.value;
    }

    text(selector) {
        return this.value(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`);
    }

    // Waits until an expression is true.
    async until(expression, seconds = 60) {
        const end = Date.now() + 1000 * seconds;
        while (!(await this.value(expression))) {
            if (Date.now() > end) throw new Error(`not within ${seconds} s: ${expression}; the status is: ${await this.text("#status-text")}`);
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }

    // Waits until the status says something like this.
    says(pattern, seconds) {
        return this.until(`${pattern}.test(document.querySelector("#status-text")?.innerText)`, seconds);
    }

    async click(selector) {
        const place = await this.value(`(() => {
            const element = document.querySelector(${JSON.stringify(selector)});
            if (!element?.checkVisibility()) return null;
            element.scrollIntoView({ block: "nearest" });
            const { x, y, width, height } = element.getBoundingClientRect();
            return { x: x + width / 2, y: y + height / 2 };
        })()`);
        if (!place) throw new Error(`there is no ${selector} to be seen`);
        for (const type of ["mousePressed", "mouseReleased"]) {
            await this.send("Input.dispatchMouseEvent", { type, ...place, button: "left", clickCount: 1 });
        }
    }

    key(key, modifiers = 0, commands = []) {
        const code = { Enter: 13, Backspace: 8 }[key] ?? key.toUpperCase().charCodeAt(0);
        const event = { key, modifiers, commands, windowsVirtualKeyCode: code, text: key === "Enter" ? "\r" : undefined };
        return this.send("Input.dispatchKeyEvent", { type: "keyDown", ...event }).then(() =>
            this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event, text: undefined }),
        );
    }

    // Types in place of what is in a field.
    async type(selector, text) {
        await this.click(selector);
        await this.key("a", 2, ["selectAll"]);
        await this.key("Backspace");
        await this.send("Input.insertText", { text });
    }

    // Chooses from a list, which headless chromium does not show.
    choose(selector, value) {
        return this.value(`(() => {
            const list = document.querySelector(${JSON.stringify(selector)});
            list.value = ${JSON.stringify(value)};
            list.dispatchEvent(new Event("change", { bubbles: true }));
        })()`);
    }

    // Puts a file into a field for files.
    async file(selector, path) {
        const { root } = await this.send("DOM.getDocument");
        const { nodeId } = await this.send("DOM.querySelector", { nodeId: root.nodeId, selector });
        await this.send("DOM.setFileInputFiles", { nodeId, files: [path] });
    }

    async picture(path) {
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        await writeFile(path, Buffer.from(data, "base64"));
    }
}
