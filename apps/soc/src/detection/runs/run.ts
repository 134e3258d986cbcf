import type { Static } from "typebox";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { ListRunsQuery, RunBody } from "./runs.schema.ts";

/** One evaluation of a rule on stored logs. */
export type Run = Static<typeof RunBody>;

export const NEWEST_FIRST: Order<Run> = newestFirst("started_at");

export const SAMPLE = 10;

export function isListed(run: Run, { trigger_mode, is_backfill, status }: ListRunsQuery): boolean {
  return (
    (trigger_mode === undefined || trigger_mode === run.trigger_mode) &&
    (is_backfill === undefined || is_backfill === run.is_backfill) &&
    (status === undefined || status === run.status)
  );
}
