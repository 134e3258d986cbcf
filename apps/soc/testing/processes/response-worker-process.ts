import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import process from "node:process";
import { type StartedProcess, startProcess } from "@kit/testing/process";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "../../../..");
let building: Promise<string> | undefined;

/** Bundles the worker's entry into one script, so that Node can run it without a build step before the test. */
async function buildEntry(): Promise<string> {
  // Inside node_modules, so that the script can resolve its packages.
  const outDir = mkdtempSync(join(ROOT, "node_modules/.response-worker-"));
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["source", "node"] },
    ssr: { noExternal: [/^@kit\//], resolve: { conditions: ["source", "node"] } },
    build: {
      ssr: join(ROOT, "apps/soc/testing/processes/response-worker.ts"),
      outDir,
      target: "node20",
      minify: false,
    },
  });
  return join(outDir, "response-worker.js");
}

/** Removes the script. Call it at the end of a test file, because the process may end without exit handlers. */
export async function removeResponseWorker(): Promise<void> {
  if (building) rmSync(dirname(await building), { recursive: true, force: true });
  building = undefined;
}

export interface ResponseWorkerOptions {
  databaseUrl: string;
  adapterUrl: string;
}

/** Starts a worker as a process: a process has one workflow engine, and a test can kill it. */
export async function startResponseWorker(options: ResponseWorkerOptions): Promise<StartedProcess> {
  building ??= buildEntry();
  return startProcess({
    command: process.execPath,
    args: ["--max-old-space-size=1024", await building],
    env: {
      WORKER_DATABASE: options.databaseUrl,
      WORKER_ADAPTER: options.adapterUrl,
      WORKER_EXECUTOR: `worker-${randomUUID()}`,
    },
    readyWhen: /worker is ready/,
    withinMs: 60_000,
  });
}

/**
 * An external system that counts the calls per key. It also tells workers at which crash point of an execution they
 * stop until they are released or killed.
 */
export async function startAdapter() {
  const calls = new Map<string, number>();
  const stops = new Map<string, string>();
  const held = new Set<string>();
  let waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const [, about, id = ""] = (request.url ?? "").split("/");
    const key = request.headers["idempotency-key"];
    if (about === "stops") {
      response.end(stops.get(id) ?? "");
      return;
    }
    if (about === "held") {
      held.add(id);
      waiting.push(response);
      return;
    }
    calls.set(String(key), (calls.get(String(key)) ?? 0) + 1);
    request.resume().on("end", () => response.end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the adapter has no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    calls,
    stops,
    held,

    /** Releases all held workers and holds no more. */
    letGo(): void {
      stops.clear();
      held.clear();
      for (const response of waiting) response.end();
      waiting = [];
    },

    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type TestAdapter = Awaited<ReturnType<typeof startAdapter>>;
