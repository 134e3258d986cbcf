import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { checkSpeed } from "@kit/testing/speed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents } from "../events.ts";
import { libraryRoutes } from "./library.routes.ts";
import { createLibraryService } from "./library.service.ts";

let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "library-scan-"));
});
afterAll(() => rm(base, { recursive: true }));

function createCard(name: string, folders: number, filesOfFolder: number): string {
  for (let folder = 1; folder <= folders; folder += 1) {
    const path = join(base, name, `reciter ${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 1; file <= filesOfFolder; file += 1) {
      writeFileSync(join(path, `${String(file).padStart(3, "0")} recitation.mp3`), "");
    }
  }
  return join(base, name);
}

/** Scans a card while a client sends a request every 5 ms and a timer measures the longest blockage. */
async function scanUnderWatch(cardFolder: string) {
  const events = createEvents();
  const library = createLibraryService({
    cardFolder,
    mountsCard: true,
    usedFiles: () => new Set(),
    clock: createFakeClock(),
    events,
    log: silentLog,
  });
  const app = createTestFrame();
  await app.register(libraryRoutes(library));
  await app.inject("/library/reciters");

  let standstillMs = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    const now = performance.now();
    standstillMs = Math.max(standstillMs, now - last);
    last = now;
  }, 1);
  const start = performance.now();
  const scanned = new Promise<number>((resolve) => {
    events.onEvent(({ data }) => {
      if ("scanning" in data && !data.scanning) resolve(performance.now() - start);
    });
  });
  library.start();
  let isScanning = true;
  let answeredWhileScanning = 0;
  const asking = (async () => {
    while (isScanning) {
      const { scanning } = (await app.inject("/library/reciters")).json();
      if (scanning) answeredWhileScanning += 1;
      await wait(5);
    }
  })();
  const scanMs = await scanned;
  isScanning = false;
  await asking;
  clearInterval(watch);
  await library.close();
  return { scanMs, standstillMs, answeredWhileScanning, body: library.reciters() };
}

describe("a large card", () => {
  it.each([
    ["5,700 files of 50 reciters", 50, 114],
    ["20,000 files of 176 reciters", 176, 114],
    ["20,000 files in one folder", 1, 19_999],
  ] as const)("a large card with %s is read while requests are answered", async (name, folders, files) => {
    const card = createCard(name, folders, files);
    const { scanMs, standstillMs, answeredWhileScanning, body } = await scanUnderWatch(card);
    expect(body.reciters).toHaveLength(folders);
    expect(body.reciters.every(({ complete }) => complete)).toBe(true);
    expect(answeredWhileScanning).toBeGreaterThan(0);
    checkSpeed(`library: scan of ${name}, ms`, scanMs);
    checkSpeed("library: longest standstill during a scan, ms", standstillMs);
  });
});
