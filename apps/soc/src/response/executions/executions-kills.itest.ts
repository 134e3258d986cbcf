import { readFileSync } from "node:fs";
import process from "node:process";
import type { StartedProcess } from "@kit/testing/process";
import { sendSignal } from "@kit/testing/process";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { countExpectedCalls, createCuts } from "../../../testing/matrices/response-cuts.ts";
import { createPlaybookWorld, type PlaybookWorld } from "../../../testing/matrices/response-places.ts";
import {
  removeResponseWorker,
  startAdapter,
  startResponseWorker,
  type TestAdapter,
} from "../../../testing/processes/response-worker-process.ts";

const isFull = process.env.PROVE === "full";
/** Before a call, after a call, and between two steps. */
const FEW = ["ransomware-host begun isolate", "ransomware-host ran isolate", "brute-force turn 2 after applied pause"];
/** The number of executions that lose their worker in one kill; fewer than the connections of a worker. */
const CONCURRENCY = 10;
const TAKEN_OVER_MS = 5000;

let platform: TestPlatform;
let world: PlaybookWorld;
let adapter: TestAdapter;

beforeAll(async () => {
  platform = await testPlatform("real");
  adapter = await startAdapter();
  world = await createPlaybookWorld(platform);
});

afterAll(async () => {
  await removeResponseWorker();
  adapter.close();
  await platform.close();
});

const workers: StartedProcess[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop("SIGKILL");
});

async function startWorker(): Promise<StartedProcess> {
  const worker = await startResponseWorker({ databaseUrl: platform.url ?? "", adapterUrl: adapter.url });
  workers.push(worker);
  return worker;
}

it(
  "takes over from a killed worker within five seconds and repeats no finished step",
  async () => {
    const { places, expected } = await world.survey();
    // Each of the 63 steps has at least one crash point before it and one inside it.
    expect(places.length).toBeGreaterThan(126);
    expect(new Set(places.map(({ playbook_id, name }) => `${playbook_id} ${name}`)).size).toBe(places.length);
    const cutAt = isFull ? places : places.filter(({ playbook_id, name }) => FEW.includes(`${playbook_id} ${name}`));
    const cutting = createCuts(world, adapter);
    let worker = await startWorker();
    const takenOverMs: number[] = [];
    for (let from = 0; from < cutAt.length; from += CONCURRENCY) {
      const cuts = await cutting.holdAt(cutAt.slice(from, from + CONCURRENCY));
      const executions = cuts.map(({ execution_id }) => execution_id);
      const before = await world.readOwners(executions);
      const next = await startWorker();
      adapter.stops.clear();
      sendSignal(worker.pid, "SIGKILL");
      takenOverMs.push(await cutting.untilTakenOver(before));
      await worker.stop();
      worker = next;
      await cutting.untilEnded(executions);
      adapter.letGo();
      for (const cut of cuts) {
        const { playbook_id, name, place } = cut.place;
        const where = `${playbook_id}, ${name}`;
        const whole = expected.get(playbook_id) ?? { keys: [] };
        const { left, repeated, calls } = await cutting.readOutcome(cut);
        expect(left, where).toEqual(whole);
        expect(repeated, where).toEqual([]);
        // Only a step that was interrupted after its call calls again, with the same key.
        expect(calls, where).toEqual(countExpectedCalls(whole, { place: cut.place, times: place === "ran" ? 2 : 1 }));
      }
    }
    await worker.stop();
    const slowestMs = Math.round(Math.max(...takenOverMs));
    process.stdout.write(
      `${cutAt.length} places of ${new Set(cutAt.map(({ playbook_id }) => playbook_id)).size} playbooks, ` +
        `${takenOverMs.length} workers killed, slowest takeover ${slowestMs} ms\n`,
    );
    expect(slowestMs).toBeLessThan(TAKEN_OVER_MS);
  },
  isFull ? 3_600_000 : 120_000,
);

it(
  "keeps waiting executions as rows with low memory, few transactions and a quick resume after the decision",
  async () => {
    const count = isFull ? 2000 : 40;
    const { db } = platform;
    const caller = { kind: "user", username: "admin", role: "admin" } as const;
    const steps = [
      { id: "agree", action: "approval.request", params: { action: "go on" } },
      { id: "tell", action: "notify.webhook", params: { channel: "soc", text: "go" } },
    ];
    await db
      .transaction()
      .execute((tx) => world.parts.playbooks.put(tx, caller, "ask", { value: { name: "Ask", steps } }));
    const plan = () => world.parts.executions.plan(caller, { playbookId: "ask", body: {} });
    for (let made = 0; made < count; made += 1) {
      const planned = await plan();
      await db.transaction().execute((tx) => world.parts.executions.execute(tx, planned));
    }
    const worker = await startWorker();
    const waiting = () =>
      db
        .selectFrom("executions")
        .select("execution_id")
        .where("playbook_id", "=", "ask")
        .where("status", "=", "waiting")
        .execute();
    await expect.poll(async () => (await waiting()).length, { timeout: 300_000, interval: 200 }).toBe(count);
    const commits = async () =>
      Number(
        (
          await sql<{
            n: string;
          }>`SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()`.execute(
            db,
          )
        ).rows[0]?.n,
      );
    const seconds = isFull ? 30 : 10;
    const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await sleep(isFull ? 15_000 : 5000);
    const from = await commits();
    await sleep(seconds * 1000);
    const perSecond = ((await commits()) - from) / seconds;
    const kilobytes = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker.pid}/status`, "utf8"))?.[1]);
    const latencies: number[] = [];
    for (const { execution_id } of (await waiting()).slice(0, isFull ? 100 : 10)) {
      await db.transaction().execute((tx) => world.parts.executions.resume(tx, execution_id, "approved"));
      const decidedAt = performance.now();
      await expect
        .poll(() => adapter.calls.has(`${execution_id}:tell:1`), { timeout: 10_000, interval: 10 })
        .toBe(true);
      latencies.push(performance.now() - decidedAt);
    }
    await worker.stop();
    const p95 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.95)] ?? 0;
    process.stdout.write(
      `${count} waiting: ${Math.round(kilobytes / 1024)} MB, ${perSecond.toFixed(1)} transactions/s, decision to step p95 ${Math.round(p95)} ms\n`,
    );
    expect(kilobytes / 1024).toBeLessThan(250);
    // With few executions, the count still includes transactions of their start.
    expect(perSecond).toBeLessThan(isFull ? 20 : 60);
    expect(p95).toBeLessThan(1000);
  },
  isFull ? 900_000 : 120_000,
);
