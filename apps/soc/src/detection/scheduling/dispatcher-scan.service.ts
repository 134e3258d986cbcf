import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { LogEvent } from "../../logs/search/log.ts";
import type { LogStore } from "../../logs/search/log-store.ts";
import { createStreamMatcher, type StreamMatcher } from "../matching/stream-matcher.ts";
import {
  createSegmentHits,
  joinSegments,
  NO_HITS,
  type RuleVersion,
  type ScanHits,
  type SegmentHits,
  type Versions,
  type WorkerRule,
} from "./dispatcher.ts";
import type { Window } from "./schedule.ts";

export interface ScanServiceDeps {
  logStore: Pick<LogStore, "read">;
  /** All rules that run on a schedule. */
  listRules: () => Promise<WorkerRule[]>;
  /** Changes whenever a rule changes. */
  generation: () => Promise<string>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
  limits?: Partial<ScanLimits>;
}
export type ScanService = ReturnType<typeof createScanService>;

export interface ScanLimits {
  hitsPerRule: number;
  hitsInAll: number;
}

const LIMITS: ScanLimits = { hitsPerRule: 1000, hitsInAll: 50_000 };
/** Fewer rules query the log store one by one: its indexes answer without reading every log. */
export const SHARED_FROM = 4;
/** Windows end at whole minutes, and therefore at the end of a segment. */
const SEGMENT_MS = 5000;
const MAX_SEGMENTS = 720;
/** How far back a worker that starts, or fell behind, prefetches. */
const PREFETCH_MS = 60_000;
// Yields to the event loop after this many logs.
const BATCH_SIZE = 500;

interface LoadedRules {
  generation: string;
  versions: Versions;
  matcher: StreamMatcher;
}

/**
 * One pass over the logs for all scheduled rules. It reads each log once, in segments, as soon as a segment is
 * complete, and evaluates it in memory, which costs the same for ten rules and for ten thousand. When a window closes,
 * its hits are already available, also for the batches of a worker that has crashed.
 */
