import { createClock } from "@kit/clock";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { count } from "../counts.ts";
import { summaryOf } from "../player/figures.ts";
import { startSocForTest, startTwoForTest, verifyLedger } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";
import { findPartialWrites } from "./mid-write.ts";
import {
  casesWithEvidence,
  createMemory,
  createTally,
  findLost,
  formatTally,
  keepWriting,
  openSharedCase,
} from "./writers.ts";

const clock = createClock();
const DEATHS = count({ ci: 1, full: 20 });
const SEED = 1;
// CI machines may have other load.
const READY_MS = count({ ci: 30_000, full: 5000 });
const ANSWER_MS = count({ ci: 10_000, full: 2500 });
const VERIFIED = count({ ci: 1, full: 20 });

it(`loses no change and stores none partially when one of two API processes is killed (${DEATHS})`, async () => {
  const database = await startDatabaseForTest();
  const { first, second } = await startTwoForTest(database.url);
  const [memory, over] = [createMemory(), new AbortController()];
  const [mortal, survivor] = [createTally(), createTally()];
  onTestFinished(() => over.abort());
  const sharedCase = await openSharedCase(second.client, memory);
  const common = { memory, sharedCase };
  const surviving = keepWriting({
    ...common,
    client: second.client,
    tally: survivor,
    name: "survivor",
    until: over.signal,
  });

  const killAfterMs = fc.noBias(fc.integer({ min: 300, max: 2000 }));
  const readyMs: number[] = [];
  let { service, client } = first;
  for (const [life, afterMs] of fc.sample(killAfterMs, { numRuns: DEATHS, seed: SEED }).entries()) {
    const killed = new AbortController();
    const until = AbortSignal.any([killed.signal, over.signal]);
    const writers = ["one", "two"].map((name) =>
      keepWriting({ ...common, client, tally: mortal, name: `${name} of life ${life}`, until }),
    );
    await clock.sleep(afterMs);
    // A busy machine needs longer for a few changes.
    const hasWritten = () => mortal.acknowledged > 5 * (life + 1) && mortal.statuses.has(200);
    await expect.poll(hasWritten, { interval: 10 }).toBe(true);
    await service.stop("SIGKILL");
    killed.abort();
    await Promise.all(writers);

    const start = clock.monotonicMs();
    ({ service, client } = await startSocForTest(database.url, { SOC_DATA_DIR: first.service.dataFolder }));
    expect((await client.get(`/cases/${sharedCase}`)).status).toBe(200);
    readyMs.push(clock.monotonicMs() - start);
  }
  over.abort();
  await surviving;

  console.log(
    `soc: ${DEATHS} deaths of an API process, ${formatTally(mortal)}; ready again: ${summaryOf(readyMs)}; ` +
      `meanwhile the other one: ${formatTally(survivor)}, slowest ${Math.round(survivor.slowestMs)} ms`,
  );
  expect(new Set(mortal.statuses.keys())).toEqual(new Set([200, 201, "none"]));
  expect(new Set(survivor.statuses.keys())).toEqual(new Set([200, 201]));
  expect(await findLost(client, memory)).toEqual([]);
  expect(await findPartialWrites(database)).toEqual([]);
  for (const id of [sharedCase, ...casesWithEvidence(memory).slice(-VERIFIED)])
    expect(await verifyLedger(client, id)).toMatch(/^GENUINE: /);
  expect(mortal.acknowledged).toBeGreaterThan(5 * DEATHS);
  expect(survivor.slowestMs).toBeLessThan(ANSWER_MS);
  expect(Math.max(...readyMs)).toBeLessThan(READY_MS);
});
