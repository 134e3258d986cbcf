import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createClock } from "@kit/clock";
import pg from "pg";
import { expect } from "vitest";
import { partitionFor } from "../../src/logs/intake/pipeline/partition-for.ts";
import { startNatsServers } from "../servers/nats-servers.ts";
import { createBatches } from "./events.ts";
import { readServerMicros, readSocketBytes, type SocketBytes } from "./process-usage.ts";
import { type Product, SENDER, startProduct } from "./product.ts";

/** The cumulative use of the processes at a moment. */
export interface Usage {
  atMs: number;
  acknowledged: number;
  /** CPU time in microseconds: of each of our processes by its script, of `nats`, and of `postgres`. */
  micros: ReadonlyMap<string, number>;
  transactions: number;
  natsBytes: SocketBytes;
  databaseBytes: SocketBytes;
  groups: number;
}

export interface World {
  product: Product;
  /** Sends logs and counts them. */
  send(lines: Uint8Array<ArrayBuffer>, count: number, source: string): Promise<void>;
  /** One source per partition; one for a single machine. */
  sources: readonly string[];
  readUsage(): Promise<Usage>;
  countStored(): Promise<number>;
  /** Waits until this many logs are stored and evaluated. */
  waitUntilEvaluated(logs: number): Promise<void>;
  /** Drops backfills for the time before the start, which are not part of the cost of logs. */
  forgetBackfills(): Promise<void>;
  stop(): Promise<void>;
}

const RULES_PER_IMPORT = 250;
const MANY = "1000000";
const CAUGHT_UP_MS = 300_000;
/** Files of the engine, which each run creates itself. */
const NOT_COPIED = new Set(["logs", "recent-logs", "log-engine.address"]);
const NO_BYTES: SocketBytes = { received: 0, sent: 0 };
const clock = createClock();

/** Prepares a database with rules that each run copies, because importing all public rules takes longer than a run. */
export async function prepareWorlds(ruleTexts: readonly string[], release?: string) {
  const first = await startProduct({ release });
  for (let at = 0; at < ruleTexts.length; at += RULES_PER_IMPORT) {
    await first.import(ruleTexts.slice(at, at + RULES_PER_IMPORT).join("\n---\n"));
  }
  await first.end();
  let made = 0;
  return {
    /** Opens a single machine without partitions, or one host with partitions in NATS. */
    open(partitions: number | undefined): Promise<World> {
      made += 1;
      return openWorld(first, { copy: made, partitions, release });
    },
    close: () => first.stop(),
  };
}

/** Copies the database, which must have no sessions, and the folder with the keys. */
async function copyProduct({ databaseUrl, folder: from, key }: Product, copy: number) {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  const owner = new pg.Client(url.href);
  await owner.connect();
  await owner.query(`CREATE DATABASE ${name}_${copy} TEMPLATE ${name}`);
  await owner.end();
  url.pathname = `/${name}_${copy}`;
  const folder = mkdtempSync(join(tmpdir(), "bench-growth-"));
  const isCopied = (path: string) => !(NOT_COPIED.has(basename(path)) || path.endsWith(".sock"));
  cpSync(from, folder, { recursive: true, filter: isCopied });
  return { databaseUrl: url.href, folder, key };
}

interface WorldOptions {
  copy: number;
  partitions: number | undefined;
  release: string | undefined;
}

