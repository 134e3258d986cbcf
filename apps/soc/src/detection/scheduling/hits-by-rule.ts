import type { LogEvent } from "../../ports/log-event.ts";

export type Hits = ReturnType<typeof createHits>;

/** Collects the logs that each rule matches. */
export function createHits() {
  const byRule = new Map<string, LogEvent[]>();
  let count = 0;
  return {
    byRule,
    count: () => count,
    add(log: LogEvent, rule_ids: readonly string[]): void {
      count += rule_ids.length;
      for (const rule_id of rule_ids) {
        const known = byRule.get(rule_id);
        if (known) known.push(log);
        else byRule.set(rule_id, [log]);
      }
    },
  };
}
