import type { LogEvent } from "../../logs/search/log.ts";
import { type Execution, type Finding, RUN_LIMITS, toGroup, type Window } from "../matches/finding.ts";
import { parseEventField, readTexts } from "../matching/event-field.ts";
import { type ThresholdDetails, toSpanMs } from "../rules/rule-details.ts";
import { type Group, type GroupedEvent, inOrder, readGroupsBy, toGroupedEvent } from "./executor-groups.ts";
import type { Reading } from "./log-reader.ts";

interface CountedEvent extends GroupedEvent {
  /** What the rule counts: the event itself, or the values of a field in it. */
  counted: readonly string[];
}

/** Finds groups with enough events, or enough different values, within the time, of which at least one is new in this window. */
export async function findBursts(
  reading: Reading,
  details: ThresholdDetails,
  window: Window,
): Promise<Omit<Execution, "window">> {
  const { count, group_by, distinct_field } = details;
  const field = distinct_field === undefined ? undefined : parseEventField(distinct_field, "threshold.distinct_field");
  const toEvent = (log: LogEvent): CountedEvent => ({
    ...toGroupedEvent(log),
    counted: field === undefined ? [log.id] : readTexts(field, log),
  });
  const { groups, capped } = await readGroupsBy({ ...reading, by: group_by }, toEvent);
  const newSince = window.from.toISOString();
  let total = 0;
  const findings: Finding[] = [];
  for (const group of groups) {
    const burst = findBurst(group, count, toSpanMs(details), newSince);
    if (burst.length === 0) continue;
    total += burst.length;
    // The newest events are those that no earlier run can have found.
    const members = burst.slice(-RUN_LIMITS.members);
    findings.push({ log: group.last, members, ...toGroup(group_by, group.values) });
  }
  return { findings, total, ...(capped !== undefined && { capped }) };
}

/** The events of every span of the given length that contains enough to count and at least one new event. */
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

/** Counts the different things in the events that were added and not removed. */
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
