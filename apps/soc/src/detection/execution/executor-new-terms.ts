import type { Condition, Field } from "@kit/query/condition";
import type { LogEvent } from "../../ports/log-event.ts";
import { type Execution, RUN_LIMITS, toGroup, type Window } from "../matches/finding.ts";
import { equals, parseEventField } from "../matching/event-field.ts";
import type { NewTermsDetails } from "../rules/rule-details.ts";
import { type GroupedEvent, listCombinations, toGroupedEvent } from "./executor-groups.ts";
import type { Reading } from "./log-reader.ts";

interface Term {
  texts: string[];
  events: GroupedEvent[];
  last: LogEvent;
}

const DAY_MS = 24 * 60 * 60_000;
/** How many terms one query searches for, and how many logs it reads. */
const TERMS_BATCH_SIZE = 50;
const LOGS_PER_BATCH = 1000;
const MAX_TERMS = 2000;

/** Finds values of the fields that occur in the window but not in the days before it. */
export async function findNewTerms(reading: Reading, details: NewTermsDetails): Promise<Execution> {
  const { window } = reading;
  const fields = details.fields.map((name) => parseEventField(name, "threshold.fields"));
  const { terms, capped } = await readTerms(reading, fields);
  const history = { from: new Date(window.from.getTime() - details.history_days * DAY_MS), to: window.from };
  const fresh: Term[] = [];
  for (let at = 0; at < terms.length; at += TERMS_BATCH_SIZE) {
    fresh.push(...(await withoutKnown(reading, fields, terms.slice(at, at + TERMS_BATCH_SIZE), history)));
  }
  return {
    window,
    findings: fresh.map(({ last, events, texts }) => ({
      log: last,
      members: events.slice(0, RUN_LIMITS.members),
      ...toGroup(details.fields, texts),
    })),
    total: fresh.reduce((sum, { events }) => sum + events.length, 0),
    ...(capped !== undefined && { capped }),
  };
}

async function readTerms(
  { logs, window, condition, signal }: Reading,
  fields: readonly Field[],
): Promise<{ terms: Term[]; capped?: string }> {
  const terms = new Map<string, Term>();
  let read = 0;
  for await (const block of logs.stream(condition, window, RUN_LIMITS.read + 1, signal)) {
    for (const log of block) {
      read += 1;
      if (read > RUN_LIMITS.read)
        return { terms: [...terms.values()], capped: `more than ${RUN_LIMITS.read} logs match` };
      for (const texts of listCombinations(fields, log)) addTerm(terms, texts, log);
      if (terms.size > MAX_TERMS) {
        return { terms: [...terms.values()], capped: `the logs have more than ${MAX_TERMS} terms` };
      }
    }
  }
  return { terms: [...terms.values()] };
}

function addTerm(terms: Map<string, Term>, texts: string[], log: LogEvent): void {
  const key = JSON.stringify(texts);
  const term = terms.get(key);
  if (!term) terms.set(key, { texts, events: [toGroupedEvent(log)], last: log });
  else if (term.events.length < RUN_LIMITS.members) term.events.push(toGroupedEvent(log));
}

/** Searches logs with any of the terms, removes the terms found, and repeats for the rest. */
async function withoutKnown(
  { logs, condition, signal }: Reading,
  fields: readonly Field[],
  terms: readonly Term[],
  history: Window,
): Promise<Term[]> {
  const left = new Map(terms.map((term) => [JSON.stringify(term.texts), term]));
  while (left.size > 0) {
    const asked = { kind: "or", of: [...left.values()].map(({ texts }) => hasTerm(fields, texts)) } as const;
    const seen = await logs.search({ kind: "and", of: [condition, asked] }, history, LOGS_PER_BATCH, signal);
    const before = left.size;
    for (const log of seen) {
      for (const texts of listCombinations(fields, log)) left.delete(JSON.stringify(texts));
    }
    // A short page means that all logs were read. If no term was removed, another query would return the same.
    if (seen.length < LOGS_PER_BATCH || left.size === before) break;
  }
  return [...left.values()];
}

function hasTerm(fields: readonly Field[], texts: readonly string[]): Condition {
  return { kind: "and", of: fields.map((field, at) => equals(field, texts[at] ?? "")) };
}
