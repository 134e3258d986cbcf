import { type Execution, type Finding, RUN_LIMITS, toGroup, type Window } from "../matches/finding.ts";
import type { ThresholdDetails } from "../rules/rule-details.ts";
import { type Group, type GroupedEvent, type Groups, inOrder } from "./executor-groups.ts";

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
