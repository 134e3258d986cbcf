import { Problem } from "@kit/problem";
import { type Effect, type Fate, MODE_TABLE, selectRow } from "./mode-table.ts";
import type { RuntimeTruthBody } from "./runtime.schema.ts";

function fateOf(effect: Effect, isSensor: boolean, { mode, is_database_available }: RuntimeTruthBody): Fate {
  const fates = MODE_TABLE[selectRow(effect, isSensor)][mode];
  return is_database_available ? fates.up : fates.down;
}

/** Returns why the effect is not allowed now; undefined if it is allowed, at least as a preview. */
export function findRefusal(effect: Effect, isSensor: boolean, truth: RuntimeTruthBody): Problem | undefined {
  const fate = fateOf(effect, isSensor, truth);
  if (fate === "blocked") {
    return new Problem("forbidden", `Runtime mode '${truth.mode}' blocks this change`, { code: "mode_blocked" });
  }
  return fate === "unavailable" ? new Problem("unavailable", "the database is unavailable") : undefined;
}

/** Whether the effect is only previewed. */
export function isPreview(effect: Effect, isSensor: boolean, truth: RuntimeTruthBody): boolean {
  return fateOf(effect, isSensor, truth) === "preview";
}

export interface Outcome<Result> {
  /** True if nothing was stored: the result shows what would have happened. */
  dry_run: boolean;
  result: Result;
}
