import { Problem } from "@kit/problem";
import type { RuntimeTruthBody } from "./runtime.schema.ts";

/**
 * What a route does to the world. `none`: reads, sign-in, searches. `change`: what a person changes. `internal`: records of
 * the platform's own pipelines. `finding`: a change when a person makes it, internal when a sensor reports it by its key.
 */
export type Effect = "none" | "change" | "internal" | "finding";

/** Why the effect may not happen now; undefined when it may. The mode comes first: it tells more than an outage. */
export function refusalOf(effect: Effect, truth: RuntimeTruthBody): Problem | undefined {
  if (effect === "none") return undefined;
  if (!truth.is_internal_workflows_allowed) {
    return new Problem("forbidden", `Runtime mode '${truth.mode}' blocks this change`);
  }
  return truth.is_database_available ? undefined : new Problem("unavailable", "the database is unavailable");
}

/** Whether it is only shown what would happen. */
export function isPreview(effect: Effect, isSensor: boolean, truth: RuntimeTruthBody): boolean {
  const isOperators = effect === "change" || (effect === "finding" && !isSensor);
  return isOperators && !truth.is_mutations_allowed;
}

export interface Outcome<Result> {
  /** True when nothing was kept: the result shows what would have happened. */
  dry_run: boolean;
  result: Result;
}
