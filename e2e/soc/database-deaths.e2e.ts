import { createClock } from "@kit/clock";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { count } from "../counts.ts";
import { ADMIN_PASSWORD } from "../services.ts";
import { type Answer, type SocClient, startSocForTest, verifyLedger } from "./client.ts";
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
const WRITERS = ["one", "two", "three"];
/** Two seconds, plus a margin for a busy machine. */
const ANSWER_MS = count({ ci: 5000, full: 2500 });
const BACK_MS = count({ ci: 10_000, full: 5000 });
const VERIFIED = count({ ci: 1, full: 20 });

/** Reads a known case until it is aborted, and collects every answer that is neither correct nor a 503. */
async function readOn({ get }: SocClient, caseId: string, until: AbortSignal) {
  const wrong: string[] = [];
  const slow: number[] = [];
  while (!until.aborted) {
    const { status, body, tookMs } = await get(`/cases/${caseId}`);
    if (status !== 503 && body.id !== caseId) wrong.push(`${status} ${JSON.stringify(body)}`);
    slow.push(tookMs);
    await clock.sleep(20);
  }
  return { wrong, slowestMs: Math.max(0, ...slow) };
}

/** Checks that, without a database, each route answers 503 or its documented status. */
async function expectUnavailable({ ask, get, post, patch, signIn }: SocClient, caseId: string): Promise<number> {
  const refused: Answer[] = [
    await get("/alerts"),
    await get(`/cases/${caseId}`),
    await get("/audit"),
    await get(`/ledger/bundle?case_id=${caseId}`),
    await post("/alerts", { title: "never kept", source: "e2e" }),
    await patch(`/cases/${caseId}`, { title: "never kept" }),
    await signIn("admin", ADMIN_PASSWORD),
  ];
  for (const { status, body } of refused) expect([status, body]).toEqual([503, { detail: expect.any(String) }]);
  const answers: Answer[] = [await ask("GET", "/health"), await get("/system/mode"), await get("/users/me")];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers[1]?.body).toMatchObject({ is_database_available: false, read_data_source: "unavailable" });
  return Math.max(...[...refused, ...answers].map(({ tookMs }) => tookMs));
}

async function untilWritable({ patch }: SocClient, caseId: string, life: number): Promise<void> {
  const deadline = clock.deadline(BACK_MS * 2);
  while ((await patch(`/cases/${caseId}`, { description: `back from death ${life}` })).status !== 200)
    await clock.sleep(20, deadline);
}

it(`loses no change and stores none partially when its database is killed during writes (${DEATHS})`, async () => {
  const database = await startDatabaseForTest();
  const { client } = await startSocForTest(database.url);
  const [memory, tally, over] = [createMemory(), createTally(), new AbortController()];
  onTestFinished(() => over.abort());
  const until = over.signal;
  const sharedCase = await openSharedCase(client, memory);
  const writing = Promise.all(WRITERS.map((name) => keepWriting({ client, memory, tally, name, sharedCase, until })));
  const reading = readOn(client, sharedCase, until);

  const moment = fc.record({
    killAfterMs: fc.noBias(fc.integer({ min: 300, max: 2000 })),
    downMs: fc.noBias(fc.integer({ min: 0, max: 1500 })),
  });
  const backMs: number[] = [];
  const refusedMs: number[] = [];
  for (const [life, { killAfterMs, downMs }] of fc.sample(moment, { numRuns: DEATHS, seed: SEED }).entries()) {
    await clock.sleep(killAfterMs);
    await database.kill();
    refusedMs.push(await expectUnavailable(client, sharedCase));
    await clock.sleep(downMs);
    await database.start();
    const start = clock.monotonicMs();
    await untilWritable(client, sharedCase, life);
    backMs.push(clock.monotonicMs() - start);
  }
  await clock.sleep(500);
  over.abort();
  await writing;
  const read = await reading;

  const slowestMs = Math.max(tally.slowestMs, read.slowestMs, ...refusedMs);
  console.log(
    `soc: ${DEATHS} deaths of the database, ${formatTally(tally)}; slowest answer ${Math.round(slowestMs)} ms, ` +
      `writable at most ${Math.round(Math.max(...backMs))} ms after the database was back`,
  );
  expect(new Set(tally.statuses.keys())).toEqual(new Set([200, 201, 503]));
  expect(read.wrong).toEqual([]);
  expect(await findLost(client, memory)).toEqual([]);
  expect(await findPartialWrites(database)).toEqual([]);
  for (const id of [sharedCase, ...casesWithEvidence(memory).slice(-VERIFIED)])
    expect(await verifyLedger(client, id)).toMatch(/^GENUINE: /);
  expect(tally.acknowledged).toBeGreaterThan(5 * DEATHS);
  expect(slowestMs).toBeLessThan(ANSWER_MS);
  expect(Math.max(...backMs)).toBeLessThan(BACK_MS);
});
