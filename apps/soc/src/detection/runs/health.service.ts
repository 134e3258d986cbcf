import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Rule } from "../rules/rule.ts";
import type { RulesService } from "../rules/rules.service.ts";
import type { Window } from "../rules/schedule.ts";
import { HOUR_MS, toHourEnd, toHourStart } from "../scheduling/history.ts";
import type { HistoryQuery, ListHealthQuery } from "./health.schema.ts";
import type { HealthCounts, HealthStore, RuleHealth } from "./health.store.ts";

export interface HealthServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: HealthStore; showcase: HealthStore };
  rules: Pick<RulesService, "get" | "list">;
  clock: Pick<Clock, "now">;
}
export type HealthService = ReturnType<typeof createHealthService>;

const ACTIVITY_MS = 30 * 24 * 60 * 60_000;
const ACCOUNTS_BATCH_SIZE = 1000;
const MAX_HISTORY_HOURS = 7 * 24;

const NO_COUNTS: HealthCounts = {
  matches_24h: 0,
  matches_7d: 0,
  suppressed_7d: 0,
  excepted_7d: 0,
  alerts_7d: 0,
  true_positives_30d: 0,
  false_positives_30d: 0,
  last_error: null,
  last_error_at: null,
};

/** The whole hours that the range touches. */
function findHours({ from, to }: HistoryQuery, now: Date): Window | undefined {
  if (from === undefined && to !== undefined) throw invalidField("from", "is required with to");
  if (from === undefined) return undefined;
  const span = { from: new Date(from), to: to === undefined ? now : new Date(to) };
  if (span.from >= span.to) throw invalidField("from", "must be before to");
  const hours = { from: toHourStart(span.from), to: toHourEnd(span.to) };
  if (hours.to.getTime() - hours.from.getTime() > MAX_HISTORY_HOURS * HOUR_MS) {
    throw invalidField("from", `must be at most ${MAX_HISTORY_HOURS} whole hours before to`);
  }
  return hours;
}

/** Reports whether rules evaluate all of their time, and if not, why. */
export function createHealthService({ runtime, stores, rules, clock }: HealthServiceDeps) {
  async function readHistory(store: HealthStore, rule_ids: readonly string[], hours: Window | undefined, now: Date) {
    const found = hours && (await store.history(rule_ids, hours, now));
    return (id: string) => found && (found.get(id) ?? { history_from: null, hours: [] });
  }

  async function read(shown: readonly Rule[], query: HistoryQuery): Promise<RuleHealth[]> {
    const measured_at = clock.now();
    const hours = findHours(query, measured_at);
    const store = await runtime.choose(stores);
    const rule_ids = shown.map(({ id }) => id);
    const [accounts, counts] = [await store.accounts(rule_ids), await store.counts(rule_ids, measured_at)];
    const historyOf = await readHistory(store, rule_ids, hours, measured_at);
    return shown.map(({ id, name, enabled, last_run_at }) => {
      // A newly created rule has no accounted time yet.
      const { total_s, ran_s, late_s, skipped_s, capped_s, silent_s } = accounts.get(id) ?? {
        total_s: 0,
        ran_s: 0,
        late_s: 0,
        skipped_s: 0,
        capped_s: 0,
        silent_s: 0,
      };
      const seconds = { total_s, ran_s, late_s, skipped_s, capped_s, silent_s };
      const counted = counts.get(id) ?? NO_COUNTS;
      return { rule_id: id, name, enabled, measured_at, ...seconds, ...counted, last_run_at, ...historyOf(id) };
    });
  }

  return {
    async get(caller: Caller, rule_id: string, query: HistoryQuery): Promise<RuleHealth> {
      const [health] = await read([await rules.get(caller, rule_id)], query);
      if (!health) throw new Error("a rule has no health");
      return health;
    },

    /** Whether these rules have run, and the alerts that they raised in 30 days. */
    async activity(rule_ids: readonly string[]) {
      const store = await runtime.choose(stores);
      const since = new Date(clock.now().getTime() - ACTIVITY_MS);
      const found = new Map<string, { hasRun: boolean; isSilent: boolean; alerts_30d: number }>();
      for (let at = 0; at < rule_ids.length; at += ACCOUNTS_BATCH_SIZE) {
        const batch = rule_ids.slice(at, at + ACCOUNTS_BATCH_SIZE);
        const [accounts, alerts] = [await store.accounts(batch), await store.alerts(batch, since)];
        for (const id of batch) {
          const { ran_s = 0, silent_s = 0 } = accounts.get(id) ?? {};
          found.set(id, { hasRun: ran_s > 0, isSilent: silent_s > 0, alerts_30d: alerts.get(id) ?? 0 });
        }
      }
      return found;
    },

    /** Accepts the filters and the order of the list of rules. */
    async list(caller: Caller, query: ListHealthQuery): Promise<Page<RuleHealth>> {
      const page = await rules.list(caller, query);
      return { ...page, items: await read(page.items, query) };
    },
  };
}
