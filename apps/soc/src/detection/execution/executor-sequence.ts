import type { Condition } from "@kit/query/condition";
import { toPredicate } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { type Execution, type Finding, RUN_LIMITS, toGroup, type Window } from "../matches/finding.ts";
import { type SequenceDetails, toSpanMs } from "../rules/rule-details.ts";
import { type GroupedEvent, inOrder, readGroupsBy, toGroupedEvent } from "./executor-groups.ts";
import type { Reading } from "./log-reader.ts";

interface SteppedEvent extends GroupedEvent {
  /** The steps that the event matches. */
  steps: readonly number[];
}

/**
 * Finds events of one group that match the steps within the time limit, in order unless any order is allowed, with at
 * least one event new in this window.
 */
export async function findSequences(
  reading: Reading,
  details: SequenceDetails,
  steps: readonly Condition[],
  window: Window,
): Promise<Omit<Execution, "window">> {
  const { group_by, any_order = false } = details;
  const predicates = steps.map((each) => toPredicate(each));
  const condition = { kind: "and", of: [reading.condition, { kind: "or", of: steps }] } as const;
  const findAll = any_order ? findGatherings : findChains;
  const toEvent = (log: LogEvent): SteppedEvent => ({
    ...toGroupedEvent(log),
    steps: predicates.flatMap((isStep, step) => (isStep(log) ? [step] : [])),
  });
  const { groups, capped } = await readGroupsBy({ ...reading, condition, by: group_by }, toEvent);
  const newSince = window.from.toISOString();
  const findings = groups.flatMap(({ events, last, values }): Finding[] => {
    const chains = findAll(inOrder(events), steps.length, toSpanMs(details));
    const fresh = chains.filter((chain) => chain.some(({ ingested_at }) => ingested_at >= newSince));
    const members = [...new Set(fresh.flat())].slice(0, RUN_LIMITS.members);
    return members.length === 0 ? [] : [{ log: last, members, ...toGroup(group_by, values) }];
  });
  const total = findings.reduce((sum, { members }) => sum + members.length, 0);
  return { findings, total, ...(capped !== undefined && { capped }) };
}

/**
 * Returns the complete chains among the events. A chain that started later has more time left, so only the latest of
 * each length is kept.
 */
function findChains(events: readonly SteppedEvent[], length: number, withinMs: number): SteppedEvent[][] {
  let begun: (SteppedEvent[] | undefined)[] = [];
  const whole: SteppedEvent[][] = [];
  for (const event of events) {
    // Backwards, so that one event never counts as two steps of a chain.
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

/** Returns the events that together match all steps, in any order. One event may match several steps. */
function findGatherings(events: readonly SteppedEvent[], length: number, withinMs: number): SteppedEvent[][] {
  let newest = new Map<number, SteppedEvent>();
  const whole: SteppedEvent[][] = [];
  for (const event of events) {
    for (const step of event.steps) newest.set(step, event);
    const gathered = [...newest.values()].filter(({ at }) => event.at - at <= withinMs);
    if (gathered.length < length) continue;
    whole.push([...new Set(gathered)]);
    newest = new Map();
  }
  return whole;
}
