import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { Agent } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { type StartedProcess, startProcess } from "@kit/testing/process";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "../../../..");
let building: Promise<string> | undefined;

/** Bundles the worker's entry into one script, so that Node can run it without a build step before the test. */
function builtEntry(): Promise<string> {
  building ??= buildEntry();
  return building;
}

async function buildEntry(): Promise<string> {
  // Inside node_modules, so that the script can resolve its packages.
  const outDir = mkdtempSync(join(ROOT, "node_modules/.detection-worker-"));
  process.once("exit", () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["source", "node"] },
    ssr: { noExternal: [/^@kit\//], resolve: { conditions: ["source", "node"] } },
    build: {
      ssr: join(ROOT, "apps/soc/testing/processes/detection-worker.ts"),
      outDir,
      target: "node20",
      minify: false,
    },
  });
  return join(outDir, "detection-worker.js");
}

/** The address at which other processes of the test reach the log engine. */
export interface LogDoor {
  url: string;
  recentFolder: string;
  /** With a stream the worker owns partitions; without one it reads logs from the store. */
  stream?: { url: string; partitions: number };
}

export interface WorkerProcess extends StartedProcess {
  executorId: string;
}

/** Starts a worker as a process: a process has one workflow engine, and a test can kill it. */
export async function startWorkerProcess(databaseUrl: string, logs: LogDoor): Promise<WorkerProcess> {
  const executorId = `worker-${randomUUID()}`;
  const started = await startProcess({
    command: process.execPath,
    args: ["--max-old-space-size=1024", await builtEntry()],
    env: {
      WORKER_DATABASE: databaseUrl,
      WORKER_LOG_STORE: logs.url,
      WORKER_RECENT_LOGS: logs.recentFolder,
      WORKER_EXECUTOR: executorId,
      ...(logs.stream && { WORKER_STREAM: logs.stream.url, WORKER_PARTITIONS: String(logs.stream.partitions) }),
    },
    readyWhen: /worker is ready/,
    withinMs: 60_000,
  });
  return { ...started, executorId };
}

/** A proxy to the log engine for other processes of the test: only this process knows the engine's socket. */
export async function openLogEngine({ agent }: { agent: Agent }, recentFolder: string) {
  const server = createServer((client) => {
    const engine = agent.createConnection({}, () => undefined);
    if (!engine) return;
    const end = () => {
      client.destroy();
      engine.destroy();
    };
    client.on("error", end).on("close", end);
    engine.on("error", end).on("close", end);
    client.pipe(engine).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return { url: `http://127.0.0.1:${address.port}`, recentFolder, close: () => server.close() };
}
