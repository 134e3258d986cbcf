import { type RawBuilder, sql } from "kysely";
import type { Static } from "typebox";
import type { AlertBody, AlertStatus, Severity } from "./alerts.schema.ts";

type Alert = Static<typeof AlertBody>;

/** The part of a query that columns of the table can answer. */
export type AlertTest =
  | { kind: "all" }
  | { kind: "and" | "or"; of: readonly AlertTest[] }
  | { kind: "not"; of: AlertTest }
  | { kind: "severity"; values: readonly Severity[] }
  | { kind: "status"; values: readonly AlertStatus[] }
  | { kind: "number"; column: "risk_score" | "occurrence_count"; comparison: NumberComparison; value: number }
  /** Only alerts with one of these filter keys can match. */
  | { kind: "keys"; keys: readonly string[] };
export type NumberComparison = "lt" | "le" | "gt" | "ge" | "eq";

/** A compiled query in the language of automations. */
export interface AlertQuery {
  matches(alert: Alert): boolean;
  /** Is true for every alert that matches. */
  test: AlertTest;
  /** Whether the test is false for every alert that does not match. If not, each alert that passes must be checked. */
  isExact: boolean;
}

/** Compiles the text of a query; throws for an invalid query, with the position of the error. */
export type CompileAlertQuery = (text: string) => AlertQuery;

const SIGNS = { lt: sql`<`, le: sql`<=`, gt: sql`>`, ge: sql`>=`, eq: sql`=` } as const;

/**
 * Never null, so that it can be negated. The expression must equal that of the index when the risk is compared with a
 * number.
 */
function compareNumber({ column, comparison, value }: AlertTest & { kind: "number" }): RawBuilder<boolean> {
  const isLowest = comparison === "lt" || comparison === "le" || value < 0;
  return column === "risk_score" && !isLowest
    ? sql<boolean>`coalesce(risk_score, -1) ${SIGNS[comparison]} ${value}`
    : sql<boolean>`coalesce(${sql.ref(column)} ${SIGNS[comparison]} ${value}, false)`;
}

/** Builds the test as a condition on columns of alerts. */
export function toCondition(test: AlertTest): RawBuilder<boolean> {
  switch (test.kind) {
    case "all":
      return sql<boolean>`true`;
    case "and":
      return sql<boolean>`(${sql.join(test.of.map(toCondition), sql` AND `)})`;
    case "or":
      return sql<boolean>`(${sql.join(test.of.map(toCondition), sql` OR `)})`;
    case "not":
      return sql<boolean>`NOT ${toCondition(test.of)}`;
    case "severity":
      return sql<boolean>`severity = ANY(${[...test.values]}::alert_severity[])`;
    case "status":
      return sql<boolean>`status = ANY(${[...test.values]}::text[])`;
    case "number":
      return compareNumber(test);
    case "keys":
      return sql<boolean>`filter_keys && ${[...test.keys]}::text[]`;
    default:
      return test satisfies never;
  }
}
