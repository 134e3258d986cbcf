import type { PartitionState } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { RUN_LIMITS } from "../matches/finding.ts";
import { SEGMENT_MS } from "../scheduling/segment.ts";

/** The hits of scheduled rules within one segment of one partition. */
export interface EndedSegment {
  partition: number;
  startMs: number;
  /** All rules of this generation were evaluated on all its logs; undefined if it had no logs. */
  generation: string | undefined;
  /** Rules with more hits than are kept. */
  dropped: string[];
  hits: ReadonlyMap<string, readonly LogEvent[]>;
}

interface OpenSegment {
  generation: bigint;
  /** False if its hits are incomplete. */
  isWhole: boolean;
  dropped: Set<string>;
  hits: Map<string, Map<string, LogEvent>>;
  characters: number;
}

interface OpenPartition {
  epoch: number;
  /** The next segment that has not ended yet. Segments that began before this owner did are omitted. */
  nextMs: number;
}

/** The size of the hits of one segment, in characters of text. */
const MAX_CHARACTERS = 4_000_000;
const LOG_CHARACTERS = 1000;
/** A worker that could not renew for long omits the rest; those segments are read from the log store. */
const MAX_ENDED = 100;

/** Collects the hits of the partitions that this process owns, until their segments end. */
export function createSegmentCollector() {
  const open = new Map<string, OpenSegment>();
  const partitions = new Map<number, OpenPartition>();
  const nameSegment = (partition: number, stampMs: number) =>
    `${partition} ${Math.floor(stampMs / SEGMENT_MS) * SEGMENT_MS}`;

  function drop(segment: OpenSegment, rule_id: string): void {
    for (const log of segment.hits.get(rule_id)?.values() ?? []) segment.characters -= sizeOfLog(log);
    segment.hits.delete(rule_id);
    segment.dropped.add(rule_id);
  }

  function take(partition: number, startMs: number): EndedSegment | undefined {
    const name = nameSegment(partition, startMs);
    const segment = open.get(name);
    open.delete(name);
    if (!segment) return { partition, startMs, generation: undefined, dropped: [], hits: new Map() };
    if (!segment.isWhole) return undefined;
    const hits = new Map([...segment.hits].map(([rule_id, logs]) => [rule_id, [...logs.values()]]));
    return { partition, startMs, generation: String(segment.generation), dropped: [...segment.dropped], hits };
  }

  /** Drops the state of another epoch of ownership. */
  function follow(partition: number, { epoch, watermarkMs }: PartitionState): OpenPartition {
    const known = partitions.get(partition);
    if (known?.epoch === epoch) return known;
    const begun = { epoch, nextMs: Math.ceil(watermarkMs / SEGMENT_MS) * SEGMENT_MS };
    partitions.set(partition, begun);
    return begun;
  }

  return {
    /** Records that a group is evaluated with rules of this generation; undefined if none of them is scheduled. */
    begin(partition: number, stampMs: number, generation: string | undefined): void {
      const name = nameSegment(partition, stampMs);
      const current = BigInt(generation ?? 0);
      const known = open.get(name);
      if (!known) {
        const empty = { dropped: new Set<string>(), hits: new Map(), characters: 0 };
        open.set(name, { generation: current, isWhole: generation !== undefined, ...empty });
        return;
      }
      if (current < known.generation) known.generation = current;
      known.isWhole &&= generation !== undefined;
    },

    add(partition: number, rule_id: string, log: LogEvent): void {
      const segment = open.get(nameSegment(partition, Date.parse(log.ingested_at)));
      if (!segment || segment.dropped.has(rule_id)) return;
      const logs = segment.hits.get(rule_id) ?? new Map<string, LogEvent>();
      segment.hits.set(rule_id, logs);
      if (!logs.has(log.id)) segment.characters += sizeOfLog(log);
      logs.set(log.id, log);
      if (logs.size > RUN_LIMITS.matches || segment.characters > MAX_CHARACTERS) drop(segment, rule_id);
    },

    /** Returns the segments below the watermarks of the partitions that this process still owns. */
    takeEnded(renewed: ReadonlyMap<number, PartitionState>, hasScheduled: boolean): EndedSegment[] {
      const ended: EndedSegment[] = [];
      for (const [partition, state] of renewed) {
        const known = follow(partition, state);
        for (; known.nextMs + SEGMENT_MS <= state.watermarkMs; known.nextMs += SEGMENT_MS) {
          const segment = take(partition, known.nextMs);
          if (segment && hasScheduled && ended.length < MAX_ENDED * renewed.size) ended.push(segment);
        }
      }
      for (const name of open.keys()) if (isLeft(name, renewed)) open.delete(name);
      return ended;
    },
  };

  /** Whether the segment belongs to a partition of another owner, or has ended before this one began. */
  function isLeft(name: string, renewed: ReadonlyMap<number, PartitionState>): boolean {
    const [partition = "", startMs = ""] = name.split(" ");
    const known = partitions.get(Number(partition));
    return !known || (renewed.has(Number(partition)) && Number(startMs) < known.nextMs);
  }
}

function sizeOfLog({ message, raw }: LogEvent): number {
  return message.length + raw.length + LOG_CHARACTERS;
}
