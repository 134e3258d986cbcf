import { invalidField, Problem } from "@kit/problem";
import { parseQuery } from "../../logs/query/query.ts";
import { parseEventField } from "../matching/event-field.ts";
import type { RuleType, ThresholdRequest } from "./rules.schema.ts";

/** A minimum number of events of one group within a time. */
export interface ThresholdDetails {
  count: number;
  group_by: string[];
  within_minutes: number;
}

/** Values that did not occur in the days before. */
export interface NewTermsDetails {
  fields: string[];
  history_days: number;
}

/** Events of one group that follow each other within a time. */
export interface SequenceDetails {
  steps: string[];
  group_by: string[];
  within_minutes: number;
}

const WITHIN_MINUTES = 60;
const HISTORY_DAYS = 7;
const NAMES: Readonly<Record<RuleType, readonly (keyof ThresholdRequest)[]>> = {
  query: [],
  threshold: ["count", "group_by", "within_minutes"],
  new_terms: ["fields", "history_days"],
  sequence: ["steps", "group_by", "within_minutes"],
};

/** The complete details of a rule type beside the query; null when the type has none. */
export function completeDetails(type: RuleType, given: ThresholdRequest | null): ThresholdRequest | null {
  const foreign = Object.keys(given ?? {}).find((name) => !NAMES[type].some((known) => known === name));
  if (foreign !== undefined) {
    throw invalidField(`threshold.${foreign}`, `has no meaning for a rule of type ${type}`);
  }
  switch (type) {
    case "query":
      return null;
    case "threshold":
      return { ...readThreshold(given) };
    case "new_terms":
      return { ...readNewTerms(given) };
    case "sequence":
      return { ...readSequence(given) };
    default:
      return type satisfies never;
  }
}

export function readThreshold(given: ThresholdRequest | null): ThresholdDetails {
  const { count, group_by = [], within_minutes = WITHIN_MINUTES } = given ?? {};
  if (count === undefined) throw invalidField("threshold.count", "must be given for a rule of type threshold");
  return { count, group_by: fieldNames("group_by", group_by), within_minutes };
}

export function readNewTerms(given: ThresholdRequest | null): NewTermsDetails {
  const { fields = [], history_days = HISTORY_DAYS } = given ?? {};
  if (fields.length === 0) {
    throw invalidField("threshold.fields", "must name a field for a rule of type new_terms");
  }
  return { fields: fieldNames("fields", fields), history_days };
}

export function readSequence(given: ThresholdRequest | null): SequenceDetails {
  const { steps = [], group_by = [], within_minutes = WITHIN_MINUTES } = given ?? {};
  if (steps.length < 2) {
    throw invalidField("threshold.steps", "must have at least two queries for a rule of type sequence");
  }
  for (const [at, step] of steps.entries()) readStep(step, at);
  return { steps, group_by: fieldNames("group_by", group_by), within_minutes };
}

function readStep(step: string, at: number): void {
  try {
    parseQuery(step);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw invalidField(`threshold.steps[${at}]`, error.message, { cause: error });
  }
}

function fieldNames(place: string, names: readonly string[]): string[] {
  for (const name of names) parseEventField(name, `threshold.${place}`);
  return [...new Set(names)];
}
