import type { Clock } from "@kit/clock";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Rule } from "../rules/rule.ts";
import type { ListRulesQuery } from "../rules/rules.schema.ts";
import type { RulesService } from "../rules/rules.service.ts";
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

const NO_COUNTS: HealthCounts = {
  matches_7d: 0,
  suppressed_7d: 0,
  excepted_7d: 0,
  alerts_7d: 0,
  last_error: null,
  last_error_at: null,
};

/** Whether rules evaluate all of their time, and if not, why. */
export function createHealthService({ runtime, stores, rules, clock }: HealthServiceDeps) {
  async function read(shown: readonly Rule[]): Promise<RuleHealth[]> {
    const store = await runtime.choose(stores);
    const rule_ids = shown.map(({ id }) => id);
    const measured_at = clock.now();
    const [accounts, counts] = [await store.accounts(rule_ids), await store.counts(rule_ids, measured_at)];
    return shown.map(({ id, name, enabled, last_run_at }) => {
      // A rule that was created a moment ago has no time yet.
      const { total_s, ran_s, late_s, skipped_s, capped_s, silent_s } = accounts.get(id) ?? {
        total_s: 0,
        ran_s: 0,
        late_s: 0,
        skipped_s: 0,
        capped_s: 0,
        silent_s: 0,
      };
      const seconds = { total_s, ran_s, late_s, skipped_s, capped_s, silent_s };
      return { rule_id: id, name, enabled, measured_at, ...seconds, ...(counts.get(id) ?? NO_COUNTS), last_run_at };
    });
  }

  return {
    async get(caller: Caller, rule_id: string): Promise<RuleHealth> {
      const [health] = await read([await rules.get(caller, rule_id)]);
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

    /** With the filters and the order of the list of rules. */
    async list(caller: Caller, query: ListRulesQuery): Promise<Page<RuleHealth>> {
      const page = await rules.list(caller, query);
      return { ...page, items: await read(page.items) };
    },
  };
}
