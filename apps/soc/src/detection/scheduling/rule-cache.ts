import type { Clock } from "@kit/clock";
import type { RuleVersion, WorkerRule } from "./dispatcher.ts";
import type { WorkerRules } from "./dispatcher-batch.service.ts";

export interface RuleCacheDeps {
  rules: Pick<WorkerRules, "find">;
  clock: Pick<Clock, "sleep">;
}

const BATCH_SIZE = 100;

/** Caches rules with their parsed conditions: parsing is slow, and few of thousands of rules change at a time. */
export function createRuleCache({ rules, clock }: RuleCacheDeps) {
  let known = new Map<string, WorkerRule>();
  return {
    /** The enabled ones of these rules, current or slightly stale. */
    async load(owned: readonly RuleVersion[]): Promise<WorkerRule[]> {
      const current = new Map<string, WorkerRule>();
      const unknown: string[] = [];
      for (const { id, version } of owned) {
        const rule = known.get(id);
        if (rule?.version === version) current.set(id, rule);
        else unknown.push(id);
      }
      for (let place = 0; place < unknown.length; place += BATCH_SIZE) {
        for (const rule of await rules.find(unknown.slice(place, place + BATCH_SIZE))) current.set(rule.id, rule);
        await clock.sleep(0);
      }
      known = current;
      return owned.flatMap(({ id }) => current.get(id) ?? []);
    },
  };
}
