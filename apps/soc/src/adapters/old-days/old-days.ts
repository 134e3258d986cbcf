import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Background } from "../../foundation/base.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { createClickhouseLogStore } from "../clickhouse/clickhouse.ts";
import { bucketTable } from "../clickhouse/clickhouse-tables.ts";
import type { MemberStore } from "../clickhouse/member.ts";
import type { S3Settings } from "../files/s3-client.ts";
import { publish, readEngineSocket } from "../log-engine/box-log-engine.ts";
import { createEngineTasks } from "../log-engine/engine-tasks.ts";
import { agentOn, ENGINE_URL, type LogEngine } from "../log-engine/log-engine.ts";
import { BUCKET_DISK, type BucketEngineDeps, createBucketEngine } from "./bucket-engine.ts";
import { createDayMover, type DayMoverDeps } from "./day-mover.ts";
import { createOldDaysBucket, type OldDaysBucket, OWNER } from "./old-days-bucket.ts";
import { createOldDaysFile } from "./old-days-file.ts";
import { createTieredLogStore } from "./tiered-log-store.ts";

export interface OldDaysDeps
  extends Pick<DayMoverDeps, "boxDays" | "retentionDays" | "graceMs">,
    Pick<BucketEngineDeps, "program" | "entry" | "settings"> {
  dataFolder: string;
  ids: Pick<Ids, "next">;
  clock: Clock;
  log: Log;
}

const ROUND_MS = 60_000;
const RETRY_MS = 5000;

export const toOldDaysList = (dataFolder: string) => join(dataFolder, "old-days", "days.json");
const toOldDaysAddress = (dataFolder: string) => join(dataFolder, "old-days", "engine.address");
/** Written after every round that moved everything that was due. */
export const toLastRound = (dataFolder: string) => join(dataFolder, "old-days", "last-round");
const toOwner = (dataFolder: string) => join(dataFolder, "old-days", OWNER);

/**
 * Keeps the engine of the bucket running, and moves old days into it, while this process owns the engine of the
 * machine.
 */
export function keepOldDays(deps: OldDaysDeps, boxSocket: string): Background {
  const { dataFolder, settings, program, entry, ids, clock, log } = deps;
  const closing = new AbortController();
  const until = closing.signal;
  let running: Promise<void> | undefined;
  let lastFailure = "";

  async function keepRunning(): Promise<void> {
    while (!until.aborted) {
      try {
        await runEngine();
      } catch (error) {
        const failure = String(error);
        if (failure !== lastFailure && !until.aborted)
          log.warn({ err: error }, "old logs in the bucket are not available");
        lastFailure = failure;
        await clock.sleep(RETRY_MS, until).catch(() => undefined);
      }
    }
  }

  async function runEngine(): Promise<void> {
    const store = createOldDaysBucket({ settings, clock });
    await requireOwner(toOwner(dataFolder), store, ids);
    const folder = join(dataFolder, "old-days", "engine");
    const engine = await createBucketEngine({ folder, settings, program, entry, clock, log });
    const close = () => void engine.close();
    until.addEventListener("abort", close);
    try {
      await engine.start();
      await Promise.race([moveDays(engine, store), engine.ended()]);
    } finally {
      until.removeEventListener("abort", close);
      await engine.close();
    }
  }

  /** Runs until it is closed. */
  async function moveDays(engine: LogEngine, store: OldDaysBucket): Promise<void> {
    const box = createEngineTasks({ socketPath: boxSocket, clock, ids });
    const bucket = createEngineTasks({ socketPath: engine.socketPath(), clock, ids });
    try {
      await bucket.command(bucketTable(BUCKET_DISK));
      const file = createOldDaysFile(toOldDaysList(dataFolder));
      const through = join(dataFolder, "old-days", "through");
      const mover = createDayMover({ ...deps, box, bucket, store, file, through });
      await mover.begin();
      await publish(toOldDaysAddress(dataFolder), engine.address());
      lastFailure = "";
      const loop = createPollingLoop({
        async round() {
          await mover.round(until);
          await writeFile(toLastRound(dataFolder), `${clock.now().toISOString()}\n`, { mode: 0o600 });
        },
        waitMs: ROUND_MS,
        failure: "old days of logs were not moved",
        clock,
        log,
      });
      loop.start();
      await clock.sleep(Infinity, until).catch(() => undefined);
      await loop.close();
    } finally {
      await Promise.all([box.close(), bucket.close()]);
    }
  }

  return {
    start() {
      running ??= keepRunning();
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

export interface TieredStoreDeps {
  dataFolder: string;
  retentionDays: number;
  /** If undefined, the days in the bucket are missing from responses, which report it. */
  settings: S3Settings | undefined;
  clock: Pick<Clock, "now" | "sleep" | "monotonicMs">;
}

/** The logs of the machine and its old days, in every process of the machine. */
export function openTieredStore(box: MemberStore, deps: TieredStoreDeps): LogStore {
  const { dataFolder, retentionDays, settings, clock } = deps;
  const file = createOldDaysFile(toOldDaysList(dataFolder));
  const agent = agentOn(() => readEngineSocket(toOldDaysAddress(dataFolder)));
  const store = settings && createOldDaysBucket({ settings, clock });
  return createTieredLogStore({
    box,
    bucket: createClickhouseLogStore({ url: ENGINE_URL, agent, retentionDays }),
    days: () => file.read(),
    bucketAnswers: async () => (await store?.answers()) ?? false,
    clock,
  });
}

/** Two machines that write to one bucket would delete each other's days. */
async function requireOwner(path: string, store: OldDaysBucket, ids: Pick<Ids, "next">): Promise<void> {
  const own = (await readFile(path, "utf8").catch(() => "")).trim();
  const found = (await store.readText(OWNER))?.trim();
  if (found !== undefined && found === own) return;
  if (found !== undefined) {
    throw new Problem("failed", `SOC_LOG_BUCKET: belongs to another data folder, whose ${path} has ${found}`);
  }
  const made = own || ids.next();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${made}\n`, { mode: 0o600 });
  await store.writeText(OWNER, `${made}\n`);
}
