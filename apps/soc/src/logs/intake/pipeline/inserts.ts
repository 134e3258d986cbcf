import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { LogEvent } from "../../search/log.ts";
import type { LogStore } from "../../search/log-store.ts";
import { tokenOf } from "../formats/keys.ts";

export interface InsertsDeps {
  logStore: Pick<LogStore, "insert">;
  clock: Pick<Clock, "sleep">;
}

export interface InsertHooks {
  /** Called before each attempt to insert a batch that contains this log. */
  beforeEach: (probe: LogEvent) => Promise<void>;
  /** Called for a log that the store will never accept, before the others are retried without it. */
  refuse: (log: LogEvent, reason: string) => Promise<void>;
}

// The log engine's process is back within half a second; a cluster elects a leader within a few seconds.
const WAITS_MS = [50, 100, 200, 400, 800, 1600, 3200];
// If the store names more bad rows than this one by one, splitting in halves is faster.
const MAX_NAMED = 20;
const PLACE = /^batch\[(\d+)\](?:\.|: )?(.*)$/s;

/** Inserts into the log store that retry during short outages and isolate bad rows. */
export function createInserts({ logStore, clock }: InsertsDeps) {
  /** Every attempt uses the same token: if an earlier attempt succeeded, a later one changes nothing. */
  async function insertWithRetries(logs: readonly LogEvent[]): Promise<void> {
    const token = tokenOf(logs);
    for (const waitMs of WAITS_MS) {
      try {
        return await logStore.insert(logs, { token });
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== "unavailable") throw error;
        await clock.sleep(waitMs);
      }
    }
    return logStore.insert(logs, { token });
  }

  /** Splits the batch in halves until the bad rows are isolated, when the store does not name them. */
  async function insertByHalves(logs: readonly LogEvent[], hooks: InsertHooks): Promise<void> {
    const [first] = logs;
    if (!first) return;
    await hooks.beforeEach(first);
    const refusal = await tryInsert(logs);
    if (!refusal) return;
    if (logs.length === 1) return hooks.refuse(first, refusal.message.replace(PLACE, "event: $2"));
    const middle = Math.ceil(logs.length / 2);
    await insertByHalves(logs.slice(0, middle), hooks);
    await insertByHalves(logs.slice(middle), hooks);
  }

  async function tryInsert(logs: readonly LogEvent[]): Promise<Problem | undefined> {
    try {
      await insertWithRetries(logs);
      return undefined;
    } catch (error) {
      if (error instanceof Problem && error.kind === "invalid") return error;
      throw error;
    }
  }

  /** The log that the store names in its error, and why; undefined when it names none. */
  function findBadLog(logs: readonly LogEvent[], refusal: Problem): { log: LogEvent; reason: string } | undefined {
    const [, digits, why] = PLACE.exec(refusal.message) ?? [];
    const log = digits === undefined ? undefined : logs[Number(digits)];
    return log && { log, reason: why || "event: cannot be stored" };
  }

  return {
    async insert(logs: readonly LogEvent[], hooks: InsertHooks): Promise<void> {
      let left = logs;
      for (let named = 0; named < MAX_NAMED; named += 1) {
        const [first] = left;
        if (!first) return;
        await hooks.beforeEach(first);
        const refusal = await tryInsert(left);
        if (!refusal) return;
        const bad = findBadLog(left, refusal);
        if (!bad) break;
        await hooks.refuse(bad.log, bad.reason);
        left = left.filter((each) => each !== bad.log);
      }
      await insertByHalves(left, hooks);
    },
  };
}
