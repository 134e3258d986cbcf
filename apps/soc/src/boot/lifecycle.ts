import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Background, Sweep } from "../foundation/base.ts";
import { createPollingLoop } from "../foundation/polling-loop.ts";
import type { LogStore } from "../ports/log-store.ts";

const SWEEP_MS = 10 * 60_000;
const FIRST_SWEEP_MS = 30_000;
/** The pause between two pieces of a sweep, in which other work can use the database. */
const PIECE_MS = 50;
const MIGRATE_RETRY_MS = 1000;
const LOG_EVERY_TURNS = 10;

export async function startAll(background: readonly Background[]): Promise<void> {
  for (const each of background) await each.start();
}

/** Closes in reverse order: a consumer closes before its source. */
export async function closeAll(background: readonly Background[]): Promise<void> {
  for (const each of background.toReversed()) await each.close();
}

export interface SweeperDeps {
  sweeps: readonly Sweep[];
  clock: Pick<Clock, "sleep">;
  ids: Pick<Ids, "secret">;
  log: Pick<Log, "warn">;
}

/**
 * Runs each sweep to its end, soon after the start and then every ten minutes. A failed sweep does not stop the others.
 */
export function createSweeper({ sweeps, clock, ids, log }: SweeperDeps): Background {
  async function sweepToEnd(run: Sweep["run"], closing: AbortSignal): Promise<void> {
    for (let swept = await run(); swept > 0 && !closing.aborted; swept = await run()) {
      await clock.sleep(PIECE_MS, closing).catch(() => undefined);
    }
  }

  async function sweepAll(closing: AbortSignal): Promise<void> {
    for (const { name, run } of sweeps) {
      if (closing.aborted) return;
      await sweepToEnd(run, closing).catch((error: unknown) => log.warn({ err: error, sweep: name }, "sweep failed"));
    }
  }

  /** Random, so that processes that start together do not sweep together. */
  const firstWaitMs = () => FIRST_SWEEP_MS * (1 + ids.secret(4).readUInt32BE() / 2 ** 32);

  return createPollingLoop({
    async round(turn, closing) {
      if (turn === 0) return firstWaitMs();
      await sweepAll(closing);
      return SWEEP_MS;
    },
    waitMs: SWEEP_MS,
    failure: "sweep failed",
    clock,
    log,
  });
}

export interface LogMigrationDeps {
  logStore: Pick<LogStore, "migrate" | "identify">;
  /** Throws if the process must not use these stores. */
  requireKnown: (identities: readonly string[]) => Promise<void>;
  /** A person must change a variable or the server that it names, so this process must exit. */
  onRefused?: ((refusal: Problem) => void) | undefined;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

/** Migrates the log store, which may start later than this process, and compares it with that of the other processes. */
export function createLogMigration({ logStore, requireKnown, onRefused, clock, log }: LogMigrationDeps): Background {
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  async function migrate(): Promise<void> {
    for (let turn = 0; !closing.signal.aborted; turn += 1) {
      try {
        await logStore.migrate();
        await requireKnown(await logStore.identify());
        return;
      } catch (error) {
        if (error instanceof Problem && error.field !== undefined) onRefused?.(error);
        // On a single machine the log engine usually starts after this process.
        if (turn > 0 && turn % LOG_EVERY_TURNS === 0) log.warn({ err: error }, "log store is not ready");
        await clock.sleep(MIGRATE_RETRY_MS, closing.signal).catch(() => undefined);
      }
    }
  }
  return {
    start() {
      running ??= migrate();
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
