import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Period, PeriodFacts } from "./period.ts";
import type { DashboardBody, OverviewBody, TopRule } from "./stats.schema.ts";
import type { StatsStore } from "./stats.store.ts";
import type { Snapshot } from "./stats.ts";

export interface StatsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: StatsStore; showcase: StatsStore };
  /** Returns the rules with the most matches in 24 hours that the caller may see. */
  topRules: (caller: Caller) => Promise<TopRule[]>;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
}
export type StatsService = ReturnType<typeof createStatsService>;

const DEADLINE_MS = 1500;
/** All consoles request the same numbers, so one snapshot serves them for this long; generated_at states its time. */
const CACHE_MS = 5000;

export function createStatsService({ runtime, stores, topRules, clock }: StatsServiceDeps) {
  const snapshots = new WeakMap<StatsStore, { found: Promise<Snapshot>; untilMs: number }>();

  async function readSnapshot(store: StatsStore): Promise<Snapshot> {
    const known = snapshots.get(store);
    if (known && clock.monotonicMs() < known.untilMs) return known.found;
    const now = clock.now();
    const found = store.look(now).then((counted) => ({ ...counted, generated_at: now }));
    const cached = { found, untilMs: clock.monotonicMs() + CACHE_MS };
    snapshots.set(store, cached);
    // A failure is not cached.
    found.catch(() => snapshots.get(store) === cached && snapshots.delete(store));
    return found;
  }

  async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
    const waiting = new AbortController();
    try {
      return await Promise.race([work, clock.sleep(DEADLINE_MS, waiting.signal).then(refuseLate)]);
    } finally {
      waiting.abort();
    }
  }

  return {
    async overview(): Promise<OverviewBody> {
      const {
        alert_trend: _,
        top_sources,
        recent_alerts,
        recent_cases,
        ...overview
      } = await withinTime(readSnapshot(await runtime.choose(stores)));
      return overview;
    },

    async dashboard(caller: Caller): Promise<DashboardBody> {
      const store = await runtime.choose(stores);
      const [snapshot, top_rules] = await withinTime(Promise.all([readSnapshot(store), topRules(caller)]));
      return { ...snapshot, top_rules };
    },

    /** For reports, which have their own deadline, because a year takes longer than a page may. */
    async period(period: Period): Promise<PeriodFacts> {
      return (await runtime.choose(stores)).period(period);
    },
  };
}

function refuseLate(): never {
  throw new Problem("unavailable", "the statistics took too long");
}
