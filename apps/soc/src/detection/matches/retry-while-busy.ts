import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { retryConflicts } from "../../foundation/runtime/retry-conflicts.ts";
import { RuleBusy } from "./matches.store.ts";

const LONGEST_WAIT_MS = 60_000;
const WAIT_MS = 100;

/** Runs the work, each time in a new transaction, until no other transaction stores matches of the same rule. */
export async function retryWhileBusy<Result>(
  clock: Pick<Clock, "sleep" | "monotonicMs">,
  work: () => Promise<Result>,
): Promise<Result> {
  const untilMs = clock.monotonicMs() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      return await retryConflicts(work);
    } catch (error) {
      if (!(error instanceof RuleBusy)) throw error;
      if (clock.monotonicMs() > untilMs) {
        throw new Problem("unavailable", `rule '${error.message}' is busy with other runs; try again`, {
          cause: error,
        });
      }
    }
    await clock.sleep(WAIT_MS);
  }
}
