import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import pg from "pg";
import { build } from "vite";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startLogEngine } from "../../../testing/servers/log-engine.ts";
import { startNatsServers } from "../../../testing/servers/nats-servers.ts";
import { createClickhouseLogStore } from "../../adapters/clickhouse/clickhouse.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";

const KILLS = process.env.PROVE === "full" ? 20 : 1;
/**
 * When the writer is killed: before it stores a group, during the insert, or after the insert but before it recorded
 * it.
 */
const MOMENTS = ["after", "during", "before"];
const SENDERS = 4;
const BATCH = 100;
const PAUSE_MS = 100;
// The servers elect a leader in about six seconds; for the rest of the time the two others run alone.
const DOWN_MS = 8000;
const MINUTE = 60_000;
const ROOT = join(import.meta.dirname, "../../../../..");
const clock = createClock();
const folder = mkdtempSync(join(tmpdir(), "intake-stream-kills-"));
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

/** Whether the stream is on three servers that all run and are up to date. */
async function isWhole(url: string): Promise<boolean> {
  const connection = await connect({ servers: url.replaceAll("nats://", "").split(",") });
  try {
    const { streams } = await jetstreamManager(connection, { checkAPI: false });
    const { cluster } = await streams.info("soc-logs-0");
    const others = cluster?.replicas ?? [];
    return others.length === 2 && others.every(({ current, offline }) => current && !offline);
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it(`loses and duplicates nothing while the writer and one of three stream servers are killed (${KILLS})`, {
  timeout: 25 * MINUTE,
}, async () => {
  const servers = await startNatsServers(3);
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
        STREAM: servers.url,
      },
      readyWhen: /ready/,
      withinMs: 2 * MINUTE,
    });
  let isOver = false;
  let refusals = 0;
  const acknowledged: string[] = [];

  async function send(source: string, isNamed: boolean): Promise<boolean> {
    const body = Array.from({ length: BATCH }, (_, n) => `{"message":"m ${n}","n":${n}}`).join("\n");
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/siem/ingest?source=${source}`, {
      method: "POST",
      body,
      headers: isNamed ? { "x-batch-id": source } : {},
      signal: clock.deadline(40_000),
    });
    const { accepted } = JSON.parse(await answer.text());
    if (answer.status === 202) expect(accepted).toBe(BATCH);
    return answer.status === 202;
  }

  /**
   * A named batch is sent until it is accepted. An unnamed one is sent once, so that only the platform could duplicate
   * it.
   */
  async function sendTurn(sender: number, turn: number): Promise<void> {
    const isNamed = sender % 2 === 0;
    for (let tries = 0; ; tries += 1) {
      const source = isNamed ? `named-${sender}-${turn}` : `plain-${sender}-${turn}-${tries}`;
      if (await send(source, isNamed).catch(() => false)) {
        acknowledged.push(source);
        return;
      }
      refusals += 1;
      await clock.sleep(20);
    }
  }

  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let turn = 0; !isOver; turn += 1) {
      await sendTurn(sender, turn);
      await clock.sleep(PAUSE_MS);
    }
  });
  const startMs = clock.monotonicMs();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { pid } = await startIntake(MOMENTS[kill % MOMENTS.length] ?? "");
    // Wait until the previously killed server has caught up, otherwise two of three would be down.
    await expect.poll(() => isWhole(servers.url), { timeout: 2 * MINUTE, interval: 200 }).toBe(true);
    const node = servers.nodes[kill % 3];
    await node?.kill();
    await clock.sleep(DOWN_MS);
    await node?.start();
    await expect.poll(() => isAlive(pid), { timeout: 2 * MINUTE, interval: 10 }).toBe(false);
  }
  const intake = await startIntake("");
  isOver = true;
  await Promise.all(senders);
  const seconds = (clock.monotonicMs() - startMs) / 1000;

  const owner = new pg.Client(url);
  await owner.connect();
  const { streams } = await jetstreamManager(
    await connect({ servers: servers.url.replaceAll("nats://", "").split(",") }),
    { checkAPI: false },
  );
  // A cluster refuses for a moment after electing its leader, which does not know its peers yet.
  const findLast = async (partition: number) => (await streams.info(`soc-logs-${partition}`)).state.last_seq;
  const listLast = () => Promise.all([0, 1, 2].map(findLast));
  const ends = await vi.waitFor(listLast, { timeout: 2 * MINUTE, interval: 250 });
  const handled = async () =>
    (await owner.query("SELECT handled FROM log_partitions ORDER BY partition")).rows.map((row) =>
      Number(row.handled.split(":")[1]),
    );
  await expect.poll(handled, { timeout: 2 * MINUTE, interval: 100 }).toEqual(ends);
  const letters = (await owner.query("SELECT count(*)::int AS n FROM dead_letters")).rows[0]?.n;
  await owner.end();
  expect(await intake.stop("SIGTERM")).toBe(0);
  await servers.stop();

  const { engine } = await startLogEngine({ folder: logFolder, log: silentLog });
  const store = createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 90 });
  const all = { time: "ingested_at" as const, from: new Date(0), to: new Date("2100-01-01T00:00:00Z") };
  const places = new Map<string, Set<string>>();
  const rows = new Map<string, number>();
  const where = { sql: "true", parameters: {} };
  for await (const page of store.stream({ ...all, scope: ALL_SITES, where, order: "oldest", limit: 10_000_000 })) {
    for (const { source, attributes } of page) {
      places.set(source, (places.get(source) ?? new Set()).add(String(attributes.n)));
      rows.set(source, (rows.get(source) ?? 0) + 1);
    }
  }
  await store.close();
  await engine.close();
  const lost = acknowledged.filter((source) => places.get(source)?.size !== BATCH);
  const doubled = [...rows.keys()].filter((source) => rows.get(source) !== places.get(source)?.size);
  process.stdout.write(
    `${KILLS} kills of the writer and of a stream's server in ${Math.round(seconds)} s: ${acknowledged.length * BATCH} events ` +
      `acknowledged, ${lost.length} batches lost, ${doubled.length} doubled, ${refusals} requests refused, ${letters} dead letters\n`,
  );
  expect(acknowledged.length).toBeGreaterThan(KILLS * SENDERS);
  expect(refusals).toBeGreaterThan(0);
  expect(lost).toEqual([]);
  expect(doubled).toEqual([]);
  expect(letters).toBe(0);
});