async function openWorld(first: Product, { copy, partitions, release }: WorldOptions): Promise<World> {
  const earlier = await copyProduct(first, copy);
  const nats = partitions === undefined ? undefined : await startNatsServers(1);
  const env = nats && { SOC_STREAM: nats.url, SOC_LOG_PARTITIONS: String(partitions) };
  const product = await startProduct({ earlier, release, env: { SOC_LIMIT_INTAKE_PER_MINUTE: MANY, ...env } });
  const owner = new pg.Client(earlier.databaseUrl);
  await owner.connect();

  async function count(statement: string): Promise<number> {
    const { rows } = await owner.query<{ found: string | null }>(`SELECT ${statement}`);
    return Number(rows[0]?.found ?? 0);
  }

  /** Uses the counters of the sources: querying the log store would cost as much as its concurrent inserts. */
  const countStored = () => count("sum(stored) AS found FROM log_sources");
  let acknowledged = 0;
  return {
    product,
    async send(lines, logs, source) {
      await product.ingest(lines, logs, source);
      acknowledged += logs;
    },
    sources: partitions === undefined ? ["bench"] : listSources(partitions),

    async readUsage() {
      const node = nats?.nodes[0];
      const [own, natsMicros, databaseMicros] = await Promise.all([
        product.cpuMicros(),
        readServerMicros(node?.pid()),
        readServerMicros(first.databasePid),
      ]);
      return {
        atMs: clock.monotonicMs(),
        acknowledged,
        micros: new Map([...own, ["nats", natsMicros], ["postgres", databaseMicros]]),
        transactions: await count(
          "xact_commit + xact_rollback AS found FROM pg_stat_database WHERE datname = current_database()",
        ),
        natsBytes: node ? await readSocketBytes(node.port) : NO_BYTES,
        databaseBytes: await readSocketBytes(Number(new URL(first.databaseUrl).port)),
        groups: partitions === undefined ? 0 : await count("sum(groups) AS found FROM log_partitions"),
      };
    },

    countStored,

    async waitUntilEvaluated(logs) {
      const patience = { timeout: CAUGHT_UP_MS, interval: 250 };
      await expect.poll(countStored, patience).toBe(logs);
      const { rows } = await owner.query<{ now: Date }>("SELECT clock_timestamp() AS now");
      const behind = `count(*) AS found FROM detection_stream WHERE position < '${rows[0]?.now.toISOString()}'`;
      await expect.poll(() => count(behind), patience).toBe(0);
    },

    async forgetBackfills() {
      await owner.query("DELETE FROM detection_backfills");
      const isUnderWay = "count(*) AS found FROM detection_batches WHERE finished_at IS NULL";
      await expect.poll(() => count(isUnderWay), { timeout: CAUGHT_UP_MS, interval: 250 }).toBe(0);
    },

    async stop() {
      await owner.end();
      await product.stop();
      await nats?.stop();
      rmSync(earlier.folder, { recursive: true, force: true });
    },
  };
}

/** One source per partition, by the product's own function. */
function listSources(partitions: number): string[] {
  const found = new Map<number, string>();
  for (let n = 0; found.size < partitions; n += 1) {
    const source = `bench-${n}`;
    const partition = partitionFor({ site: "", source, sender: SENDER }, partitions);
    if (!found.has(partition)) found.set(partition, source);
  }
  return [...found.values()];
}

export interface Load {
  /** The size of one request. */
  batch: number;
  /** Requests per second; undefined means as many as are answered. */
  perSecond?: number;
  inFlight: number;
}

/** Sends batches to the sources in rotation until `isOver`; returns the number of acknowledged logs. */
export async function sendUntil(world: World, load: Load, isOver: (sent: number) => boolean) {
  const { batch, perSecond, inFlight } = load;
  const waiting = new Set<Promise<void>>();
  const nextBatch = createBatches(4 * inFlight, batch);
  const beganMs = clock.monotonicMs();
  let sent = 0;
  for (; !isOver(sent * batch); sent += 1) {
    if (perSecond) await clock.sleep(Math.max(0, beganMs + (sent * 1000) / perSecond - clock.monotonicMs()));
    while (waiting.size >= inFlight) await Promise.race(waiting);
    const source = world.sources[sent % world.sources.length] ?? "";
    const sending = world.send(nextBatch(sent, clock.now().toISOString()), batch, source);
    waiting.add(sending);
    void sending.finally(() => waiting.delete(sending)).catch(() => undefined);
  }
  await Promise.all(waiting);
  return sent * batch;
}
