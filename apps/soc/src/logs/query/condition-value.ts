import type { Condition } from "./condition.ts";
import { keyOf } from "./condition-field.ts";

/** A condition on the values of one field, each by itself. */
export type ValueCondition = Extract<Condition, { kind: "text" | "regex" | "number" | "network" | "exists" }>;

const VALUE_KINDS: ReadonlySet<Condition["kind"]> = new Set(["text", "regex", "number", "network", "exists"]);

function isValueCondition(condition: Condition): condition is ValueCondition {
  return VALUE_KINDS.has(condition.kind);
}

/**
 * The alternatives of an `or`, where those on the same field stand together: a value is then read once for all of them.
 * One value that fits either of two conditions is the same as a value that fits the one or a value that fits the other.
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