export function createScanService({ logStore, listRules, generation, clock, log, ...options }: ScanServiceDeps) {
  const limits = { ...LIMITS, ...options.limits };
  const segments = new Map<number, Promise<SegmentHits>>();
  /** The segments whose read has finished. */
  const ready = new Map<number, SegmentHits>();
  let loading: Promise<LoadedRules> | undefined;
  let loaded: LoadedRules | undefined;
  let isFollowing = false;

  async function read(): Promise<LoadedRules> {
    // Read the generation before the rules: a rule that changes in between is read again the next time.
    const current = await generation();
    if (loaded?.generation === current) return loaded;
    const rules = (await listRules()).flatMap(({ condition, ...rule }) => (condition ? { ...rule, condition } : []));
    const versions = new Map(rules.map(({ id, version }) => [id, version]));
    loaded = { generation: current, versions, matcher: createStreamMatcher(rules) };
    return loaded;
  }

  function load(): Promise<LoadedRules> {
    loading ??= read().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function scan(
    starts: readonly number[],
    { matcher, versions }: LoadedRules,
  ): Promise<Map<number, SegmentHits>> {
    const scanned = new Map(starts.map((start) => [start, createSegmentHits(versions, limits.hitsPerRule)]));
    const [first = 0, last = 0] = [starts[0], starts.at(-1)];
    for await (const page of logStore.read({ from: new Date(first), to: new Date(last + SEGMENT_MS) })) {
      for (const [place, each] of page.entries()) {
        if (place % BATCH_SIZE === BATCH_SIZE - 1) await clock.sleep(0);
        for (const rule_id of matcher.match(each)) scanned.get(segmentOf(each))?.add(rule_id, each);
      }
    }
    for (const [start, hits] of scanned) ready.set(start, hits);
    return scanned;
  }

  /** Starts one read for consecutive segments; concurrent callers that need one of them wait for the same read. */
  function begin(starts: readonly number[], current: LoadedRules): void {
    for (const start of starts) ready.delete(start);
    const scanning = scan(starts, current);
    for (const start of starts) {
      const segment = scanning.then((scanned) => scanned.get(start) ?? createSegmentHits(new Map(), 0));
      segments.set(start, segment);
      segment.catch(() => {
        if (segments.get(start) === segment) segments.delete(start);
      });
    }
  }

  /**
   * A segment that is being read is not missing. Nor is one that lacks only a few of the rules: those are run one by
   * one.
   */
  function isMissing(start: number, rules: readonly RuleVersion[], current: LoadedRules): boolean {
    if (!segments.has(start)) return true;
    const hits = ready.get(start);
    return !!hits && rules.filter((rule) => !hits.has(rule) && isIn(current, rule)).length >= SHARED_FROM;
  }

  const listPresent = (starts: readonly number[]) => starts.flatMap((start) => segments.get(start) ?? []);

  function forget(): void {
    const oldestFirst = [...segments.keys()].toSorted((a, b) => a - b);
    let kept = oldestFirst.length;
    let hits = [...ready.values()].reduce((sum, each) => sum + each.size(), 0);
    for (const start of oldestFirst) {
      if (kept <= MAX_SEGMENTS && hits <= limits.hitsInAll) return;
      hits -= ready.get(start)?.size() ?? 0;
      kept -= 1;
      ready.delete(start);
      segments.delete(start);
    }
  }

  async function follow(watermark: Date): Promise<void> {
    const current = await load();
    if (current.versions.size < SHARED_FROM) return;
    const end = Math.floor(watermark.getTime() / SEGMENT_MS) * SEGMENT_MS;
    const missing = listSegmentStarts({ from: new Date(end - PREFETCH_MS), to: new Date(end) }).filter(
      (start) => !segments.has(start),
    );
    for (const run of groupRuns(missing)) begin(run, current);
    await Promise.all(listPresent(missing));
    forget();
  }

  return {
    /** Reads the rules and the logs of the last minute. Without this, the first batches of a worker would wait. */
    warmUp: (watermark: Date): Promise<void> => follow(watermark),

    /** Prefetches up to the watermark. Returns at once; a segment whose read fails is read again when it is needed. */
    follow(watermark: Date): void {
      if (isFollowing) return;
      isFollowing = true;
      follow(watermark)
        .catch((error: unknown) => log.warn({ err: error }, "log prefetch failed"))
        .finally(() => {
          isFollowing = false;
        });
    },

    /** The hits of the rules within the window. */
    async hitsIn(window: Window, rules: readonly RuleVersion[]): Promise<ScanHits> {
      // A segment that extends beyond the window is not complete yet and must not be cached.
      if (window.to.getTime() % SEGMENT_MS !== 0) return NO_HITS;
      const starts = listSegmentStarts(window);
      const current = await load();
      await Promise.all(listPresent(starts));
      // No await between check and start: concurrent callers never start the same segment twice.
      for (const run of groupRuns(starts.filter((start) => isMissing(start, rules, current)))) begin(run, current);
      const covering: SegmentHits[] = [];
      for (const start of starts) covering.push((await segments.get(start)) ?? createSegmentHits(new Map(), 0));
      forget();
      return joinSegments(covering, window);
    },
  };
}

function isIn({ versions }: LoadedRules, { id, version }: RuleVersion): boolean {
  return versions.get(id) === version;
}

function segmentOf({ ingested_at }: LogEvent): number {
  return Math.floor(Date.parse(ingested_at) / SEGMENT_MS) * SEGMENT_MS;
}

/** The start times of the segments that cover the window. */
function listSegmentStarts({ from, to }: Window): number[] {
  const first = Math.floor(from.getTime() / SEGMENT_MS) * SEGMENT_MS;
  return Array.from({ length: Math.ceil((to.getTime() - first) / SEGMENT_MS) }, (_, n) => first + n * SEGMENT_MS);
}

/** Groups segments that follow each other without a gap. */
function groupRuns(starts: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const start of starts) {
    const run = runs.at(-1);
    if (run?.at(-1) === start - SEGMENT_MS) run.push(start);
    else runs.push([start]);
  }
  return runs;
}
