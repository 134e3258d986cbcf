import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { expect, it } from "vitest";
import { createLogEngine } from "./log-engine.ts";

const clock = createClock();
const LATE_MS = 8000;

/** An engine whose third response is late, for a configurable reason. */
function writeLateEngine(folder: string, waiting: string): string {
  const entry = join(folder, "late-engine.mjs");
  writeFileSync(
    entry,
    `import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
const [order] = await once(createInterface(process.stdin), "line");
let asked = 0;
const server = createServer((_request, answer) => {
  asked += 1;
  if (asked === 3) { ${waiting} }
  answer.end("Ok.");
});
server.listen(JSON.parse(order).socketPath);
`,
  );
  return entry;
}

it.each([
  { name: "computes", waiting: `const end = Date.now() + ${LATE_MS}; while (Date.now() < end);`, restarts: 0 },
  {
    name: "stands still",
    waiting: `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${LATE_MS});`,
    restarts: 1,
  },
])("replaces an engine that answers late and $name $restarts times", async ({ waiting, restarts }) => {
  const folder = mkdtempSync(join(tmpdir(), "late-engine-"));
  const entry = writeLateEngine(folder, waiting);
  const engine = createLogEngine({
    folder: join(folder, "logs"),
    program: process.execPath,
    entry,
    memoryBytes: 1e9,
    clock,
    log: silentLog,
  });
  await engine.start();
  // The third request is sent after two heartbeats.
  await clock.sleep(3000 + LATE_MS);
  expect(engine.restarts().restarts_24h).toBe(restarts);
  await engine.close();
});
