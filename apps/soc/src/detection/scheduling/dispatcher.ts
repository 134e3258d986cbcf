import type { Condition } from "../../logs/query/condition.ts";
import type { LogEvent } from "../../logs/search/log.ts";
import type { Window } from "./schedule.ts";

/** A rule by its name, and as what it was evaluated. */
export interface RuleVersion {
  id: string;
  version: number;
}

/** A rule as the workers know it. */
export interface WorkerRule extends RuleVersion {
  source: string;
  /** What a log must meet, where one log is enough for a match. */
  condition: Condition | undefined;
}

export interface RuleOutcome {
  /** There was more than one run may raise; an alert says so. */
  isCapped: boolean;
}

/** What is to be told of a run that found nothing: many at once. */
export interface QuietRun {
  rule: RuleVersion;
  window: Window;
}

/** The hits of one pass over a window, by rule. */
export interface ScanHits {
  /** Undefined where the pass cannot tell: the rule was not in it, or had more hits than are kept. */
  of(rule: RuleVersion): readonly LogEvent[] | undefined;
}

export const NO_HITS: ScanHits = { of: () => undefined };

/** Rules and the versions in which a pass has evaluated them. */
export type Versions = ReadonlyMap<string, number>;

/** The hits of a pass over a short segment of time. */
export interface SegmentHits {
  add(rule_id: string, log: LogEvent): void;
  /** Whether the rule was evaluated, in that version. */
  has(rule: RuleVersion): boolean;
  /** Whether all of its hits are here. */
  knows(rule: RuleVersion): boolean;
  of(rule: RuleVersion): readonly LogEvent[];
  /** How many hits it keeps. */
  size(): number;
}

/** Of a rule with more hits than this nothing is kept: the executor finds out what it needs. */
export function createSegmentHits(versions: Versions, maxPerRule: number): SegmentHits {
  const hits = new Map<string, LogEvent[]>();
  const overflown = new Set<string>();
  let size = 0;
  return {
    add(rule_id, log) {
      if (overflown.has(rule_id)) return;
      const known = hits.get(rule_id) ?? [];
      if (known.length >= maxPerRule) {
        overflown.add(rule_id);
        hits.delete(rule_id);
        size -= known.length;
        return;
      }
      known.push(log);
      hits.set(rule_id, known);
      size += 1;
    },
    has: ({ id, version }) => versions.get(id) === version,
    knows: ({ id, version }) => versions.get(id) === version && !overflown.has(id),
    of: ({ id }) => hits.get(id) ?? [],
    size: () => size,
  };
}

/** The hits of a window, put together from the segments that cover it; they may begin before it. */
export function joinSegments(segments: readonly SegmentHits[], { from }: Window): ScanHits {
  const first = from.toISOString();
  return {
    of(rule) {
      if (!segments.every((segment) => segment.knows(rule))) return undefined;
      return segments.flatMap((segment) => segment.of(rule).filter(({ ingested_at }) => ingested_at >= first));
    },
  };
}
