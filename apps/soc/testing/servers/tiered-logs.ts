import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import { bucketTable } from "../../src/adapters/clickhouse/clickhouse-tables.ts";
import type { S3Settings } from "../../src/adapters/files/s3-client.ts";
import { createEngineTasks, type EngineTasks } from "../../src/adapters/log-engine/engine-tasks.ts";
import { agentOn, ENGINE_URL } from "../../src/adapters/log-engine/log-engine.ts";
import { BUCKET_DISK, createBucketEngine } from "../../src/adapters/old-days/bucket-engine.ts";
import { createDayMover, type DayMoverDeps } from "../../src/adapters/old-days/day-mover.ts";
import type { OldDay } from "../../src/adapters/old-days/old-day.ts";
import { createOldDaysBucket } from "../../src/adapters/old-days/old-days-bucket.ts";
import { createOldDaysFile } from "../../src/adapters/old-days/old-days-file.ts";
import { createTieredLogStore } from "../../src/adapters/old-days/tiered-log-store.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { BUCKET_SECRET, type BucketServer, startBucketServer } from "./bucket-server.ts";
import { builtEntry } from "./log-engine.ts";
import { startLogStores } from "./log-stores.ts";

const clock = createClock();
const RETENTION_DAYS = 36_500;
const HOUR_MS = 3_600_000;

export interface TieredLogs {
  store: LogStore;
  bucket: BucketServer;
  days: () => readonly OldDay[];
  /** Sets the clock of the mover, which moves the logs that are old at this time. */
  setTime(at: Date): void;
  passHours(hours: number): void;
  round(): Promise<void>;
  /** Restarts the mover as in a new process. With `at`, its n-th step fails: after it was done, or before. */
  restart(fault?: Fault): Promise<void>;
  /** How many steps the mover has taken since it was started. */
  steps(): number;
  stop(): Promise<void>;
}

export interface Fault {
  at: number;
  when: "before" | "after";
}

/** A log engine, a bucket with its own engine, and the mover between them, all real except for their clock. */
export async function startTieredLogs(): Promise<TieredLogs> {
  const dataFolder = mkdtempSync(join(tmpdir(), "tiered-logs-"));
  const server = await startBucketServer();
  const one = await startLogStores(1);
  const [first] = one.engines;
  if (!first) throw new Error("there is a log engine");
  const settings = toSettings(server);
  const engine = await createBucketEngine({
    ...{ folder: join(dataFolder, "engine"), settings, clock, log: silentLog },
    ...{ program: process.execPath, entry: await builtEntry() },
  });
  await engine.start();
  const ids = createIds(clock);
  const box = createEngineTasks({ socketPath: first.engine().socketPath(), clock, ids });
  const bucket = createEngineTasks({ socketPath: engine.socketPath(), clock, ids });
  await bucket.command(bucketTable(BUCKET_DISK));
  const file = createOldDaysFile(join(dataFolder, "days.json"));
  const objects = createOldDaysBucket({ settings, clock });
  const agent = agentOn(() => engine.socketPath());
  const store = createTieredLogStore({
    box: first.store,
    bucket: createClickhouseLogStore({ url: ENGINE_URL, agent, retentionDays: RETENTION_DAYS }),
    days: () => file.read(),
    bucketAnswers: () => objects.answers(),
    clock,
  });

  let now = new Date(0);
  let steps = 0;
  const createMover = async (fault?: Fault) => {
    steps = 0;
    const guard = <Args extends unknown[], Answer>(step: (...args: Args) => Promise<Answer>) => {
      return async (...args: Args): Promise<Answer> => {
        steps += 1;
        const fails = steps === fault?.at;
        if (fails && fault?.when === "before") throw new Error(`step ${steps} was not begun`);
        const answer = await step(...args);
        if (fails) throw new Error(`step ${steps} was the last one`);
        return answer;
      };
    };
    const guarded = (tasks: EngineTasks): EngineTasks => ({
      ...tasks,
      command: guard((query: string) => tasks.command(query)),
      copy: guard((...asked: Parameters<EngineTasks["copy"]>) => tasks.copy(...asked)),
    });
    const deps: DayMoverDeps = {
      ...{ box: guarded(box), bucket: guarded(bucket) },
      file: { ...file, write: guard((days: readonly OldDay[]) => file.write(days)) },
      store: { ...objects, writeText: guard((name: string, text: string) => objects.writeText(name, text)) },
      through: join(dataFolder, "through"),
      ...{ boxDays: 1, retentionDays: RETENTION_DAYS },
      clock: { now: () => now },
      log: silentLog,
    };
    const created = createDayMover(deps);
    await created.begin();
    return created;
  };
  let mover = await createMover();

  return {
    store,
    bucket: server,
    days: () => file.read(),
    setTime(at) {
      now = at;
    },
    passHours(hours) {
      now = new Date(now.getTime() + hours * HOUR_MS);
    },
    round: () => mover.round(new AbortController().signal),
    async restart(fault) {
      mover = await createMover(fault);
    },
    steps: () => steps,
    async stop() {
      await Promise.all([box.close(), bucket.close()]);
      agent.destroy();
      await engine.close();
      await one.stop();
      await server.remove();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

export function toSettings({ url }: BucketServer): S3Settings {
  return { url: `${url}/soc`, region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: BUCKET_SECRET };
}
