import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import Type from "typebox";
import Value from "typebox/value";
import { createEnginePool } from "./adapters/log-engine-pool.ts";
import { createLogEngineServer } from "./adapters/log-engine-server.ts";

const Order = Type.Object({
  folder: Type.String({ minLength: 1 }),
  socketPath: Type.String({ minLength: 1 }),
  readers: Type.Integer({ minimum: 1, maximum: 64 }),
  writers: Type.Integer({ minimum: 1, maximum: 16 }),
  memoryBytes: Type.Integer({ minimum: 1 }),
});

const CLOSE_MS = 3000;

/**
 * The log engine's own process. Its parent says on standard input what to open and holds that input open; when it
 * ends, so does this process. A signal to the whole group is the parent's to answer: it may still have logs to write.
 */
async function main(): Promise<void> {
  const input = createInterface({ input: process.stdin });
  const { socketPath, ...order } = Value.Parse(Order, JSON.parse(await readFirstLine(input)));
  const clock = createClock();
  const pool = createEnginePool({ ...order, clock });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  const server = createLogEngineServer({ pool, ids: createIds(clock) });
  server.listen(socketPath);
  input.once("close", () => {
    server.close(() => {
      pool.close();
      process.exit(0);
    });
    server.closeIdleConnections();
    // A statement that does not end in time ends with the process: what was acknowledged is on the disk.
    clock.deadline(CLOSE_MS).addEventListener("abort", () => process.kill(process.pid, "SIGKILL"));
  });
}

function readFirstLine(input: Interface): Promise<string> {
  return new Promise((resolve, reject) => {
    input.once("line", resolve);
    input.once("close", () => reject(new Error("standard input ended before it said what to open")));
  });
}

await main();
