import type { Condition } from "@kit/query/condition";
import { keyOf } from "@kit/query/condition-field";

/** A condition on the values of one field, each tested separately. */
export type ValueCondition = Extract<Condition, { kind: "text" | "regex" | "number" | "network" | "exists" }>;

const VALUE_KINDS: ReadonlySet<Condition["kind"]> = new Set(["text", "regex", "number", "network", "exists"]);

function isValueCondition(condition: Condition): condition is ValueCondition {
  return VALUE_KINDS.has(condition.kind);
}

/**
 * Groups the alternatives of an `or` by field, so that a value is read once for all of them. "One value matches A or B"
 * is equivalent to "one value matches A, or one value matches B".
 */
export function groupAlternatives(alternatives: readonly Condition[]): {
  groups: ValueCondition[][];
  rest: Condition[];
} {
  const groups = new Map<string, ValueCondition[]>();
  const rest: Condition[] = [];
  for (const condition of alternatives) {
    if (!isValueCondition(condition)) {
      rest.push(condition);
      continue;
    }
    const key = keyOf(condition.field);
    const group = groups.get(key);
    if (group) group.push(condition);
    else groups.set(key, [condition]);
  }
  return { groups: [...groups.values()], rest };
}
