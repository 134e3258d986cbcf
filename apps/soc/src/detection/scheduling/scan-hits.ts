import type { LogEvent } from "../../ports/log-event.ts";
import type { Window } from "../rules/schedule.ts";
import type { RuleVersion, ScanHits } from "./dispatcher.ts";

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
  /** Frees the memory; the segment then knows nothing. */
  release(): void;
}

export interface HitLimits {
  /** The hits of one rule over all segments. */
  hitsPerRule: number;
  /** The size of all hits, in characters of text. */
  charactersInAll: number;
}

interface HitUsage {
  hits: number;
  characters: number;
  segments: Set<Map<string, LogEvent[]>>;
}

/** The memory of a log's fields in addition to its text. */
const LOG_CHARACTERS = 1000;
/** After an overflow, some room remains: dropping a few hits at a time would be slow. */
const KEPT_SHARE = 0.75;

/**
 * Keeps the hits of many segments within one limit, which also applies while they are being scanned. A rule that
 * exceeds its limit, and the largest rules if all together exceed theirs, are dropped from all segments: the executor
 * then queries the log store itself.
 */
export function createHitKeeper({ hitsPerRule, charactersInAll }: HitLimits) {
  const kept = new Map<string, HitUsage>();
  /** The last segment, by number, from which a rule was dropped. Later segments keep its hits again. */
  const droppedThrough = new Map<string, number>();
  let created = 0;
  let characters = 0;

  function drop(rule_id: string): void {
    droppedThrough.set(rule_id, created);
    const known = kept.get(rule_id);
    if (!known) return;
    for (const segment of known.segments) segment.delete(rule_id);
    characters -= known.characters;
    kept.delete(rule_id);
  }

  function dropLargest(): void {
    const largestFirst = [...kept].toSorted(([, a], [, b]) => b.characters - a.characters);
    for (const [rule_id] of largestFirst) {
      if (characters <= charactersInAll * KEPT_SHARE) return;
      drop(rule_id);
    }
  }

  function count(rule_id: string, segment: Map<string, LogEvent[]>, log: LogEvent): void {
    const known = kept.get(rule_id) ?? { hits: 0, characters: 0, segments: new Set() };
    kept.set(rule_id, known);
    known.segments.add(segment);
    known.hits += 1;
    known.characters += sizeOf(log);
    characters += sizeOf(log);
    if (known.hits > hitsPerRule) drop(rule_id);
    else if (characters > charactersInAll) dropLargest();
  }

  function forget(rule_id: string, segment: Map<string, LogEvent[]>, logs: readonly LogEvent[]): void {
    const known = kept.get(rule_id);
    if (!known?.segments.delete(segment)) return;
    const size = logs.reduce((sum, log) => sum + sizeOf(log), 0);
    known.hits -= logs.length;
    known.characters -= size;
    characters -= size;
    if (known.segments.size === 0) kept.delete(rule_id);
  }

  return {
    createSegment(versions: Versions): SegmentHits {
      created += 1;
      const number = created;
      const hits = new Map<string, LogEvent[]>();
      let isReleased = false;
      const isKept = (rule_id: string) => !isReleased && (droppedThrough.get(rule_id) ?? 0) < number;
      return {
        add(rule_id, log) {
          if (!isKept(rule_id)) return;
          const known = hits.get(rule_id);
          if (known) known.push(log);
          else hits.set(rule_id, [log]);
          count(rule_id, hits, log);
        },
        has: ({ id, version }) => versions.get(id) === version,
        knows: ({ id, version }) => versions.get(id) === version && isKept(id),
        of: ({ id }) => hits.get(id) ?? [],
        release() {
          isReleased = true;
          for (const [rule_id, logs] of hits) forget(rule_id, hits, logs);
          hits.clear();
        },
      };
    },
  };
}

function sizeOf({ message, raw }: LogEvent): number {
  return message.length + raw.length + LOG_CHARACTERS;
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
