import { isDeepStrictEqual } from "node:util";
import type { LogEvent } from "../../ports/log-event.ts";
import type { AgentId } from "../agents/agent-names.ts";
import { ANY_FIELD, cite, type Finding, shorten, uniqueStatements } from "../investigations/findings.ts";
import type { Envelope } from "../tools/tools.service.ts";
import { type AgentPlan, MAX_CALLS, type PlannedCall, type Subject } from "./plan.ts";

/** A call, and what its answer shows. */
export interface Step {
  call: PlannedCall;
  conclude: (answer: Envelope) => Finding[];
}

export interface PlanParts<About extends Subject> {
  isTriggered: (subject: About) => boolean;
  /** The most important first: those beyond the bound are left out. */
  steps: (subject: About) => readonly Step[];
}

const MAX_FINDINGS = 10;

/** A plan whose answers are each read by the step that asked for them. */
export function createPlan<About extends Subject = Subject>(
  agent: AgentId,
  { isTriggered, steps }: PlanParts<About>,
): AgentPlan<About> {
  const bounded = (subject: About) => (isTriggered(subject) ? steps(subject).slice(0, MAX_CALLS) : []);
  return {
    agent,
    isTriggered,
    calls: (subject) => bounded(subject).map(({ call }) => call),
    conclude(subject, made) {
      const findings = bounded(subject).flatMap(({ call, conclude }) =>
        made
          .filter(({ tool, input }) => tool === call.tool && isDeepStrictEqual(input, call.input))
          .slice(0, 1)
          .flatMap(({ answer }) => conclude(answer)),
      );
      return uniqueStatements(findings).slice(0, MAX_FINDINGS);
    },
  };
}

/** A value of an event within a sentence. The checker compares what is quoted with the claims. */
export function quote(value: string): string {
  return `"${shorten(value)}"`;
}

/** `one event`, `3 events`, `at least 100 events`: an answer that was cut shows only a part. */
export function count(quantity: number, noun: string, isComplete: boolean): string {
  const plural = noun.endsWith("s") ? `${noun}es` : `${noun}s`;
  const amount = quantity === 1 ? `one ${noun}` : `${quantity} ${plural}`;
  return isComplete ? amount : `at least ${amount}`;
}

/** The first and the last event before the others: a sentence that names a span of time cites its ends. */
export function endsFirst<Item>(items: readonly Item[]): Item[] {
  const last = items.at(-1);
  return items.length < 3 || last === undefined ? [...items] : [...items.slice(0, 1), last, ...items.slice(1, -1)];
}

/** ` at T` or ` from T to U`. */
export function formatSpan(events: readonly { timestamp: string }[]): string {
  const [first, last] = [events.at(0)?.timestamp, events.at(-1)?.timestamp];
  return first === last ? `at ${first}` : `from ${first} to ${last}`;
}

/** A sentence about events that each contain the value somewhere, and have their own values in the fields. */
export function citeMentions(
  statement: string,
  events: readonly LogEvent[],
  value: string,
  fields: readonly string[] = [],
): Finding {
  const cited = cite(statement, events, fields);
  const claims = cited.evidence_ids.map((log_id) => ({ log_id, field: ANY_FIELD, value: shorten(value) }));
  return { ...cited, claims: [...cited.claims, ...claims] };
}

/** The groups in the order of their keys. */
export function groupBy(events: readonly LogEvent[], keyOf: (event: LogEvent) => string): [string, LogEvent[]][] {
  const groups = new Map<string, LogEvent[]>();
  for (const event of events) groups.set(keyOf(event), [...(groups.get(keyOf(event)) ?? []), event]);
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
