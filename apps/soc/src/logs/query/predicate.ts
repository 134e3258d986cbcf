import { invalidField } from "@kit/problem";
import type { Comparison, Condition, Field, Pattern } from "@kit/query/condition";
import { boundsOf, parseAddress } from "@kit/query/condition-address";
import { parseNumber } from "@kit/query/condition-number";
import { anywhereIn, hasCase, lowerPattern, plainTextOf } from "@kit/query/condition-pattern";
import { splitWords } from "@kit/query/condition-words";
import { FIELD_KINDS } from "@kit/query/log-field";
import type { LogEvent } from "../../ports/log-event.ts";
import { parseRegex } from "./condition-regex.ts";
import { groupAlternatives, type ValueCondition } from "./condition-value.ts";
import { createAttributeTest } from "./predicate-attribute.ts";
import { MAX_STEPS, type StepBudget, toRegexMatcher } from "./predicate-regex.ts";
import { toMatcher } from "./predicate-text.ts";

export type Predicate = (log: LogEvent) => boolean;
type Test = (text: string) => boolean;

/** The steps that regular expressions may take, and whether the condition has any. */
interface Budget extends StepBudget {
  isNeeded: boolean;
}

/**
 * Compiles the condition to a function that is called for each event. It must agree with the SQL on every event, unless
 * regular expressions exceed their budget for the event: then they do not match, and `onExhausted` is called.
 */
export function toPredicate(condition: Condition, onExhausted?: () => void): Predicate {
  const budget: Budget = { left: MAX_STEPS, isNeeded: false };
  const predicate = compile(condition, budget);
  if (!budget.isNeeded) return predicate;
  return (log) => {
    budget.left = MAX_STEPS;
    const isMatch = predicate(log);
    if (budget.left <= 0) onExhausted?.();
    return isMatch;
  };
}

function compile(condition: Condition, budget: Budget): Predicate {
  switch (condition.kind) {
    case "all":
      return () => true;
    case "none":
      return () => false;
    case "and":
      return every(condition.of.map((each) => compile(each, budget)));
    case "or":
      return orPredicate(condition.of, budget);
    case "not": {
      const inner = compile(condition.of, budget);
      return (log) => !inner(log);
    }
    case "words":
      return wordsPredicate(condition);
    case "anywhere": {
      const test = textTest(anywhereIn(condition.pattern), condition.isCased);
      return ({ message, raw }) => test(message) || test(raw);
    }
    case "instant":
      return instantPredicate(condition);
    case "same":
      return samePredicate(condition);
    case "text":
    case "regex":
    case "number":
    case "network":
    case "exists":
      return valuePredicate([condition], budget);
    default:
      return condition satisfies never;
  }
}

function every(predicates: readonly Predicate[]): Predicate {
  const [first, second] = predicates;
  if (!first) return () => true;
  if (!second) return first;
  if (predicates.length === 2) return (log) => first(log) && second(log);
  return (log) => predicates.every((predicate) => predicate(log));
}

function some(predicates: readonly Predicate[]): Predicate {
  const [first] = predicates;
  if (!first) return () => false;
  return predicates.length === 1 ? first : (log) => predicates.some((predicate) => predicate(log));
}

function orPredicate(alternatives: readonly Condition[], budget: Budget): Predicate {
  const { groups, rest } = groupAlternatives(alternatives);
  return some([...groups.map((group) => valuePredicate(group, budget)), ...rest.map((each) => compile(each, budget))]);
}

function wordsPredicate({ words, isMessageOnly }: Extract<Condition, { kind: "words" }>): Predicate {
  const wanted = splitWords(words.join(" ")).map(wordPattern);
  if (wanted.length === 0) return () => false;
  if (isMessageOnly) return ({ message }) => wanted.every((pattern) => pattern.test(message));
  return ({ message, raw }) => wanted.every((pattern) => pattern.test(message) || pattern.test(raw));
}

// Letters are written in both cases because, unlike the flag i, the index folds only ASCII letters.
function wordPattern(word: string): RegExp {
  const letters = word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return new RegExp(`(?:^|[^0-9A-Za-z\\u0080-\\uffff])${letters}(?![0-9A-Za-z\\u0080-\\uffff])`);
}

const COMPARISONS: Readonly<Record<Comparison | "eq", (a: number, b: number) => boolean>> = {
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  eq: (a, b) => a === b,
};

function instantPredicate({ field, comparison, value }: Extract<Condition, { kind: "instant" }>): Predicate {
  const name = "name" in field ? field.name : undefined;
  if (name === undefined || FIELD_KINDS[name] !== "instant") {
    throw invalidField("instant", "only timestamp and ingested_at hold an instant");
  }
  const compare = COMPARISONS[comparison];
  return (log) => compare(Date.parse(String(log[name])), value);
}

