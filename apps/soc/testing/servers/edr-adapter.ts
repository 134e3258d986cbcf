import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { freePort, startProcess } from "@kit/testing/process";

export const ADAPTER_KEY = "a key of 32 bytes or more that both of them share";

/** Starts the example adapter in a separate process. */
export async function startAdapter() {
  const folder = mkdtempSync(join(tmpdir(), "edr-adapter-"));
  const keyFile = join(folder, "edr.key");
  const state = join(folder, "orders.ndjson");
  writeFileSync(keyFile, `${ADAPTER_KEY}\n`, { mode: 0o600 });
  const port = await freePort();
  const start = () =>
    startProcess({
      command: process.execPath,
      args: [
        join(import.meta.dirname, "../../examples/edr-adapter/edr-adapter.mjs"),
        ...["--key-file", keyFile, "--state", state, "--port", String(port)],
      ],
      readyWhen: /EDR adapter is ready/,
    });
  let running = await start();
  let earlierOutput = "";
  return {
    port,
    keyFile,
    url: `http://127.0.0.1:${port}`,
    settings: { url: `http://127.0.0.1:${port}`, key: Buffer.from(ADAPTER_KEY) },
    /** The actions it has carried out, one line each, over all restarts. */
    performedActions: () =>
      `${earlierOutput}${running.output()}`.split("\n").filter((line) => /^(isolate|unisolate|scan) /.test(line)),
    async kill() {
      await running.stop("SIGKILL");
      earlierOutput += running.output();
    },
    /** Appends a partial line, as a crash during a write leaves it. */
    writePartialLine: () => appendFileSync(state, '\n{"idempotency_key":"c","status":"begun","body":"{}'),
    async restart() {
      running = await start();
    },
    async close() {
      await running.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
export type ExampleAdapter = Awaited<ReturnType<typeof startAdapter>>;

export interface ReceivedCommand {
  key: string;
  body: string;
}

/** An adapter that returns the test's responses and records the requests. */
export async function startScriptedAdapter(answer: (count: number) => { status: number; body?: object } | "hang up") {
  const received: ReceivedCommand[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8");
    });
    request.on("end", () => {
      received.push({ key: String(request.headers["idempotency-key"]), body });
      const said = answer(received.length);
      if (said === "hang up") request.socket.destroy();
      else response.writeHead(said.status).end(JSON.stringify(said.body ?? {}));
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { url, key: Buffer.from(ADAPTER_KEY) },
    received,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
