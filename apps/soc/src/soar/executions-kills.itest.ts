import { readFileSync } from "node:fs";
import process from "node:process";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../testing/feature-app.ts";
import { createMemoryAdapter } from "../../testing/response-actions.ts";
import { createMemoryGate, type MemoryGate } from "../../testing/response-gate.ts";
import { createResponseParts, type ResponseParts } from "../../testing/response-parts.ts";
import { removeResponseWorker, startAdapter, startResponseWorker } from "../../testing/response-worker-process.ts";
import type { Playbook } from "./playbook.ts";

const isFull = process.env.PROVE === "full";
/** At a boundary, inside a step before its answer, and after it: in a playbook with all kinds of steps. */
const FEW: [string, number][] = [
  ["ransomware-host", 2],
  ["ransomware-host", 3],
  ["brute-force", 4],
];
const TAKEN_OVER_MS = 5000;
const PARAMETERS = {
  sender: "a@b.example",
  url: "https://a.example/",
  address: "198.51.100.77",
  device_id: "gw",
  hash: "ab",
  owner: "layla",
};

let platform: TestPlatform;
let gate: MemoryGate;
let parts: ResponseParts;
let playbooks: Playbook[];
let adapter: Awaited<ReturnType<typeof startAdapter>>;
let made = 0;

beforeAll(async () => {
  platform = await testPlatform("real");
  adapter = await startAdapter();
  gate = createMemoryGate(() => platform.ids.next());
  parts = createResponseParts(platform, createMemoryAdapter(), gate);
  const builtIns = await parts.builtIns();
  await platform.db.transaction().execute((tx) => parts.playbooks.seed(tx, builtIns));
  playbooks = (await parts.playbooks.list({})).items;
});

afterAll(async () => {
  await removeResponseWorker();
  adapter.close();
  await platform.close();
});

async function begin(playbookId: string): Promise<string> {
  made += 1;
  const { db } = platform;
  const report = {
    title: `finding ${made}`,
    source: "sensor",
    host: `WS-${made}`,
    user: `user${made}`,
    site: "office",
  };
  const sensor = { kind: "user", username: "sensor", role: "agent" } as const;
  const { alert } = await db.transaction().execute((tx) => parts.alerts.create(tx, sensor, report));
  const execute = async (approvalId?: string) => {
    const body = { alert_id: alert.id, parameters: PARAMETERS };
    const plan = await parts.executions.plan({ username: "amina.farouk" }, { playbookId, approvalId, body });
    return (await db.transaction().execute((tx) => parts.executions.execute(tx, plan))).answer;
  };
  const asked = await execute();
  if ("execution_id" in asked) return asked.execution_id;
  gate.approve(asked.approval_id ?? "");
  const begun = await execute(asked.approval_id ?? "");
  if (!("execution_id" in begun)) throw new Error("it was approved, and did not begin");
  return begun.execution_id;
}

/** Has what waits go on at once: time passed, and people agreed. */
async function wake(execution_id: string): Promise<void> {
  const { db } = platform;
  await sql`UPDATE executions SET due_at = now() WHERE execution_id = ${execution_id} AND status = 'waiting' AND due_at > now()`.execute(
    db,
  );
  await db.transaction().execute((tx) => parts.executions.resume(tx, execution_id, "approved"));
}

async function ended(execution_id: string): Promise<boolean> {
  await wake(execution_id);
  return (await parts.executions.get(execution_id)).finished_at !== null;
}

const ownerOf = async (execution_id: string) =>
  await platform.db
    .selectFrom("executions")
    .select(["owner", "finished_at"])
    .where("execution_id", "=", execution_id)
    .executeTakeFirstOrThrow();

/** Answers false when the playbook has fewer places. */
async function killAt(playbookId: string, stopsAt: number): Promise<boolean> {
  const where = `${playbookId}, place ${stopsAt}`;
  const databaseUrl = platform.url ?? "";
  const execution_id = await begin(playbookId);
  const first = await startResponseWorker({ databaseUrl, adapterUrl: adapter.url, stopsAt });
  const hasStopped = () => /stopped at/.test(first.output());
  await expect
    .poll(async () => hasStopped() || (await ended(execution_id)), { timeout: 30_000, interval: 50 })
    .toBe(true);
  if (!hasStopped()) {
    await first.stop("SIGKILL");
    return false;
  }
  const second = await startResponseWorker({ databaseUrl, adapterUrl: adapter.url });
  const before = await ownerOf(execution_id);
  const doneBefore = (await parts.executions.get(execution_id)).steps.filter(({ status }) => status === "completed");
  const killedAt = performance.now();
  await first.stop("SIGKILL");
  await expect
    .poll(async () => (await ownerOf(execution_id)).owner !== before.owner, { timeout: 20_000, interval: 20 })
    .toBe(true);
  const takenOverMs = performance.now() - killedAt;
  await expect.poll(() => ended(execution_id), { timeout: 30_000, interval: 50 }).toBe(true);
  await second.stop();
  const execution = await parts.executions.get(execution_id);
  expect(execution.status, where).toBe("completed");
  expect(execution.steps.length, where).toBe(execution.steps_total);
  for (const { step_id } of doneBefore) {
    expect(adapter.calls.get(`${execution_id}:${step_id}:1`) ?? 1, where).toBe(1);
  }
  const cases = await platform.db
    .selectFrom("audit_log")
    .select("id")
    .where("action", "=", "case.created")
    .where("actor", "=", "amina.farouk")
    .where("details", "@>", sql<object>`${JSON.stringify({ alert_ids: [execution.alert_id] })}::jsonb`)
    .execute();
  expect(cases.length, where).toBe(1);
  expect(takenOverMs, where).toBeLessThan(TAKEN_OVER_MS);
  return true;
}

it(
  "takes over from a worker that was killed, within five seconds, and repeats nothing that was finished",
  async () => {
    if (!isFull) {
      for (const [playbookId, place] of FEW) expect(await killAt(playbookId, place)).toBe(true);
      return;
    }
    for (const { id } of playbooks) for (let place = 1; await killAt(id, place); place += 1);
  },
  isFull ? 3_600_000 : 120_000,
);

it(
  "keeps executions that wait for people as rows: a small process, a quiet database, and a quick start after the decision",
  async () => {
    const count = isFull ? 2000 : 40;
    const { db } = platform;
    const caller = { kind: "user", username: "admin", role: "admin" } as const;
    const steps = [
      { id: "agree", action: "approval.request", params: { action: "go on" } },
      { id: "tell", action: "notify.webhook", params: { channel: "soc", text: "go" } },
    ];
    await db.transaction().execute((tx) => parts.playbooks.put(tx, caller, "ask", { name: "Ask", steps }));
    const plan = () => parts.executions.plan(caller, { playbookId: "ask", body: {} });
    for (let made = 0; made < count; made += 1) {
      const planned = await plan();
      await db.transaction().execute((tx) => parts.executions.execute(tx, planned));
    }
    const worker = await startResponseWorker({ databaseUrl: platform.url ?? "", adapterUrl: adapter.url });
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
      await db.transaction().execute((tx) => parts.executions.resume(tx, execution_id, "approved"));
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
    // With few, what the database still counts of their beginning is among it.
    expect(perSecond).toBeLessThan(isFull ? 20 : 60);
    expect(p95).toBeLessThan(1000);
  },
  isFull ? 900_000 : 120_000,
);
