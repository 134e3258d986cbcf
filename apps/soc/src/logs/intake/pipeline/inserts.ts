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
  /** Called before an insert is tried that holds this log. */
  beforeEach: (probe: LogEvent) => Promise<void>;
  /** Called for a log that the store will never take, before the others are tried without it. */
  refuse: (log: LogEvent, reason: string) => Promise<void>;
}

// The log engine's process is back within half a second; a cluster chooses a leader within some.
const WAITS_MS = [50, 100, 200, 400, 800, 1600, 3200];
// Beyond so many that the store names, it is quicker to halve.
const MAX_NAMED = 20;
const PLACE = /^batch\[(\d+)\](?:\.|: )?(.*)$/s;

/** Inserts into the log store that outlast its short absences, and that a bad row does not fail. */
export function createInserts({ logStore, clock }: InsertsDeps) {
  /** With one token throughout: if an earlier try did happen, a later one changes nothing. */
  async function insertPatiently(logs: readonly LogEvent[]): Promise<void> {
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

  /** Stores what can be stored in ever smaller pieces, when the store does not say which row is at fault. */
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
      await insertPatiently(logs);
      return undefined;
    } catch (error) {
      if (error instanceof Problem && error.kind === "invalid") return error;
      throw error;
    }
  }

  /** The log that the store names, and why; undefined when it names none. */
  function badOne(logs: readonly LogEvent[], refusal: Problem): { log: LogEvent; reason: string } | undefined {
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
        const bad = badOne(left, refusal);
        if (!bad) break;
        await hooks.refuse(bad.log, bad.reason);
        left = left.filter((each) => each !== bad.log);
      }
      await insertByHalves(left, hooks);
    },
  };
}
