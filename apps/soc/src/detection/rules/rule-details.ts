import { invalidField, Problem } from "@kit/problem";
import { parseQuery } from "@kit/query/query";
import { parseEventField } from "../matching/event-field.ts";
import type { RuleType, ThresholdRequest } from "./rules.schema.ts";

/** The maximum time between the events of one group. */
type Span = { within_minutes: number } | { within_seconds: number };

/** A minimum number of events of one group, or of distinct values of a field in them, within a time limit. */
export type ThresholdDetails = Span & {
  count: number;
  group_by: string[];
  distinct_field?: string;
};

/** Values that did not occur in the preceding days. */
export interface NewTermsDetails {
  fields: string[];
  history_days: number;
}

/** Events of one group that follow each other within a time limit. */
export type SequenceDetails = Span & {
  /** Empty if the steps are the rules of a Sigma correlation. */
  steps: string[];
  group_by: string[];
  any_order?: boolean;
};

const WITHIN_MINUTES = 60;
const HISTORY_DAYS = 7;
const NAMES: Readonly<Record<RuleType, readonly (keyof ThresholdRequest)[]>> = {
  query: [],
  threshold: ["count", "group_by", "within_minutes", "within_seconds", "distinct_field"],
  new_terms: ["fields", "history_days"],
  sequence: ["steps", "group_by", "within_minutes", "within_seconds", "any_order"],
};

/**
 * Completes the details of a rule type in addition to the query; null if the type has none. A Sigma correlation
 * provides the steps of its sequence.
 */
export function completeDetails(
  type: RuleType,
  given: ThresholdRequest | null,
  bringsSteps = false,
): ThresholdRequest | null {
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
      if (!bringsSteps) requireSteps(given);
      return { ...readSequence(given) };
    default:
      return type satisfies never;
  }
}

export function readThreshold(given: ThresholdRequest | null): ThresholdDetails {
  const { count, group_by = [], distinct_field } = given ?? {};
  if (count === undefined) throw invalidField("threshold.count", "is required for a rule of type threshold");
  if (distinct_field !== undefined) parseEventField(distinct_field, "threshold.distinct_field");
  return {
    ...{ count, group_by: fieldNames("group_by", group_by), ...readSpan(given) },
    ...(distinct_field !== undefined && { distinct_field }),
  };
}

export function readNewTerms(given: ThresholdRequest | null): NewTermsDetails {
  const { fields = [], history_days = HISTORY_DAYS } = given ?? {};
  if (fields.length === 0) {
    throw invalidField("threshold.fields", "must name a field for a rule of type new_terms");
  }
  return { fields: fieldNames("fields", fields), history_days };
}

function requireSteps(given: ThresholdRequest | null): void {
  if ((given?.steps ?? []).length >= 2) return;
  throw invalidField("threshold.steps", "must have at least two queries for a rule of type sequence");
}

export function readSequence(given: ThresholdRequest | null): SequenceDetails {
  const { steps = [], group_by = [], any_order } = given ?? {};
  for (const [at, step] of steps.entries()) readStep(step, at);
  return {
    ...{ steps, group_by: fieldNames("group_by", group_by), ...readSpan(given) },
    ...(any_order === true && { any_order }),
  };
}

function readSpan(given: ThresholdRequest | null): Span {
  const { within_minutes, within_seconds } = given ?? {};
  if (within_seconds === undefined) return { within_minutes: within_minutes ?? WITHIN_MINUTES };
  if (within_minutes === undefined) return { within_seconds };
  throw invalidField("threshold.within_seconds", "must not be combined with within_minutes");
}

export function toSpanMs(span: Span): number {
  return "within_seconds" in span ? span.within_seconds * 1000 : span.within_minutes * 60_000;
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
