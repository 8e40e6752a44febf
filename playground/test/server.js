// Serves a folder on this machine, for the test. It answers a request for anything else with 404,
// and remembers what was asked for.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };

export async function serve(folder) {
    const asked = [];
    const server = createServer(async (request, response) => {
        const { pathname } = new URL(request.url, "http://localhost");
        asked.push(pathname);
        const path = join(folder, normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
        try {
            const content = await readFile(path);
            response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(content);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { address: `http://127.0.0.1:${server.address().port}/`, asked, close: () => server.close() };
}
