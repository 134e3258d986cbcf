import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { type Device, startDevice } from "./bench-player-device.ts";

const ROUNDS = 10;
const SETTLE_MS = 20_000;
const SCRAPES = 12;
/** Longer than the two-second cache of an answer, so that a scrape has a cost. */
const BETWEEN_SCRAPES_MS = 2100;
/** How often Prometheus scrapes, as most are configured. */
const USUAL_S = 15;

const clock = createClock();

/** Measures the cost of monitoring an idle player: processor time with and without scrapes, alternating. */
async function main(): Promise<void> {
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${memoryGiB} GiB\n`);
  const device = await startDevice(mkdtempSync(join(tmpdir(), "bench-card-")));
  await clock.sleep(SETTLE_MS);
  const [idle, watched, waits]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    idle.push(await measure(device, async () => undefined));
    watched.push(
      await measure(device, async () => {
        const startMs = clock.monotonicMs();
        await device.ask("GET", "/metrics");
        waits.push(clock.monotonicMs() - startMs);
      }),
    );
  }
  await device.close();
  const idleMs = findMedian(idle) / ((SCRAPES * BETWEEN_SCRAPES_MS) / 1000);
  const scrapeMs = findMedian(watched.map((each, round) => each - (idle[round] ?? 0))) / SCRAPES;
  console.log(`idle: ${idleMs.toFixed(2)} ms of processor time a second`);
  console.log(
    `a scrape: ${scrapeMs.toFixed(2)} ms of processor time, answered after ${findMedian(waits).toFixed(1)} ms`,
  );
  const ratio = 1 + scrapeMs / (idleMs * USUAL_S);
  console.log(`with a scrape every ${USUAL_S} s: ${ratio.toFixed(3)} times the processor time of none`);
}

/** The processor time, in milliseconds, that the player uses while the work is done as often as a scrape would be. */
async function measure({ pid }: Pick<Device, "pid">, work: () => Promise<void>): Promise<number> {
  const before = readProcessorMs(pid);
  for (let scrape = 0; scrape < SCRAPES; scrape += 1) {
    const startMs = clock.monotonicMs();
    await work();
    await clock.sleep(BETWEEN_SCRAPES_MS - (clock.monotonicMs() - startMs));
  }
  return readProcessorMs(pid) - before;
}

/** Of all threads, in nanoseconds: the hundredths of a second of /proc/…/stat are too coarse. */
function readProcessorMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const ns = readdirSync(folder).map((id) => Number(readFileSync(join(folder, id, "schedstat"), "utf8").split(" ")[0]));
  return ns.reduce((sum, each) => sum + each, 0) / 1e6;
}

function findMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

await main();
