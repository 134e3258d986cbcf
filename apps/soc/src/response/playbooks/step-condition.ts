import { Problem } from "@kit/problem";
import type { Condition } from "@kit/query/condition";
import { parseQuery } from "@kit/query/query";
import { refusal, tokenize } from "@kit/query/query-syntax";
import { toPredicate } from "../../logs/module.ts";
import { EMPTY_LOG } from "../../ports/log-event.ts";
import { SCOPE_NAMES, type Scope } from "./step-template.ts";

const PREFIX = "attributes.";

/** A condition in the search language over the values that a step can refer to, such as `alert.severity:critical`. */
export interface StepCondition {
  /** The fields that it reads, such as `steps.search.total`. */
  fields: string[];
  holds(scope: Scope): boolean;
}

/** Parses the search language; the scope replaces the attributes of a log. */
export function parseWhen(text: string): StepCondition {
  try {
    return parsed(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem("invalid", error.message.replace(/^query: /, ""), { cause: error });
  }
}

function parsed(text: string): StepCondition {
  const named = tokenize(text).filter((token) => token.kind === "field");
  for (const { name, place } of named) {
    const [root = "", first] = name.split(".");
    if (first === undefined || !SCOPE_NAMES.some((each) => each === root)) {
      throw refusal(text, place, `there is no field '${name}' (it must begin with ${SCOPE_NAMES.join("., ")}.)`);
    }
  }
  const condition = parsePrefixed(
    text,
    named.map(({ place }) => place),
  );
  if (condition.kind === "all") throw refusal(text, 0, "it must not be empty");
  if (hasFreeText(condition)) throw refusal(text, 0, "every value needs a field before it");
  const predicate = toPredicate(condition);
  return {
    fields: named.map(({ name }) => name),
    holds: (scope) => predicate({ ...EMPTY_LOG, attributes: { ...scope } }),
  };
}

/** Parses with prefixed field names and maps error positions back to the original text. */
function parsePrefixed(text: string, places: readonly number[]): Condition {
  const pieces = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
  try {
    return parseQuery(pieces.join(PREFIX));
  } catch (error) {
    const [, reason, at] = error instanceof Problem ? (/^(.*), at character (\d+)$/.exec(error.message) ?? []) : [];
    if (reason === undefined) throw error;
    const before = places.filter((place, index) => place + (index + 1) * PREFIX.length < Number(at)).length;
    throw new Problem("invalid", `${reason}, at character ${Math.max(1, Number(at) - before * PREFIX.length)}`);
  }
}

function hasFreeText(condition: Condition): boolean {
  const { kind } = condition;
  if (kind === "and" || kind === "or") return condition.of.some(hasFreeText);
  if (kind === "not") return hasFreeText(condition.of);
  if (kind === "all" || kind === "words" || kind === "anywhere") return true;
  return "field" in condition && "name" in condition.field;
}
