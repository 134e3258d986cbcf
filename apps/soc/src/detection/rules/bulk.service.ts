import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import type { Static } from "typebox";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { updatedAt } from "../../foundation/records/if-match.ts";
import type { BulkRulesBody, BulkRulesRequest } from "./bulk.schema.ts";
import { isSameRule, type RuleRow, relabelRule } from "./rule.ts";
import { RuleFilters } from "./rules.schema.ts";
import type { RulesService } from "./rules.service.ts";
import { type ChosenRules, createRulesWriter } from "./rules.store.ts";

export interface BulkServiceDeps {
  rules: Pick<RulesService, "storeAll" | "removeAll">;
  clock: Pick<Clock, "now">;
}
export type BulkService = ReturnType<typeof createBulkService>;

const MAX_TAGS = 50;

/** Changes or deletes many rules in one transaction: all of the selected ones, or none. */
export function createBulkService({ rules, clock }: BulkServiceDeps) {
  return {
    async change(tx: Tx, caller: Caller, request: BulkRulesRequest): Promise<Static<typeof BulkRulesBody>> {
      requireWork(request);
      const { chosen, expected } = readChoice(request);
      const found = await createRulesWriter(tx).lockChosen(caller, chosen, expected + 1);
      requireAll(chosen, found, expected);
      const total = found.length;
      if (request.delete === true) {
        await rules.removeAll(tx, caller, found);
        return { total, changed: 0, deleted: total };
      }
      const now = clock.now();
      const changed = found.flatMap((rule) => {
        const next = relabelRule(rule, buildPatch(rule, request), updatedAt(rule, now));
        return isSameRule(rule, next) ? [] : [next];
      });
      await rules.storeAll(tx, caller, changed);
      return { total, changed: changed.length, deleted: 0 };
    },
  };
}

function requireWork({ ids: _, filter: __, expected_total: ___, delete: isDeleted, ...changes }: BulkRulesRequest) {
  const [change] = Object.keys(changes);
  if (isDeleted === true && change !== undefined) throw invalidField(change, "must not be combined with delete");
  if (isDeleted !== true && change === undefined) {
    throw invalidField("body", "must have enabled, severity, tags_add, tags_remove or delete");
  }
}

function readChoice({ ids, filter, expected_total }: BulkRulesRequest): { chosen: ChosenRules; expected: number } {
  if (ids && filter) throw invalidField("filter", "must not be combined with ids");
  if (ids) {
    if (expected_total !== undefined) throw invalidField("expected_total", "has a meaning only with filter");
    const unique = [...new Set(ids)];
    return { chosen: { ids: unique }, expected: unique.length };
  }
  if (!filter) throw invalidField("ids", "is required, or filter and expected_total");
  if (expected_total === undefined) throw invalidField("expected_total", "is required with filter");
  const unknown = Object.keys(filter).find((name) => !(name in RuleFilters.properties));
  if (unknown !== undefined) throw invalidField("filter", `rules cannot be filtered by '${unknown}'`);
  return { chosen: { filter }, expected: expected_total };
}

/** Rules may have been added or deleted since the person saw the number. */
function requireAll(chosen: ChosenRules, found: readonly RuleRow[], expected: number): void {
  if (found.length === expected) return;
  if ("ids" in chosen) {
    const known = new Set(found.map(({ id }) => id));
    const missing = chosen.ids.find((id) => !known.has(id)) ?? "";
    throw new Problem("conflict", `ids: rule '${missing}' does not exist; nothing was changed`);
  }
  const count = found.length > expected ? `more than ${expected}` : `${found.length}`;
  throw new Problem(
    "conflict",
    `expected_total: the filter selects ${count} rules, not ${expected}; nothing was changed`,
  );
}

function buildPatch(rule: RuleRow, { enabled, severity, tags_add = [], tags_remove = [] }: BulkRulesRequest) {
  const kept = new Set([...rule.tags, ...tags_add]);
  for (const tag of tags_remove) kept.delete(tag);
  const tags = [...kept];
  if (tags.length > MAX_TAGS && tags.length > rule.tags.length) {
    throw invalidField("tags_add", `rule '${rule.id}' would have more than ${MAX_TAGS} tags`);
  }
  const isTagged = tags.length !== rule.tags.length || tags.some((tag, at) => tag !== rule.tags[at]);
  return {
    ...(enabled !== undefined && enabled !== rule.enabled && { enabled }),
    ...(severity !== undefined && severity !== rule.alert_severity && { alert_severity: severity }),
    ...(isTagged && { tags }),
  };
}
