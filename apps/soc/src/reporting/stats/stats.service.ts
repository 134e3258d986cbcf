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
  /** The rules with the most matches in 24 hours that this caller may see. */
  topRules: (caller: Caller) => Promise<TopRule[]>;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
}
export type StatsService = ReturnType<typeof createStatsService>;

const DEADLINE_MS = 1500;
/** Every console asks for the same numbers; for so long one look serves all of them, and generated_at tells its time. */
const HOLDS_MS = 5000;

export function createStatsService({ runtime, stores, topRules, clock }: StatsServiceDeps) {
  const looks = new WeakMap<StatsStore, { found: Promise<Snapshot>; untilMs: number }>();

  async function look(store: StatsStore): Promise<Snapshot> {
    const known = looks.get(store);
    if (known && clock.monotonicMs() < known.untilMs) return known.found;
    const now = clock.now();
    const found = store.look(now).then((counted) => ({ ...counted, generated_at: now }));
    const taken = { found, untilMs: clock.monotonicMs() + HOLDS_MS };
    looks.set(store, taken);
    // A failure is not kept: the next one who asks looks again.
    found.catch(() => looks.get(store) === taken && looks.delete(store));
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
      } = await withinTime(look(await runtime.choose(stores)));
      return overview;
    },

    async dashboard(caller: Caller): Promise<DashboardBody> {
      const store = await runtime.choose(stores);
      const [snapshot, top_rules] = await withinTime(Promise.all([look(store), topRules(caller)]));
      return { ...snapshot, top_rules };
    },

    /** For reports, which have a time of their own: a year takes longer than a page may. */
    async period(period: Period): Promise<PeriodFacts> {
      return (await runtime.choose(stores)).period(period);
    },
  };
}

function refuseLate(): never {
  throw new Problem("unavailable", "the statistics took too long");
}
