import type { Clock } from "@kit/clock";
import type { RuleVersion, WorkerRule } from "./dispatcher.ts";
import type { WorkerRules } from "./dispatcher-batch.service.ts";

export interface RuleCacheDeps {
  rules: Pick<WorkerRules, "find">;
  clock: Pick<Clock, "sleep">;
}

const BATCH_SIZE = 100;

/** Rules with their conditions. Reading a condition takes long, and of thousands of rules one has changed. */
export function createRuleCache({ rules, clock }: RuleCacheDeps) {
  let known = new Map<string, WorkerRule>();
  return {
    /** Those of them that are enabled, as they are now or were a moment ago. */
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
