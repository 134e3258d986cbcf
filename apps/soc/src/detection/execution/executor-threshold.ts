import type { LogEvent } from "../../ports/log-event.ts";
import { type Execution, type Finding, RUN_LIMITS, toGroup } from "../matches/finding.ts";
import { parseEventField, readTexts } from "../matching/event-field.ts";
import { type ThresholdDetails, toSpanMs } from "../rules/rule-details.ts";
import {
  type Group,
  type GroupedEvent,
  type Groups,
  inOrder,
  readGroupsBy,
  toGroupedEvent,
} from "./executor-groups.ts";
import type { Reading } from "./log-reader.ts";

interface CountedEvent extends GroupedEvent {
  /** What the rule counts: the event itself, or the values of a field. */
  counted: readonly string[];
}

// Most logs arrive within a minute. A later log is combined with logs that arrived up to a day before it, because an
// agent that was offline delivers one burst in several batches.
const USUAL_DELAY_MS = 60_000;
const MAX_DELAY_MS = 24 * 60 * 60_000;

/**
 * Reads the new logs of the window in groups, with the earlier logs that may form a burst with them. A burst is judged
 * by event time, logs are read by ingest time, and a log is never ingested before its event.
 */
async function readBurstGroups(
  reading: Reading,
  details: ThresholdDetails,
  toEvent: (log: LogEvent) => CountedEvent,
): Promise<Groups<CountedEvent>> {
  const { group_by: by } = details;
  const { from, to } = reading.window;
  const back = (ms: number) => new Date(from.getTime() - ms - toSpanMs(details));
  const usual = back(USUAL_DELAY_MS);
  const near = await readGroupsBy({ ...reading, window: { from: usual, to }, by }, toEvent);
  const delayMs = findDelay(near, from);
  if (delayMs <= USUAL_DELAY_MS) return near;
  return join(near, await readGroupsBy({ ...reading, window: { from: back(delayMs), to: usual }, by }, toEvent));
}

/** How long before the window its oldest event happened, ignoring events of wrong clocks. */
function findDelay({ groups }: Groups, from: Date): number {
  const newSince = from.toISOString();
  let delayMs = 0;
  for (const { events } of groups) {
    for (const { at, ingested_at } of events) {
      const eachMs = from.getTime() - at;
      if (ingested_at >= newSince && eachMs <= MAX_DELAY_MS) delayMs = Math.max(delayMs, eachMs);
    }
  }
  return delayMs;
}

function join(near: Groups<CountedEvent>, earlier: Groups<CountedEvent>): Groups<CountedEvent> {
  const known = new Map(earlier.groups.map((group) => [JSON.stringify(group.values), group.events]));
  const capped = near.capped ?? earlier.capped;
  return {
    groups: near.groups.map((group) => ({
      ...group,
      events: [...(known.get(JSON.stringify(group.values)) ?? []), ...group.events],
    })),
    ...(capped !== undefined && { capped }),
  };
}

/**
 * Finds groups with enough events, or enough different values, within the time limit, with at least one event new in
 * this window.
 */
export async function findBursts(reading: Reading, details: ThresholdDetails): Promise<Execution> {
  const { window } = reading;
  const { count, group_by, distinct_field } = details;
  const field = distinct_field === undefined ? undefined : parseEventField(distinct_field, "threshold.distinct_field");
  const toEvent = (log: LogEvent): CountedEvent => ({
    ...toGroupedEvent(log),
    counted: field === undefined ? [log.id] : readTexts(field, log),
  });
  const { groups, capped } = await readBurstGroups(reading, details, toEvent);
  const newSince = window.from.toISOString();
  let total = 0;
  const findings: Finding[] = [];
  for (const group of groups) {
    const burst = findBurst(group, count, toSpanMs(details), newSince);
    if (burst.length === 0) continue;
    total += burst.length;
    // No earlier run can have found the newest events.
    const members = burst.slice(-RUN_LIMITS.members);
    findings.push({ log: group.last, members, ...toGroup(group_by, group.values) });
  }
  return { window, findings, total, ...(capped !== undefined && { capped }) };
}

/** The events of every interval of the given length with enough to count and at least one new event. */
function findBurst({ events }: Group<CountedEvent>, count: number, withinMs: number, newSince: string): CountedEvent[] {
  const ordered = inOrder(events.filter(({ counted }) => counted.length > 0));
  const isInBurst = new Uint8Array(ordered.length);
  const tally = createTally();
  let start = 0;
  let fresh = 0;
  for (const [end, event] of ordered.entries()) {
    tally.add(event);
    if (event.ingested_at >= newSince) fresh += 1;
    for (let first = ordered[start]; first && first.at < event.at - withinMs; first = ordered[start]) {
      tally.remove(first);
      if (first.ingested_at >= newSince) fresh -= 1;
      start += 1;
    }
    if (tally.size() >= count && fresh > 0) isInBurst.fill(1, start, end + 1);
  }
  return ordered.filter((_, place) => isInBurst[place] === 1);
}

/** Counts the distinct values in the events that were added and not removed. */
function createTally() {
  const times = new Map<string, number>();
  return {
    add({ counted }: CountedEvent): void {
      for (const each of counted) times.set(each, (times.get(each) ?? 0) + 1);
    },
    remove({ counted }: CountedEvent): void {
      for (const each of counted) {
        const left = (times.get(each) ?? 0) - 1;
        if (left > 0) times.set(each, left);
        else times.delete(each);
      }
    },
    size: () => times.size,
  };
}
