import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { LogEvent } from "../../../ports/log-event.ts";
import type { InsertOptions, LogStore } from "../../../ports/log-store.ts";
import { tokenOf } from "../formats/keys.ts";

export interface InsertsDeps {
  logStore: Pick<LogStore, "insert">;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
}

// The log engine restarts within half a second; a cluster elects a leader within a few seconds.
const WAITS_MS = [50, 100, 200, 400, 800, 1600, 3200];
// The insert in progress holds back the watermark, and with it the rules of all machines.
const MAX_RETRYING_MS = 10_000;
const PLACE = /^batch(?:\[(\d+)\])?(\.|: )(.+)$/s;

/** Inserts into the log store that retry during short outages. */
export function createInserts({ logStore, clock }: InsertsDeps) {
  return {
    /**
     * Stores all logs or none. Every attempt uses the same token: if an earlier attempt succeeded, a later one changes
     * nothing. The options are read for each attempt.
     */
    async insert(
      logs: readonly LogEvent[],
      readOptions: () => InsertOptions = () => ({ token: tokenOf(logs) }),
    ): Promise<void> {
      if (logs.length === 0) return;
      const startMs = clock.monotonicMs();
      for (const waitMs of WAITS_MS) {
        try {
          return await logStore.insert(logs, readOptions());
        } catch (error) {
          const isOver = clock.monotonicMs() - startMs + waitMs > MAX_RETRYING_MS;
          if (isOver || !(error instanceof Problem) || error.kind !== "unavailable") throw error;
          await clock.sleep(waitMs);
        }
      }
      return logStore.insert(logs, readOptions());
    },
  };
}

/** The store's description of a row that it refuses; the place is undefined if the store does not name the row. */
export interface RowProblem {
  place: number | undefined;
  reason: string;
}

/** Undefined for an error that is not about the rows: the same insert may succeed later. */
export function parseRowProblem(error: unknown): RowProblem | undefined {
  if (!(error instanceof Problem) || error.kind !== "invalid") return undefined;
  const [, digits, mark, why = "cannot be stored"] = PLACE.exec(error.message) ?? [];
  return { place: digits === undefined ? undefined : Number(digits), reason: mark === "." ? why : `event: ${why}` };
}
