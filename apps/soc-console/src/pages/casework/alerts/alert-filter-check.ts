import type { Field } from "@kit/query/condition";
import { checkQuery, type QueryProblem } from "@kit/query/query-check";
import { ALLOWED_VALUES, FILTER_FIELDS, PARAMETERS, readValues, splitFilter } from "./alert-filter.ts";

const CHECKED: ReadonlyMap<string, Field> = new Map(
  [...FILTER_FIELDS, ...PARAMETERS.keys()].map((name): [string, Field] => [
    name,
    name === "severity" ? { name } : name === "title" ? { name: "message" } : { attribute: [name] },
  ]),
);

/** The first problem of a filter; undefined if it is valid. */
export function checkFilter(text: string): readonly QueryProblem[] {
  const problems = checkQuery(text, { fields: CHECKED });
  if (problems.length > 0) return problems;
  for (const term of splitFilter(text)) {
    const allowed = ALLOWED_VALUES[term.field ?? ""];
    const wrong = allowed && readValues(term)?.find((value) => !allowed.includes(value.toLowerCase()));
    const [from, to] = [term.tokens[0]?.place ?? 0, term.tokens.at(-1)?.end ?? 0];
    if (wrong !== undefined) return [{ message: `${term.field}: ${allowed?.join(", ")}`, from, to }];
  }
  return [];
}
