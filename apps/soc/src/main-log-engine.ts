import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import Type from "typebox";
import Value from "typebox/value";
import { createEnginePool } from "./adapters/log-engine/pool.ts";
import { serveReader } from "./adapters/log-engine/reader.ts";
import { createLogEngineServer } from "./adapters/log-engine/server.ts";
import { createRunningStatements } from "./adapters/log-engine/statements.ts";
import { LOG_LANES } from "./ports/log-store.ts";

const Connections = Type.Integer({ minimum: 1, maximum: 16 });
const Settings = Type.Object({
  folder: Type.String({ minLength: 1 }),
  socketPath: Type.String({ minLength: 1 }),
  statementsPath: Type.String({ minLength: 1 }),
  configurationPath: Type.String({ minLength: 1 }),
  readers: Type.Record(Type.Enum(LOG_LANES), Connections),
  writers: Connections,
  memoryBytes: Type.Integer({ minimum: 1 }),
  selectBytes: Type.Integer({ minimum: 1 }),
});

const Reader = Type.Object({ folder: Type.String(), connectionArgs: Type.Array(Type.String()) });

const CLOSE_TIMEOUT_MS = 3000;

/**
 * The process of the log engine. Its parent writes the settings to standard input and keeps that input open; the
 * process exits when the input ends. It ignores signals to the process group, because the parent may still have logs to
 * write.
 */
async function main(): Promise<void> {
  const parent = process.ppid;
  const input = createInterface({ input: process.stdin });
  const { socketPath, statementsPath, selectBytes, ...settings } = Value.Parse(
    Settings,
    JSON.parse(await readFirstLine(input)),
  );
  const clock = createClock();
  const pool = createEnginePool({
    ...settings,
    statements: createRunningStatements(statementsPath, clock),
    // The threads run this same file, wherever it is installed.
    startReader: (reader) => new Worker(new URL(import.meta.url), { workerData: reader }),
    clock,
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  const server = createLogEngineServer({
    pool,
    ids: createIds(clock),
    // An orphaned process gets another parent.
    hasParent: () => process.ppid === parent,
    selectBytes,
  });
  server.listen(socketPath);
  input.once("close", () => {
    server.close(() => void pool.close().finally(() => process.exit(0)));
    server.closeIdleConnections();
    // Kill the process if a statement does not end in time: everything acknowledged is already on disk.
    clock.deadline(CLOSE_TIMEOUT_MS).addEventListener("abort", () => process.kill(process.pid, "SIGKILL"));
  });
}

function readFirstLine(input: Interface): Promise<string> {
  return new Promise((resolve, reject) => {
    input.once("line", resolve);
    input.once("close", () => reject(new Error("standard input ended before the settings arrived")));
  });
}

if (isMainThread) {
  await main();
} else if (parentPort) {
  serveReader(parentPort, Value.Parse(Reader, workerData));
}
