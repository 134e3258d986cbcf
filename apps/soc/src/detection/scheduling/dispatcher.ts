import type { Condition } from "../../logs/query/condition.ts";
import type { LogEvent } from "../../logs/search/log.ts";
import type { Window } from "./schedule.ts";

/** A rule's id and the version that was evaluated. */
export interface RuleVersion {
  id: string;
  version: number;
}

/** A rule as the workers see it. */
export interface WorkerRule extends RuleVersion {
  source: string;
  /** What a log must match, if a single log is enough for a match. */
  condition: Condition | undefined;
}

export interface RuleOutcome {
  /** The run found more than it may raise; an alert reports this. */
  isCapped: boolean;
}

/** A run that found nothing. Many are recorded in one statement. */
export interface QuietRun {
  rule: RuleVersion;
  window: Window;
}

/** The hits of one pass over a window, by rule. */
export interface ScanHits {
  /**
   * Undefined if the pass does not know: it did not evaluate the rule, or the rule had more hits than the pass keeps.
   */
  of(rule: RuleVersion): readonly LogEvent[] | undefined;
}

export const NO_HITS: ScanHits = { of: () => undefined };

/** Rules and the versions that a pass has evaluated. */
export type Versions = ReadonlyMap<string, number>;

/** The hits of a pass over one short segment of time. */
export interface SegmentHits {
  add(rule_id: string, log: LogEvent): void;
  /** Whether the rule was evaluated in this version. */
  has(rule: RuleVersion): boolean;
  /** Whether all hits of the rule are kept here. */
  knows(rule: RuleVersion): boolean;
  of(rule: RuleVersion): readonly LogEvent[];
  /** The number of hits kept. */
  size(): number;
}

/** Keeps no hits of a rule that exceeds the maximum: the executor then queries the log store itself. */
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

/** Joins the hits of the segments that cover a window, and drops those before the window. */
export function joinSegments(segments: readonly SegmentHits[], { from }: Window): ScanHits {
  const first = from.toISOString();
  return {
    of(rule) {
      if (!segments.every((segment) => segment.knows(rule))) return undefined;
      return segments.flatMap((segment) => segment.of(rule).filter(({ ingested_at }) => ingested_at >= first));
    },
  };
}
