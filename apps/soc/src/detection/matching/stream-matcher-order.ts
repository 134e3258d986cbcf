import type { Condition } from "@kit/query/condition";

const PLAIN = 1;
const PATTERN = 2;
const OTHER_VALUE = 4;
const LONG_TEXT = 20;
const REGEX = 40;

/** Sorts the condition so that the cheapest tests come first, at every level. */
export function quickestFirst(condition: Condition): Condition {
  if (condition.kind === "not") return { kind: "not", of: quickestFirst(condition.of) };
  if (condition.kind !== "and" && condition.kind !== "or") return condition;
  const of = condition.of.map(quickestFirst).map((each) => ({ each, cost: costOf(each) }));
  return { kind: condition.kind, of: of.toSorted((a, b) => a.cost - b.cost).map(({ each }) => each) };
}

function costOf(condition: Condition): number {
  switch (condition.kind) {
    case "all":
    case "none":
      return 0;
    case "and":
    case "or":
      return condition.of.reduce((sum, each) => sum + costOf(each), 0);
    case "not":
      return costOf(condition.of);
    case "text":
      return condition.pattern.length === 1 ? PLAIN : PATTERN;
    case "exists":
      return PLAIN;
    case "number":
    case "instant":
    case "network":
    case "same":
      return OTHER_VALUE;
    case "words":
    case "anywhere":
      return LONG_TEXT;
    case "regex":
      return REGEX;
    default:
      return condition satisfies never;
  }
}
