import type { Field } from "@kit/query/condition";
import { keyOf } from "@kit/query/condition-field";
import { createAttributeTest } from "../../logs/module.ts";
import type { LogEvent, LogField } from "../../ports/log-event.ts";
import { type Automaton, createAutomaton } from "./automaton.ts";
import type { PlainText } from "./automaton-text.ts";
import { BEYOND_ASCII, type Need } from "./stream-matcher-needs.ts";

/** Finds the rules that an event could match, judged by one required text per rule. */
export interface RuleIndex {
  own: readonly { name: LogField; scan: Scan }[];
  /** Keyed by each name under which the attribute can be stored. */
  attributes: ReadonlyMap<string, readonly ScanAttribute[]>;
  sizeBytes: number;
}

/**
 * Calls back with each rule that could match, possibly more than once. `names` are the attribute names of the event.
 */
export type FindRules = (log: LogEvent, names: readonly string[], onRule: OnRule) => void;

/** The rules that have a need in one field. */
interface FieldIndex {
  field: Field;
  automaton: Automaton | undefined;
  rulesOfText: readonly Uint32Array[];
  /** Rules that need only that the field exists. */
  rulesOfAny: Uint32Array;
  rulesBeyondAscii: Uint32Array;
}

export interface NeedyRule {
  rule: number;
  needs: readonly Need[];
}

type OnRule = (rule: number) => void;
type ToPlainText = (text: string) => PlainText;
type Scan = (text: string, onRule: OnRule) => void;
type ScanAttribute = (log: LogEvent, value: unknown, onRule: OnRule) => void;

/**
 * With fewer attributes than this, looking up each of them in the event is faster than looking up each name of the
 * event.
 */
const FEW_ATTRIBUTES = 10;

export function createRuleIndex(rules: readonly NeedyRule[], toPlain: ToPlainText): RuleIndex {
  const indexes = buildFieldIndexes(rules);
  const own: { name: LogField; scan: Scan }[] = [];
  const attributes = new Map<string, ScanAttribute[]>();
  for (const index of indexes) {
    if ("name" in index.field) own.push({ name: index.field.name, scan: createScanner(index, toPlain) });
    else addAttribute(attributes, index.field.attribute, createScanner(index, toPlain));
  }
  const sizeBytes = indexes.reduce((sum, { automaton }) => sum + (automaton?.sizeBytes ?? 0), 0);
  return { own, attributes, sizeBytes };
}

/** Joins several indexes into one, so that each name of an event is looked up once. */
export function createFinder(indexes: readonly RuleIndex[]): FindRules {
  const own = indexes.flatMap((index) => index.own);
  const attributes = new Map<string, ScanAttribute[]>();
  for (const index of indexes) {
    for (const [name, scanners] of index.attributes) {
      attributes.set(name, [...(attributes.get(name) ?? []), ...scanners]);
    }
  }
  const few = attributes.size < FEW_ATTRIBUTES ? [...attributes.keys()] : undefined;
  return (log, names, onRule) => {
    for (const { name, scan } of own) scan(String(log[name]), onRule);
    for (const name of few ?? names) {
      const scanners = attributes.get(name);
      if (scanners === undefined) continue;
      const value = log.attributes[name];
      if (value !== undefined) for (const scan of scanners) scan(log, value, onRule);
    }
  };
}

/** An attribute `a.b` may be stored under "a" or under "a.b"; the scan runs for either. */
function addAttribute(attributes: Map<string, ScanAttribute[]>, path: readonly string[], scan: Scan): void {
  let report: OnRule = () => undefined;
  const scanValues = createAttributeTest(path, (text) => {
    scan(text, report);
    return false;
  });
  const parts = path.join(".").split(".");
  for (const [at] of parts.entries()) {
    const name = parts.slice(0, at + 1).join(".");
    const scanners = attributes.get(name) ?? [];
    attributes.set(name, scanners);
    scanners.push((log, value, onRule) => {
      if (typeof value === "string" && parts.length === 1) {
        scan(value, onRule);
        return;
      }
      report = onRule;
      scanValues(log);
    });
  }
}

function createScanner(index: FieldIndex, toPlain: ToPlainText): Scan {
  const { automaton, rulesOfText, rulesOfAny, rulesBeyondAscii } = index;
  const isAnyIndexed = automaton !== undefined || rulesBeyondAscii.length > 0;
  const found: number[] = [];
  return (text, onRule) => {
    for (const rule of rulesOfAny) onRule(rule);
    if (!isAnyIndexed) return;
    const plain = toPlain(text);
    if (!plain.isAscii) rulesBeyondAscii.forEach(onRule);
    found.length = 0;
    automaton?.scan(plain, found);
    for (const place of found) {
      for (const rule of rulesOfText[place] ?? []) onRule(rule);
    }
  };
}

function buildFieldIndexes(rules: readonly NeedyRule[]): FieldIndex[] {
  const fields = new Map<string, { field: Field; rulesByText: Map<string, Set<number>> }>();
  for (const { rule, needs } of rules) {
    for (const { field, text } of needs) {
      const entry = fields.get(keyOf(field)) ?? { field, rulesByText: new Map<string, Set<number>>() };
      fields.set(keyOf(field), entry);
      entry.rulesByText.set(text, (entry.rulesByText.get(text) ?? new Set()).add(rule));
    }
  }
  return [...fields.values()].map(({ field, rulesByText }) => {
    const rulesOfAny = Uint32Array.from(rulesByText.get("") ?? []);
    const rulesBeyondAscii = Uint32Array.from(rulesByText.get(BEYOND_ASCII) ?? []);
    for (const text of ["", BEYOND_ASCII]) rulesByText.delete(text);
    const texts = [...rulesByText.keys()];
    return {
      field,
      automaton: texts.length === 0 ? undefined : createAutomaton(texts),
      rulesOfText: texts.map((text) => Uint32Array.from(rulesByText.get(text) ?? [])),
      rulesOfAny,
      rulesBeyondAscii,
    };
  });
}
