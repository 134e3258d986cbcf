import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogReads } from "../../ports/log-store.ts";
import { RUN_LIMITS } from "../matches/finding.ts";
import { createStreamMatcher, type StreamMatcher } from "../matching/stream-matcher.ts";
import type { Window } from "../rules/schedule.ts";
import { NO_HITS, type RuleVersion, type ScanHits, type WorkerRule } from "./dispatcher.ts";
import { createHitKeeper, type HitLimits, joinSegments, type SegmentHits, type Versions } from "./scan-hits.ts";
import { groupRuns, listSegmentStarts, SEGMENT_MS } from "./segment.ts";

export interface ScanServiceDeps {
  logs: Pick<LogReads, "read">;
  /** All rules that run on a schedule. */
  listRules: () => Promise<WorkerRule[]>;
  /** Changes whenever a rule changes. */
  generation: () => Promise<string>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
  limits?: Partial<HitLimits>;
}
export type ScanService = ReturnType<typeof createScanService>;

/** A rule with more hits than one run may raise is capped by the executor. */
const LIMITS: HitLimits = { hitsPerRule: RUN_LIMITS.matches, charactersInAll: 50_000_000 };
/** Fewer rules query the log store one by one, because its indexes answer without reading every log. */
export const SHARED_FROM = 4;
const SEGMENTS_PER_HOUR = 720;
/** The segments of a daily window are in memory when it closes. */
const MAX_SEGMENTS = 25 * SEGMENTS_PER_HOUR;
/** Each rule change starts another generation, and each generation has a list of all rules. */
const MAX_GENERATIONS = 100;
/** If more is missing, for example after a start, the rules query the log store one by one, which is faster. */
const MAX_MISSING_SEGMENTS = SEGMENTS_PER_HOUR;
/** How far back a worker prefetches when it starts or fell behind. */
const PREFETCH_MS = 60_000;
// Yields to the event loop after this many logs.
const BATCH_SIZE = 500;

interface LoadedRules {
  generation: string;
  versions: Versions;
  matcher: StreamMatcher;
}

interface Segment {
  generation: string;
  hits: SegmentHits;
  reading: Promise<void>;
  isRead: boolean;
}

/**
 * One pass over the logs for all scheduled rules. It reads each log once, in segments, as soon as a segment is
 * complete, and evaluates it in memory, which costs the same for ten rules as for ten thousand. When a window closes,
 * its hits are already available, even for the batches of a worker that has crashed.
 */
export function createScanService({ logs, listRules, generation, clock, log, ...options }: ScanServiceDeps) {
  const keeper = createHitKeeper({ ...LIMITS, ...options.limits });
  const segments = new Map<number, Segment>();
  let loading: Promise<LoadedRules> | undefined;
  let loaded: LoadedRules | undefined;
  let isFollowing = false;

  async function read(): Promise<LoadedRules> {
    // Read the generation before the rules: a rule that changes in between is read again next time.
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

  async function scan(scanned: ReadonlyMap<number, SegmentHits>, { matcher }: LoadedRules, window: Window) {
    for await (const page of logs.read(window)) {
      for (const [place, each] of page.entries()) {
        if (place % BATCH_SIZE === BATCH_SIZE - 1) await clock.sleep(0);
        for (const rule_id of matcher.match(each)) scanned.get(segmentOf(each))?.add(rule_id, each);
      }
    }
  }

  function drop(start: number): void {
    segments.get(start)?.hits.release();
    segments.delete(start);
  }

  /** Starts one read for consecutive segments; concurrent callers that need one of them wait for the same read. */
  function begin(starts: readonly number[], current: LoadedRules): void {
    for (const start of starts) drop(start);
    const scanned = new Map(starts.map((start) => [start, keeper.createSegment(current.versions)]));
    const [first = 0, last = 0] = [starts[0], starts.at(-1)];
    const reading = scan(scanned, current, { from: new Date(first), to: new Date(last + SEGMENT_MS) });
    const { generation } = current;
    const begun = [...scanned].map(([start, hits]) => ({
      start,
      segment: { generation, hits, reading, isRead: false },
    }));
    for (const { start, segment } of begun) segments.set(start, segment);
    reading.then(
      () => {
        for (const { segment } of begun) segment.isRead = true;
      },
      () => {
        for (const { start, segment } of begun) {
          segment.hits.release();
          if (segments.get(start) === segment) segments.delete(start);
        }
      },
    );
  }

  /**
   * A segment that is being read is not missing. Nor is one that lacks only a few of the rules, which are run one by
   * one.
   */
  function isMissing(start: number, rules: readonly RuleVersion[], current: LoadedRules): boolean {
    const segment = segments.get(start);
    if (!segment) return true;
    const { isRead, hits } = segment;
    return isRead && rules.filter((rule) => !hits.has(rule) && isIn(current, rule)).length >= SHARED_FROM;
  }

  async function waitFor(starts: readonly number[]): Promise<void> {
    const reads = new Set(starts.flatMap((start) => segments.get(start)?.reading ?? []));
    await Promise.all(reads);
  }

  function forget(): void {
    const newestFirst = [...segments].toSorted(([a], [b]) => b - a);
    const generations = new Set<string>();
    for (const [place, [start, segment]] of newestFirst.entries()) {
      generations.add(segment.generation);
      if (place >= MAX_SEGMENTS || generations.size > MAX_GENERATIONS) drop(start);
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
    await waitFor(missing);
    forget();
  }

  return {
    /** Reads the rules and the logs of the last minute. Without this, the first batches of a worker would wait. */
    warmUp: (watermark: Date): Promise<void> => follow(watermark),

    /** Prefetches up to the watermark. Returns immediately; a segment whose read failed is read again on demand. */
    follow(watermark: Date): void {
      if (isFollowing) return;
      isFollowing = true;
      follow(watermark)
        .catch((error: unknown) => log.warn({ err: error }, "log prefetch failed"))
        .finally(() => {
          isFollowing = false;
        });
    },

    /** Returns the hits of the rules within the window. */
    async hitsIn(window: Window, rules: readonly RuleVersion[]): Promise<ScanHits> {
      // A segment that extends beyond the window is not complete yet and must not be cached.
      if (window.to.getTime() % SEGMENT_MS !== 0) return NO_HITS;
      const starts = listSegmentStarts(window);
      const current = await load();
      await waitFor(starts);
      // No await between check and start: concurrent callers never start the same segment twice.
      const missing = starts.filter((start) => isMissing(start, rules, current));
      if (missing.length > MAX_MISSING_SEGMENTS) return NO_HITS;
      for (const run of groupRuns(missing)) begin(run, current);
      const covering = starts.flatMap((start) => segments.get(start)?.hits ?? []);
      await waitFor(starts);
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
