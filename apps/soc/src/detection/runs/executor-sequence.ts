import { toPredicate } from "../../logs/query/predicate.ts";
import { parseQuery } from "../../logs/query/query.ts";
import type { LogEvent } from "../../logs/search/log.ts";
import { type Execution, type Finding, RUN_LIMITS, toGroup, type Window } from "../matches/finding.ts";
import type { SequenceDetails } from "../rules/rule-details.ts";
import { type GroupedEvent, inOrder, readGroupsBy, toGroupedEvent } from "./executor-groups.ts";
import type { Reading } from "./log-reader.ts";

interface SteppedEvent extends GroupedEvent {
  /** The steps that the event matches. */
  steps: readonly number[];
}

/**
 * Finds events of one group that match the steps in order, within the time, with at least one event new in this window.
 */
export async function findSequences(
  reading: Reading,
  { steps, group_by, within_minutes }: SequenceDetails,
  window: Window,
): Promise<Omit<Execution, "window">> {
  const conditions = steps.map((step) => parseQuery(step));
  const predicates = conditions.map((each) => toPredicate(each));
  const condition = { kind: "and", of: [reading.condition, { kind: "or", of: conditions }] } as const;
  const toEvent = (log: LogEvent): SteppedEvent => ({
    ...toGroupedEvent(log),
    steps: predicates.flatMap((isStep, step) => (isStep(log) ? [step] : [])),
  });
  const { groups, capped } = await readGroupsBy({ ...reading, condition, by: group_by }, toEvent);
  const newSince = window.from.toISOString();
  const findings = groups.flatMap(({ events, last, values }): Finding[] => {
    const chains = findChains(inOrder(events), steps.length, within_minutes * 60_000);
    const fresh = chains.filter((chain) => chain.some(({ ingested_at }) => ingested_at >= newSince));
    const members = [...new Set(fresh.flat())].slice(0, RUN_LIMITS.members);
    return members.length === 0 ? [] : [{ log: last, members, ...toGroup(group_by, values) }];
  });
  const total = findings.reduce((sum, { members }) => sum + members.length, 0);
  return { findings, total, ...(capped !== undefined && { capped }) };
}

/**
 * The complete chains among the events. A chain that began later has more time left, so only the latest of each length
 * is kept.
 */
function findChains(events: readonly SteppedEvent[], length: number, withinMs: number): SteppedEvent[][] {
  let begun: (SteppedEvent[] | undefined)[] = [];
  const whole: SteppedEvent[][] = [];
  for (const event of events) {
    // Backwards, so that one event never becomes two steps of a chain.
    for (const step of event.steps.toReversed()) {
      const before = step === 0 ? [] : begun[step - 1];
      const [first = event] = before ?? [];
      if (before && event.at - first.at <= withinMs) begun[step] = [...before, event];
    }
    const last = begun[length - 1];
    if (!last) continue;
    whole.push(last);
    begun = [];
  }
  return whole;
}
