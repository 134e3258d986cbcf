import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startLogEngine } from "../../../testing/servers/log-engine.ts";
import { createClickhouseLogStore } from "../../adapters/clickhouse/clickhouse.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";

/**
 * When the process is killed: before it stores a group, during the insert, or after the insert but before the
 * acknowledgement.
 */
const MOMENTS = ["after", "during", "before"];
const KILLS = process.env.PROVE === "full" ? 20 : MOMENTS.length;
const SENDERS = 4;
const BATCH = 500;
const MINUTE = 60_000;
const ROOT = join(import.meta.dirname, "../../../../..");
const clock = createClock();
const folder = mkdtempSync(join(tmpdir(), "intake-kills-"));
// Inside node_modules, so that the script resolves its packages.
const built = mkdtempSync(join(ROOT, "node_modules/.intake-"));

beforeAll(async () => {
  const conditions = ["source", "node"];
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    resolve: { conditions },
    ssr: { noExternal: [/^@kit\//], resolve: { conditions } },
    build: {
      ssr: true,
      outDir: built,
      target: "node20",
      minify: false,
      rolldownOptions: {
        input: [
          join(ROOT, "apps/soc/src/main-log-engine.ts"),
          join(ROOT, "apps/soc/testing/processes/shippers-process.ts"),
        ],
      },
    },
  });
}, MINUTE);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(built, { recursive: true, force: true });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it(`loses no acknowledged event and duplicates no named batch over ${KILLS} kills`, {
  timeout: 20 * MINUTE,
}, async () => {
  const { url } = await freshDatabase();
  const port = await freePort();
  const logFolder = join(folder, "logs");
  const startIntake = (dies: string): Promise<StartedProcess> =>
    startProcess({
      command: process.execPath,
      args: [join(built, "shippers-process.js")],
      env: {
        DATABASE_URL: url,
        MIGRATIONS: join(import.meta.dirname, "../../migrations"),
        LOG_FOLDER: logFolder,
        ENGINE_ENTRY: join(built, "main-log-engine.js"),
        PORT: String(port),
        DIES: dies,
      },
      readyWhen: /ready/,
      withinMs: 2 * MINUTE,
    });
  let isOver = false;
  // A failed test must stop sending, otherwise its process would never exit.
  const failed = new AbortController();
  let refusals = 0;
  const acknowledged: string[] = [];

  async function send(source: string, isNamed: boolean): Promise<boolean> {
    const body = Array.from({ length: BATCH }, (_, n) => `{"message":"m ${n}","n":${n}}`).join("\n");
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/siem/ingest?source=${source}`, {
      method: "POST",
      body,
      headers: isNamed ? { "x-batch-id": source } : {},
      signal: AbortSignal.any([failed.signal, clock.deadline(30_000)]),
    });
    const { accepted } = JSON.parse(await answer.text());
    if (answer.status === 202) expect(accepted).toBe(BATCH);
    return answer.status === 202;
  }

  async function sendUntilAcknowledged(source: string, isNamed: boolean): Promise<void> {
    while (!(await send(source, isNamed).catch(() => false))) {
      failed.signal.throwIfAborted();
      refusals += 1;
      await clock.sleep(20);
    }
    acknowledged.push(source);
  }

  const lives = Array.from({ length: KILLS }, (_, kill) => MOMENTS[kill % MOMENTS.length] ?? "");
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    const isNamed = sender > 0;
    for (let turn = 0; !isOver; turn += 1) {
      await sendUntilAcknowledged(`${isNamed ? "named" : "plain"}-${sender}-${turn}`, isNamed);
    }
  });
  const sent = Promise.all(senders);
  async function killAndStop(): Promise<void> {
    for (const dies of lives) {
      const { pid } = await startIntake(dies);
      await expect.poll(() => isAlive(pid), { timeout: 2 * MINUTE, interval: 10 }).toBe(false);
    }
    const intake = await startIntake("");
    isOver = true;
    await Promise.race([
      sent,
      clock.sleep(2 * MINUTE).then(() => Promise.reject(new Error("not all batches were accepted"))),
    ]);
    expect(await intake.stop("SIGTERM")).toBe(0);
  }
  await killAndStop().catch(async (error: unknown) => {
    failed.abort();
    await sent.catch(() => undefined);
    throw error;
  });

  const { engine } = await startLogEngine({ folder: logFolder, log: silentLog });
  const store = createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 90 });
  const all = { time: "ingested_at" as const, from: new Date(0), to: new Date("2100-01-01T00:00:00Z") };
  const ids = new Map<string, Set<string>>();
  const rows = new Map<string, number>();
  const where = { sql: "true", parameters: {} };
  for await (const page of store.stream({ ...all, scope: ALL_SITES, where, order: "oldest", limit: 10_000_000 })) {
    for (const { source, id, attributes } of page) {
      ids.set(source, (ids.get(source) ?? new Set()).add(source.startsWith("named") ? id : String(attributes.n)));
      rows.set(source, (rows.get(source) ?? 0) + 1);
    }
  }
  await store.close();
  await engine.close();
  const lost = acknowledged.filter((source) => ids.get(source)?.size !== BATCH);
  const doubled = acknowledged.filter((source) => source.startsWith("named") && rows.get(source) !== BATCH);
  console.log({
    kills: KILLS,
    acknowledged: acknowledged.length,
    refusals,
    lost: lost.length,
    doubled: doubled.length,
  });
  expect(refusals).toBeGreaterThan(0);
  expect(lost).toEqual([]);
  expect(doubled).toEqual([]);
});
