import type { Condition, Field } from "@kit/query/condition";
import { plainTextOf } from "@kit/query/condition-pattern";
import { parseQuery } from "@kit/query/query";
import { ALERT_STATUSES, SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { type Alert, type AlertQuery, type AlertTest, listQueryKeys } from "../../alerts/module.ts";
import { EMPTY_LOG, type LogEvent } from "../../ports/log-event.ts";
import { toPredicate } from "./predicate.ts";

// The query language is for logs, so an alert is read as a log: its title is the message, and most fields are
// attributes.
const SAME_AS_A_LOGS = ["id", "source", "severity", "host", "user", "site"] as const;
const ATTRIBUTES = [
  "description",
  "status",
  "iocs",
  "mitre_techniques",
  "tags",
  "rule_id",
  "risk_score",
  "assignee",
  "case_id",
  "occurrence_count",
] as const satisfies readonly (keyof Alert)[];

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ["title", { name: "message" }],
  ...SAME_AS_A_LOGS.map((name): [string, Field] => [name, { name }]),
  ...ATTRIBUTES.map((name): [string, Field] => [name, { attribute: [name] }]),
]);

/** Parses a condition on an alert. */
export function parseAlertQuery(text: string): Condition {
  return parseQuery(text, { fields: FIELDS });
}

/** Compiles a condition into a predicate over alerts. */
export function toAlertPredicate(condition: Condition): (alert: Alert) => boolean {
  const predicate = toPredicate(condition);
  return (alert) => predicate(alertToLog(alert));
}

/** Compiles a query for a list into a test for the table and a check for the rest. */
export function compileAlertQuery(text: string): AlertQuery {
  const condition = parseAlertQuery(text);
  return { matches: toAlertPredicate(condition), ...toTest(condition, false) };
}

type TermTest = Pick<AlertQuery, "test" | "isExact">;

const UNKNOWN: TermTest = { test: { kind: "all" }, isExact: false };

/** Returns the test that every alert passes if the condition holds or, if negated, does not hold. */
function toTest(condition: Condition, isNegated: boolean): TermTest {
  switch (condition.kind) {
    case "all":
    case "none":
      return isNegated === (condition.kind === "none")
        ? { test: { kind: "all" }, isExact: true }
        : { test: { kind: "not", of: { kind: "all" } }, isExact: true };
    case "not":
      return toTest(condition.of, !isNegated);
    case "and":
    case "or":
      return join(
        (condition.kind === "and") === isNegated ? "or" : "and",
        condition.of.map((each) => toTest(each, isNegated)),
      );
    case "number":
      return negateIf(isNegated, findNumber(condition));
    case "text":
    case "regex":
    case "exists":
      return findValues(condition, isNegated) ?? (isNegated ? UNKNOWN : findKeys(condition));
    case "anywhere":
    case "instant":
    case "network":
    case "same":
    case "words":
      return UNKNOWN;
    default:
      return condition satisfies never;
  }
}

function join(kind: "and" | "or", parts: readonly TermTest[]): TermTest {
  return { test: { kind, of: parts.map(({ test }) => test) }, isExact: parts.every(({ isExact }) => isExact) };
}

function negateIf(isNegated: boolean, { test, isExact }: TermTest): TermTest {
  return isNegated && isExact ? { test: { kind: "not", of: test }, isExact } : { test, isExact };
}

function findNumber({ field, comparison, value }: Extract<Condition, { kind: "number" }>): TermTest {
  const column = "attribute" in field ? field.attribute.join(".") : field.name;
  if (column !== "risk_score" && column !== "occurrence_count") return UNKNOWN;
  return { test: { kind: "number", column, comparison, value }, isExact: true };
}

type ValueCondition = Extract<Condition, { kind: "text" | "regex" | "exists" }>;

/** For a field with few possible values: those for which the condition holds. */
function findValues(condition: ValueCondition, isNegated: boolean): TermTest | undefined {
  const name = nameOf(condition.field);
  if (name !== "severity" && name !== "status") return undefined;
  const holds = toPredicate(condition);
  const isWanted = (fields: Partial<LogEvent>) => holds({ ...EMPTY_LOG, ...fields }) !== isNegated;
  const test: AlertTest =
    name === "severity"
      ? { kind: "severity", values: SEVERITIES.filter((severity) => isWanted({ severity })) }
      : { kind: "status", values: ALERT_STATUSES.filter((status) => isWanted({ attributes: { status } })) };
  return { test, isExact: true };
}

/** Equal names have the same filter key, but so may different names. */
function findKeys(condition: ValueCondition): TermTest {
  const text = condition.kind === "text" ? plainTextOf(condition.pattern) : undefined;
  const keys = text === undefined || text.trim() === "" ? [] : listQueryKeys(nameOf(condition.field), text);
  return keys.length === 0 ? UNKNOWN : { test: { kind: "keys", keys }, isExact: false };
}

function nameOf(field: Field): string {
  return "attribute" in field ? field.attribute.join(".") : field.name;
}

function alertToLog(alert: Alert): LogEvent {
  return {
    ...EMPTY_LOG,
    id: alert.id,
    timestamp: alert.first_seen.toISOString(),
    ingested_at: alert.created_at.toISOString(),
    site: alert.site ?? "",
    source: alert.source,
    host: alert.host ?? "",
    severity: alert.severity,
    user: alert.user ?? "",
    message: alert.title,
    attributes: Object.fromEntries(ATTRIBUTES.map((name) => [name, alert[name]])),
  };
}
