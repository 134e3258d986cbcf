import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { AttackStore } from "./attack.store.ts";
import type { SeenSource } from "./coverage.ts";

/** The showcase uses the ATT&CK data shipped with the product. */
export function createShowcaseAttackStore(): AttackStore {
  return { find: async () => undefined };
}

/** The ones of these sources that have logs in the demo story. */
export function findShownSources({ logs, log_counters }: Showcase, sources: readonly string[]): SeenSource[] {
  return sources.flatMap((source) => {
    const times = logs.filter((log) => log.source === source).map(({ ingested_at }) => Date.parse(ingested_at));
    if (times.length === 0) return [];
    const last_seen = new Date(times.reduce((a, b) => Math.max(a, b)));
    return [{ source, last_seen, silent_since: log_counters.get(source)?.silent_since ?? null }];
  });
}
