import type { Condition } from "@kit/query/condition";
import { keyOf } from "@kit/query/condition-field";
import { toPredicate } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { createPlainText } from "./automaton-text.ts";
import {
  createFinder,
  createRuleIndex,
  type FindRules,
  type NeedyRule,
  type RuleIndex,
} from "./stream-matcher-index.ts";
import { findNeeds, listTexts, type Need } from "./stream-matcher-needs.ts";
import { quickestFirst } from "./stream-matcher-order.ts";
import { createRouteTable, findRoutes, isRouted, type Route } from "./stream-matcher-routes.ts";

import { rarityOf } from "./text-rarity.ts";

export interface StreamRule {
  id: string;
  condition: Condition;
}

/** Matches an event against all single-event rules in one pass. */
export interface StreamMatcher {
  /** The ids of the rules that match the event, in the given order of the rules. */
  match(log: LogEvent): string[];
  /** How many rule evaluations all events needed so far. */
  evaluations(): number;
  /**
   * The rules whose evaluation ended without a result because regular expressions exceeded their budget for the event,
   * and the number of such events since the last call.
   */
  takeExhausted(): ReadonlyMap<string, number>;
  /**
   * Rules that are evaluated for every event of their routes, because they require no text that the index could find.
   */
  unindexed: readonly string[];
  indexBytes: number;
}

/** Rules for the same events share an index. */
interface Group {
  routes: readonly Route[];
  needy: NeedyRule[];
  always: number[];
}

interface IndexedGroup {
  index: RuleIndex;
  always: Uint32Array;
}

export function createStreamMatcher(rules: readonly StreamRule[]): StreamMatcher {
  let exhausted = new Map<string, number>();
  const predicates = rules.map(({ id, condition }) => {
    const countExhausted = () => void exhausted.set(id, (exhausted.get(id) ?? 0) + 1);
    return toPredicate(quickestFirst(condition), countExhausted);
  });
  const groups = groupRules(rules);
  const toPlain = createPlainText();
  const indexes = groups.map(({ needy, always, routes }) => {
    return { thing: { index: createRuleIndex(needy, toPlain), always: Uint32Array.from(always) }, routes };
  });
  const table = createRouteTable<IndexedGroup>(indexes);
  // The table returns the same array for the same route, so there are as many finders as routes.
  const finders = new Map<readonly IndexedGroup[], FindRules>();
  /** The number of the event for which each rule was last evaluated. */
  const lastEvent = new Uint32Array(rules.length);
  let event = 0;
  let evaluationCount = 0;
  let met: number[] = [];
  let current: LogEvent | undefined;

  function evaluate(rule: number): void {
    if (lastEvent[rule] === event || current === undefined) return;
    lastEvent[rule] = event;
    evaluationCount += 1;
    if (predicates[rule]?.(current)) met.push(rule);
  }

  function findOrCreateFinder(concerned: readonly IndexedGroup[]): FindRules {
    const known = finders.get(concerned);
    if (known) return known;
    const made = createFinder(concerned.map(({ index }) => index));
    finders.set(concerned, made);
    return made;
  }

  return {
    match(log) {
      event = event === 0xff_ff_ff_ff ? restart(lastEvent) : event + 1;
      current = log;
      met = [];
      const concerned = table.at(log);
      for (const { always } of concerned) for (const rule of always) evaluate(rule);
      findOrCreateFinder(concerned)(log, Object.keys(log.attributes), evaluate);
      if (met.length === 0) return [];
      return met.toSorted((a, b) => a - b).flatMap((rule) => rules[rule]?.id ?? []);
    },
    evaluations: () => evaluationCount,
    takeExhausted() {
      const taken = exhausted;
      exhausted = new Map();
      return taken;
    },
    unindexed: groups.flatMap(({ always }) => always.flatMap((rule) => rules[rule]?.id ?? [])),
    indexBytes: indexes.reduce((sum, { thing }) => sum + thing.index.sizeBytes, 0),
  };
}

/** Restarts the event numbers when they no longer fit into 32 bits. */
function restart(lastEvent: Uint32Array): number {
  lastEvent.fill(0);
  return 1;
}

function groupRules(rules: readonly StreamRule[]): Group[] {
  const worthOf = createWorth(rules);
  const groups = new Map<string, Group>();
  for (const [rule, { condition }] of rules.entries()) {
    const routes = findRoutes(condition);
    const key = JSON.stringify(routes);
    const group = groups.get(key) ?? { routes, needy: [], always: [] };
    groups.set(key, group);
    const needs = findNeeds(condition, worthOf);
    if (needs) group.needy.push({ rule, needs });
    else group.always.push(rule);
  }
  return [...groups.values()];
}

const MIN_WORTH = 1e-6;

/** A long text is rarer than a short one; a text that many rules contain is probably also common in events. */
function createWorth(rules: readonly StreamRule[]): (need: Need) => number {
  const uses = new Map<string, number>();
  const keyOfNeed = ({ field, text }: Need) => `${keyOf(field)}\n${text}`;
  for (const { condition } of rules) {
    for (const key of new Set(listTexts(condition).map(keyOfNeed))) uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  return (need) => {
    if (need.text === "") return 0;
    return isRouted(need.field) ? MIN_WORTH : rarityOf(need.text) / (uses.get(keyOfNeed(need)) ?? 1);
  };
}
