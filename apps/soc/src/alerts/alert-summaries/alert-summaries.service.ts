import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { type AlertSelection, parseSpan, toSelection } from "../alerts/alert-filters.ts";
import type { CompileAlertQuery } from "../alerts/alert-query.ts";
import type { AlertFilters } from "../alerts/alerts.schema.ts";
import type { AlertGroups, AlertSummary, GroupsQuery, Span, SummaryQuery } from "./alert-summaries.schema.ts";
import type { AlertSummariesStore } from "./alert-summaries.store.ts";
import { chooseInterval } from "./interval.ts";

export interface AlertSummariesServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: AlertSummariesStore; showcase: AlertSummariesStore };
  compileQuery: CompileAlertQuery;
  clock: Pick<Clock, "now">;
}
export type AlertSummariesService = ReturnType<typeof createAlertSummariesService>;

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_BUCKETS = 60;
const DEFAULT_GROUPS = 50;
const DEFAULT_FIELDS = ["severity", "status", "source", "assignee"] as const;

/** Counts the alerts that a list would return, so that a page can draw them without loading the list. */
export function createAlertSummariesService({ runtime, stores, compileQuery, clock }: AlertSummariesServiceDeps) {
  /** Returns the last 24 hours unless the filters name a period. */
  function readSpan(filters: AlertFilters): Span {
    const { from, to = clock.now() } = parseSpan(filters);
    const span = { from: from ?? new Date(to.getTime() - DAY_MS), to };
    if (span.from >= span.to) throw invalidField("from", "must be before to");
    return span;
  }

  function select(filters: AlertFilters, { from, to }: Span, { username }: Caller): AlertSelection {
    const atSpan = { ...filters, from: from.toISOString(), to: to.toISOString() };
    return toSelection(atSpan, compileQuery, username);
  }

  return {
    async summarise(
      caller: Caller,
      { fields = [...DEFAULT_FIELDS], buckets = DEFAULT_BUCKETS, ...given }: SummaryQuery,
    ): Promise<AlertSummary> {
      requireStorable(given);
      const span = readSpan(given);
      const interval_s = chooseInterval(span, buckets);
      const store = await runtime.choose(stores);
      const filters = select(given, span, caller);
      return store.summarise(toScope(caller), { filters, span, fields: [...new Set(fields)], interval_s });
    },

    async group(caller: Caller, { by, limit = DEFAULT_GROUPS, ...given }: GroupsQuery): Promise<AlertGroups> {
      requireStorable(given);
      const span = readSpan(given);
      const filters = select(given, span, caller);
      return (await runtime.choose(stores)).group(toScope(caller), { filters, span, by, limit });
    },
  };
}
