import { mkdtemp, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { createClock } from "@kit/clock";
import { freePort, startProcess } from "@kit/testing/process";
import { expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "../apps/soc/src/main.ts");
const READY = /Manara SOC is ready at/g;
const canRun = Number.parseInt(process.versions.node, 10) >= 24;
if (!canRun) console.log("npm run dev: skipped, because Node 24 runs TypeScript without a build and this is older");

it.skipIf(!canRun)("serves the development page and restarts the service after a change", async () => {
  const port = await freePort();
  const clock = createClock();
  const started = await startProcess({
    command: process.execPath,
    args: [join(import.meta.dirname, "../tools/dist/dev.js"), "soc"],
    env: { SOC_PORT: String(port), SOC_DATA_DIR: await mkdtemp(join(tmpdir(), "dev-")) },
    readyWhen: /Local:[\s\S]*Manara SOC is ready at|Manara SOC is ready at[\s\S]*Local:/,
    withinMs: 60_000,
  });
  const [page] =
    /http:\/\/localhost:\d+/.exec(stripVTControlCharacters(started.output()).split("Local:")[1] ?? "") ?? [];
  expect((await fetch(`${page}/health`)).status).toBe(200);
  expect(await (await fetch(`${page}/`)).text()).toContain("/src/main.tsx");
  const before = clock.monotonicMs();
  const now = clock.now();
  await utimes(MAIN, now, now);
  await expect.poll(() => started.output().match(READY)?.length, { timeout: 60_000, interval: 50 }).toBe(2);
  console.log(`npm run dev: the service ran again ${Math.round(clock.monotonicMs() - before)} ms after the change`);
  expect((await fetch(`${page}/health`)).status).toBe(200);
  await started.stop("SIGTERM");
});
