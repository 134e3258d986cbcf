import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogReads, SqlCondition } from "../../ports/log-store.ts";
import { indexedConditions, scannedConditions } from "./ioc-history.ts";
import type { IocHitsService } from "./ioc-hits.service.ts";
import type { SearchesStore, UnsearchedIoc } from "./ioc-hits.store.ts";
import { createIocMatcher } from "./ioc-matcher.ts";

export interface IocsWorkerDeps {
  searches: SearchesStore;
  hits: Pick<IocHitsService, "record">;
  logs: Pick<LogReads, "search">;
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "now" | "sleep" | "deadline" | "monotonicMs">;
  log: Pick<Log, "info" | "warn">;
}

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 30;
// The clock of a writer may be ahead of this one.
const AHEAD_MS = 60 * 60_000;
const IDLE_MS = 1000;
const REFUSED_MS = 5000;
const IOCS_BATCH_SIZE = 100;
const MAX_HITS = 1000;
// More than `MAX_HITS`: some logs that the store returns do not contain the whole indicator.
const LOGS_BATCH_SIZE = 2000;
const CLAIM_SECONDS = 60;
const SEARCH_MS = 30_000;
const QUICK_MS = 1000;

interface Window {
  from: Date;
  to: Date;
}

/**
 * Searches stored logs for new indicators. The stream's matcher checks the results, so that an indicator means the same
 * in both. If a worker crashes, another one takes over after the lease expires.
 */
export function createIocsWorker({ searches, hits, logs, isAllowed, clock, log }: IocsWorkerDeps) {
  async function search(where: SqlCondition, window: Window): Promise<LogEvent[]> {
    const selected = { scope: ALL_SITES, where, time: "ingested_at", ...window } as const;
    return logs.search({ ...selected, order: "newest", limit: LOGS_BATCH_SIZE }, clock.deadline(SEARCH_MS));
  }

  async function reportHits(hunt: Hunt, logs: readonly LogEvent[], iocs: readonly UnsearchedIoc[]): Promise<void> {
    const seen = hunt.take(logs);
    if (logs.length >= LOGS_BATCH_SIZE) for (const { id } of iocs) hunt.cap(id);
    if (seen.size > 0) await hits.record(seen, hunt.formatNote);
  }

  async function find(hunt: Hunt, kind: Kind, iocs: readonly UnsearchedIoc[], window: Window): Promise<void> {
    const open = iocs.filter(({ id }) => !hunt.isCapped(id));
    for (const where of open.length === 0 ? [] : CONDITIONS[kind](open)) {
      const logs = await search(where, window);
      if (logs.length >= LOGS_BATCH_SIZE && open.length > 1) return findHalves(hunt, kind, open, window);
      await reportHits(hunt, logs, open);
    }
  }

  /** Bisects the indicators if a query reaches its limit, so that hits of one cannot hide those of the others. */
  async function findHalves(hunt: Hunt, kind: Kind, iocs: readonly UnsearchedIoc[], window: Window): Promise<void> {
    const middle = Math.ceil(iocs.length / 2);
    await find(hunt, kind, iocs.slice(0, middle), window);
    await find(hunt, kind, iocs.slice(middle), window);
  }

  /** Returns the days of the next step back, doubled while steps are fast; undefined if this step failed. */
  async function step(hunt: Hunt, iocs: readonly UnsearchedIoc[], days: number, window: Window, closing: AbortSignal) {
    const begunMs = clock.monotonicMs();
    try {
      await find(hunt, "scanned", iocs, window);
    } catch (error) {
      // A query over several days may be too expensive.
      if (days === 1 || closing.aborted) throw error;
      log.info({ days, err: error }, "indicator search continues day by day");
      return undefined;
    }
    return clock.monotonicMs() - begunMs < QUICK_MS ? days * 2 : Math.max(1, Math.floor(days / 2));
  }

  async function searchAll(iocs: readonly UnsearchedIoc[], closing: AbortSignal): Promise<void> {
    const now = clock.now();
    const [first, to] = [now.getTime() - DAYS * DAY_MS, now.getTime() + AHEAD_MS];
    const hunt = createHunt(iocs);
    await find(hunt, "indexed", iocs, { from: new Date(first), to: new Date(to) });
    // Newest first: recent hits matter most.
    for (let [end, days, maxDays] = [to, 1, DAYS]; end > first; days = Math.min(days, maxDays)) {
      const from = Math.max(end - days * DAY_MS, first);
      const next = await step(hunt, iocs, days, { from: new Date(from), to: new Date(end) }, closing);
      if (next === undefined) maxDays = 1;
      else [end, days] = [from, next];
      await searches.keep(
        iocs.map(({ id }) => id),
        CLAIM_SECONDS,
      );
      closing.throwIfAborted();
    }
    await searches.finish({ ids: iocs.map(({ id }) => id), capped: hunt.capped(), at: clock.now() });
    log.info({ iocs: iocs.length, hits: hunt.count() }, "indicator search completed");
  }

  async function searchOrWait(closing: AbortSignal): Promise<number> {
    if (!(await isAllowed())) return REFUSED_MS;
    const iocs = await searches.claim(CLAIM_SECONDS, IOCS_BATCH_SIZE);
    if (iocs.length === 0) return IDLE_MS;
    await searchAll(iocs, closing);
    return 0;
  }

  return createPollingLoop({
    round: (_turn, closing) =>
      searchOrWait(closing).catch((error: unknown) => {
        // Another worker takes over an aborted search.
        if (closing.aborted) return 0;
        throw error;
      }),
    waitMs: REFUSED_MS,
    failure: "indicator search failed",
    clock,
    log,
  });
}

type Kind = "indexed" | "scanned";
const CONDITIONS: Readonly<Record<Kind, (iocs: readonly UnsearchedIoc[]) => SqlCondition[]>> = {
  indexed: indexedConditions,
  scanned: scannedConditions,
};

type Hunt = ReturnType<typeof createHunt>;

/** The hits of some indicators so far. */
function createHunt(iocs: readonly UnsearchedIoc[]) {
  const matcher = createIocMatcher();
  matcher.add(iocs);
  const logIds = new Map(iocs.map(({ id }) => [id, new Set<string>()]));
  const full = new Set<string>();

  function takeOne(id: string, found: LogEvent): boolean {
    const known = logIds.get(id);
    if (!known || known.has(found.id)) return false;
    if (known.size >= MAX_HITS) {
      full.add(id);
      return false;
    }
    known.add(found.id);
    return true;
  }

  return {
    isCapped: (id: string) => full.has(id),
    cap: (id: string) => full.add(id),
    capped: () => [...full],
    count: () => [...logIds.values()].reduce((sum, { size }) => sum + size, 0),
    formatNote: (id: string) =>
      full.has(id) ? `More than ${MAX_HITS} stored logs may contain it; the search stopped there.` : undefined,
    /** The new logs, by indicator. */
    take(logs: readonly LogEvent[]): Map<string, LogEvent[]> {
      const seen = new Map<string, LogEvent[]>();
      for (const each of logs) {
        for (const id of matcher.match(each)) {
          if (!takeOne(id, each)) continue;
          seen.set(id, [...(seen.get(id) ?? []), each]);
        }
      }
      return seen;
    },
  };
}
