import { type Execution, type Finding, RUN_LIMITS, toGroup, type Window } from "../matches/finding.ts";
import type { ThresholdDetails } from "../rules/rule-details.ts";
import { type Group, type GroupedEvent, type Groups, inOrder, readGroups } from "./executor-groups.ts";
import type { Reading } from "./log-reader.ts";

// Most logs arrive within a minute. Later ones are completed with what had arrived up to a day before them: an agent that was
// offline delivers one burst in several batches.
const USUAL_DELAY_MS = 60_000;
const MAX_DELAY_MS = 24 * 60 * 60_000;

/**
 * Reads the new logs of the window in groups, with the earlier logs that may form a burst with them. A burst is judged by
 * event time, logs are read by ingest time, and a log is not ingested before its event.
 */
export async function readBurstGroups(
  reading: Reading,
  { within_minutes, group_by: by }: ThresholdDetails,
): Promise<Groups> {
  const { from, to } = reading.window;
  const back = (ms: number) => new Date(from.getTime() - ms - within_minutes * 60_000);
  const usual = back(USUAL_DELAY_MS);
  const near = await readGroups({ ...reading, window: { from: usual, to }, by });
  const delayMs = findDelay(near, from);
  if (delayMs <= USUAL_DELAY_MS) return near;
  return join(near, await readGroups({ ...reading, window: { from: back(delayMs), to: usual }, by }));
}

/** How long before the window the oldest of its events happened, not counting those of clocks that are wrong. */
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

function join(near: Groups, earlier: Groups): Groups {
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

/** Finds groups with enough events within the time, of which at least one is new in this window. */
export function findBursts(
  { groups, capped }: Groups,
  { count, within_minutes, group_by }: ThresholdDetails,
  window: Window,
): Omit<Execution, "window"> {
  const newSince = window.from.toISOString();
  let total = 0;
  const findings: Finding[] = [];
  for (const group of groups) {
    const burst = findBurst(group, count, within_minutes * 60_000, newSince);
    if (burst.length === 0) continue;
    total += burst.length;
    // The newest events are those that no earlier run can have found.
    const members = burst.slice(-RUN_LIMITS.members);
    findings.push({ log: group.last, members, ...toGroup(group_by, group.values) });
  }
  return { findings, total, ...(capped !== undefined && { capped }) };
}

/** The events of every span of the given length that contains enough events and at least one new one. */
function findBurst({ events }: Group, count: number, withinMs: number, newSince: string): GroupedEvent[] {
  if (events.length < count) return [];
  const ordered = inOrder(events);
  const isInBurst = new Uint8Array(ordered.length);
  let start = 0;
  let fresh = 0;
  for (const [end, event] of ordered.entries()) {
    if (event.ingested_at >= newSince) fresh += 1;
    for (let first = ordered[start]; first && first.at < event.at - withinMs; first = ordered[start]) {
      if (first.ingested_at >= newSince) fresh -= 1;
      start += 1;
    }
    if (end - start + 1 >= count && fresh > 0) isInBurst.fill(1, start, end + 1);
  }
  return ordered.filter((_, place) => isInBurst[place] === 1);
}