/** A value of the field matches one of the conditions, which are all on this field. */
function valuePredicate(conditions: readonly ValueCondition[], budget: Budget): Predicate {
  const [first] = conditions;
  if (!first) return () => false;
  return someValue(first.field, anyTest(conditions, budget));
}

function someValue(field: Field, test: Test): Predicate {
  if ("attribute" in field) return createAttributeTest(field.attribute, test);
  const { name } = field;
  // A port of 0 means that the log has no port.
  if (FIELD_KINDS[name] === "port") return (log) => log[name] !== 0 && test(String(log[name]));
  return (log) => test(String(log[name]));
}

function someTest(tests: readonly Test[]): Test {
  const [first] = tests;
  if (!first) return () => false;
  return tests.length === 1 ? first : (text) => tests.some((test) => test(text));
}

/**
 * Combines the conditions into one test: plain texts are looked up in a set, and a text is lower-cased once for all. As
 * in the SQL, a pattern without letters is compared with the text itself, because the lower case of a character can be
 * two characters.
 */
function anyTest(conditions: readonly ValueCondition[], budget: Budget): Test {
  if (conditions.length === 1) return someTest(conditions.map((each) => createTest(each, budget)));
  const texts = conditions.filter((each) => each.kind === "text");
  const isExact = ({ isCased, pattern }: (typeof texts)[number]) => isCased || !hasCase(pattern);
  const exact = texts.filter(isExact).map(({ pattern }) => pattern);
  const lower = texts.filter((each) => !isExact(each)).map(({ pattern }) => lowerPattern(pattern));
  const testLower = listTest(lower);
  return someTest([
    ...conditions.filter((each) => each.kind !== "text").map((each) => createTest(each, budget)),
    ...(exact.length > 0 ? [listTest(exact)] : []),
    ...(lower.length > 0 ? [(text: string) => testLower(text.toLowerCase())] : []),
  ]);
}

function listTest(patterns: readonly Pattern[]): Test {
  const plain = new Set(patterns.map(plainTextOf));
  const others = someTest(patterns.filter((pattern) => plainTextOf(pattern) === undefined).map(toMatcher));
  return (text) => plain.has(text) || others(text);
}

function createTest(condition: ValueCondition, budget: Budget): Test {
  switch (condition.kind) {
    case "text":
      return textTest(condition.pattern, condition.isCased);
    case "regex":
      budget.isNeeded = true;
      return toRegexMatcher(parseRegex(condition.source, condition), budget);
    case "number":
      return numberTest(condition);
    case "network":
      return networkTest(condition);
    case "exists":
      return (text) => text !== "";
    default:
      return condition satisfies never;
  }
}

function textTest(pattern: Pattern, isCased: boolean): Test {
  if (isCased || !hasCase(pattern)) return toMatcher(pattern);
  const matches = toMatcher(lowerPattern(pattern));
  return (text) => matches(text.toLowerCase());
}

function numberTest({ comparison, value }: Extract<Condition, { kind: "number" }>): Test {
  const compare = COMPARISONS[comparison];
  return (text) => {
    const number = parseNumber(text);
    return number !== undefined && compare(number, value);
  };
}

function networkTest(network: Extract<Condition, { kind: "network" }>): Test {
  const bounds = boundsOf(network);
  if (!bounds) throw invalidField("network", `'${network.address}/${network.prefixBits}' is not a network`);
  const [first, last] = bounds;
  return (text) => {
    const address = parseAddress(text);
    return address !== undefined && first <= address && address <= last;
  };
}

const SAME: Readonly<Record<Extract<Condition, { kind: "same" }>["how"], (a: string, b: string) => boolean>> = {
  equals: (a, b) => a === b,
  startswith: (a, b) => a.startsWith(b),
  endswith: (a, b) => a.endsWith(b),
  contains: (a, b) => a.includes(b),
};

function samePredicate({ field, other, how, isCased }: Extract<Condition, { kind: "same" }>): Predicate {
  const compare = SAME[how];
  const foldCase = (text: string) => (isCased ? text : text.toLowerCase());
  const values = createValueReader(field);
  const others = createValueReader(other);
  return (log) => {
    const texts = values(log).map(foldCase);
    return others(log).some((text) => text !== "" && texts.some((each) => compare(each, foldCase(text))));
  };
}

/** Returns a function that reads the values of a field as text: none, one, or those of a list. */
export function createValueReader(field: Field): (log: LogEvent) => string[] {
  const values: string[] = [];
  const collect = someValue(field, (text) => {
    values.push(text);
    return false;
  });
  return (log) => {
    values.length = 0;
    collect(log);
    return values;
  };
}
