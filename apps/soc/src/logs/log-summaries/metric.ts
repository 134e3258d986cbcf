import { invalidField } from "@kit/problem";
import type { Field } from "@kit/query/condition";
import { findField } from "@kit/query/condition-field";
import { FIELD_KINDS } from "@kit/query/log-field";

/** A metric of each group; `name` is its spelling in the request. */
export type Metric = { name: string } & ({ kind: "count" } | { kind: MetricOfField; field: Field });

const METRICS_OF_FIELD = ["distinct", "min", "max", "avg"] as const;
export type MetricOfField = (typeof METRICS_OF_FIELD)[number];

export function parseMetric(name: string): Metric {
  if (name === "count") return { name, kind: "count" };
  const [, word = "", of = ""] = /^([a-z]+):(.+)$/s.exec(name) ?? [];
  const kind = METRICS_OF_FIELD.find((each) => each === word);
  if (!kind)
    throw invalidField("metrics", `must be count, distinct:field, min:field, max:field or avg:field, not '${name}'`);
  const field = requireField("metrics", of);
  if (kind === "avg" && isInstant(field)) throw invalidField("metrics", `'${of}' has no average`);
  return { name, kind, field };
}

function requireField(parameter: string, name: string): Field {
  const field = findField(name);
  if (!field) throw invalidField(parameter, `there is no field '${name}'`);
  return field;
}

/** Returns a field whose values repeat. Ids, times and texts are different for each log. */
export function requireGroupField(parameter: string, name: string): Field {
  const field = requireField(parameter, name);
  const kind = "name" in field ? FIELD_KINDS[field.name] : "attribute";
  if (kind === "id" || kind === "instant" || kind === "long text") {
    throw invalidField(parameter, `the values of '${name}' cannot be counted: each log has a different one`);
  }
  return field;
}

export function isInstant(field: Field): boolean {
  return "name" in field && FIELD_KINDS[field.name] === "instant";
}
