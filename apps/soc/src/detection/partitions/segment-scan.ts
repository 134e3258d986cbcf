import type { LogEvent } from "../../ports/log-event.ts";
import { RUN_LIMITS } from "../matches/finding.ts";
import type { Window } from "../rules/schedule.ts";
import { NO_HITS, type RuleVersion, type ScanHits } from "../scheduling/dispatcher.ts";
import type { ScanService } from "../scheduling/dispatcher-scan.service.ts";
import { groupRuns, listSegmentStarts, SEGMENT_MS } from "../scheduling/segment.ts";
import type { MadeSegment, SegmentHits, SegmentsStore } from "./segments.store.ts";

export interface SegmentScanDeps {
  segments: Pick<SegmentsStore, "list" | "read" | "findGenerations">;
  /** The number of partitions. */
  partitions: number;
  /**
   * Reads segments that no owner has completed, because an owner died before the end of the segment or another release
   * stored the logs.
   */
  scan: Pick<ScanService, "hitsIn">;
}

/** Joins the hits of a window from those that the owners of all partitions have found. Reads no log again. */
export function createSegmentScan({ segments, partitions, scan }: SegmentScanDeps): ScanService {
  async function scanRest(starts: readonly number[], rules: readonly RuleVersion[]): Promise<ScanHits[]> {
    return Promise.all(
      groupRuns(starts).map((run) => {
        const window = { from: new Date(run[0] ?? 0), to: new Date((run.at(-1) ?? 0) + SEGMENT_MS) };
        return scan.hitsIn(window, rules);
      }),
    );
  }

  return {
    warmUp: async () => undefined,
    follow: () => undefined,

    async hitsIn(window, rules) {
      if (window.to.getTime() % SEGMENT_MS !== 0) return NO_HITS;
      const starts = listSegmentStarts(window);
      const whole = { from: new Date(starts[0] ?? 0), to: window.to };
      const [listed, generations] = await Promise.all([segments.list(whole), segments.findGenerations(rules)]);
      const made = new Map(
        listed.flatMap((each) => (each.partitions >= partitions ? [[each.startMs, each] as const] : [])),
      );
      const found = (await segments.read(whole))?.filter(({ startMs }) => made.has(startMs));
      if (!found) return NO_HITS;
      const missing = starts.filter((start) => !made.has(start));
      const rest = await scanRest(missing, rules);
      return joinHits({ window, made: [...made.values()], found, rest, generations });
    },
  };
}

interface JoinInput {
  window: Window;
  made: readonly MadeSegment[];
  found: readonly SegmentHits[];
  rest: readonly ScanHits[];
  generations: ReadonlyMap<string, bigint>;
}

function joinHits({ window, made, found, rest, generations }: JoinInput): ScanHits {
  const oldest = made.reduce<bigint | undefined>(
    (least, { generation }) => (least === undefined || generation < least ? generation : least),
    undefined,
  );
  const dropped = new Set(found.flatMap((each) => each.dropped));
  const first = window.from.toISOString();
  return {
    of(rule) {
      const since = generations.get(rule.id);
      const isKnown = oldest === undefined || (since !== undefined && since <= oldest);
      if (!isKnown || dropped.has(rule.id)) return undefined;
      const logs = new Map<string, LogEvent>();
      const add = (hits: readonly LogEvent[]) => {
        for (const each of hits) if (each.ingested_at >= first) logs.set(each.id, each);
      };
      for (const { hits } of found) add(hits.get(rule.id) ?? []);
      for (const part of rest) {
        const hits = part.of(rule);
        if (!hits) return undefined;
        add(hits);
      }
      if (logs.size > RUN_LIMITS.matches) return undefined;
      return [...logs.values()].toSorted((a, b) => (a.ingested_at < b.ingested_at ? -1 : 1));
    },
  };
}
