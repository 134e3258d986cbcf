import { isDeepStrictEqual } from "node:util";
import type { Alert } from "../../alerts/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { AgentId } from "../agents/agent-names.ts";
import { ANY_FIELD, cite, type Finding, shorten, uniqueStatements } from "../investigations/findings.ts";
import type { Judgement } from "../investigations/verdict.ts";
import type { Envelope } from "../tools/tools.service.ts";

/** What an agent is asked about. */
export interface Subject {
  alert: Alert;
  /** The alert's own events, the oldest first. */
  events: readonly LogEvent[];
  has_cps_assets: boolean;
}

/** The subject after the supervisor has judged it. */
export interface JudgedSubject extends Subject {
  judgement: Pick<Judgement, "verdict" | "confidence">;
  /** The case of the alert, if it has one. */
  case_id: string | undefined;
  /** Whether agents may open a case; absent in records of releases in which they always did. */
  opens_cases?: boolean;
}

export interface PlannedCall {
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

export interface MadeCall extends PlannedCall {
  answer: Envelope;
}

/** The most calls that a plan may have. */
export const MAX_CALLS = 6;

/** What an agent does without a model. Nothing in it depends on the text of a log beyond the values it looks up. */
export interface AgentPlan<About extends Subject = Subject> {
  agent: AgentId;
  isTriggered(subject: About): boolean;
  calls(subject: About): readonly PlannedCall[];
  /** What the answers show, each sentence with the events that say so. */
  conclude(subject: About, made: readonly MadeCall[]): Finding[];
}

/** A call and the conclusion from its answer. */
export interface Step {
  call: PlannedCall;
  conclude: (answer: Envelope) => Finding[];
}

export interface PlanParts<About extends Subject> {
  isTriggered: (subject: About) => boolean;
  /** Most important first; steps above the limit are dropped. */
  steps: (subject: About) => readonly Step[];
}

const MAX_FINDINGS = 10;

/** Creates a plan in which each step reads the answer to its own call. */
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

/** Quotes a value of an event within a sentence. The checker compares quoted values with the claims. */
export function quote(value: string): string {
  return `"${shorten(value)}"`;
}

/** Formats `one event`, `3 events` or, for a truncated answer, `at least 100 events`. */
export function count(quantity: number, noun: string, isComplete: boolean): string {
  const plural = noun.endsWith("s") ? `${noun}es` : `${noun}s`;
  const amount = quantity === 1 ? `one ${noun}` : `${quantity} ${plural}`;
  return isComplete ? amount : `at least ${amount}`;
}

/** Moves the first and last event to the front, because a sentence about a period cites its ends. */
export function endsFirst<Item>(items: readonly Item[]): Item[] {
  const last = items.at(-1);
  return items.length < 3 || last === undefined ? [...items] : [...items.slice(0, 1), last, ...items.slice(1, -1)];
}

/** Formats `at T` or `from T to U`. */
export function formatSpan(events: readonly { timestamp: string }[]): string {
  const [first, last] = [events.at(0)?.timestamp, events.at(-1)?.timestamp];
  return first === last ? `at ${first}` : `from ${first} to ${last}`;
}

/** Builds a sentence about events that each contain the value, with claims for the fields. */
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

/** Returns the groups in the order of their keys. */
export function groupBy(events: readonly LogEvent[], keyOf: (event: LogEvent) => string): [string, LogEvent[]][] {
  const groups = new Map<string, LogEvent[]>();
  for (const event of events) groups.set(keyOf(event), [...(groups.get(keyOf(event)) ?? []), event]);
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
