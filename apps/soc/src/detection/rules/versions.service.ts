import type { Clock } from "@kit/clock";
import { notFound } from "@kit/problem";
import type { Static } from "typebox";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { updatedAt } from "../../foundation/records/if-match.ts";
import { formatUnifiedDiff } from "../../foundation/records/line-diff.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { isSameRule, type RuleVersionRow, recheckRule } from "./rule.ts";
import { formatDocument } from "./rule-document.ts";
import { DEFINITION } from "./rule-source.ts";
import { type RulesService, requireSharing, toFoundRule } from "./rules.service.ts";
import { createRulesStore, createRulesWriter, type FoundRule, type RulesStore } from "./rules.store.ts";
import type { RuleDiffBody } from "./versions.schema.ts";

export interface VersionsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: RulesStore; showcase: RulesStore };
  rules: Pick<RulesService, "get" | "getWithin" | "store">;
  clock: Pick<Clock, "now">;
}
export type VersionsService = ReturnType<typeof createVersionsService>;

const COMPARED = [...DEFINITION, "sharing_mode", "shared_with_roles", "overlay", "sigma_yaml"] as const;

/** Compares and restores the versions of a rule. */
export function createVersionsService({ runtime, stores, rules, clock }: VersionsServiceDeps) {
  return {
    async diff(caller: Caller, rule_id: string, from: number, to: number): Promise<Static<typeof RuleDiffBody>> {
      const { id } = await rules.get(caller, rule_id);
      const store = await runtime.choose(stores);
      const one = await getVersion(store, id, from);
      const other = await getVersion(store, id, to);
      const fields = COMPARED.flatMap((name) => {
        const pair = { from: one.rule[name], to: other.rule[name] };
        return JSON.stringify(pair.from) === JSON.stringify(pair.to) ? [] : [{ name, ...pair }];
      });
      return { fields, unified: formatUnifiedDiff(formatDocument(one.rule), formatDocument(other.rule)) };
    },

    /** Restores an old version as a new one; does nothing if the rule already equals it. */
    async restore(tx: Tx, caller: Caller, rule_id: string, version: number): Promise<FoundRule> {
      const current = await createRulesWriter(tx).lock(caller, rule_id);
      if (!current) throw notFound("rule", rule_id);
      const found = await rules.getWithin(tx, caller, current.id);
      const { rule: old } = await getVersion(createRulesStore(tx), current.id, version);
      const { created_by, created_at } = current;
      const times = { created_at, updated_at: updatedAt(current, clock.now()) };
      const restored = recheckRule({ ...old, created_by, ...times, version: current.version + 1 });
      if (isSameRule(current, restored)) return found;
      requireSharing(caller, current, restored);
      await rules.store(tx, caller, restored);
      return toFoundRule(restored, found.last_run_at);
    },
  };
}

async function getVersion(store: RulesStore, rule_id: string, version: number): Promise<RuleVersionRow> {
  const found = await store.findVersion(rule_id, version);
  if (!found) throw notFound("version", String(version));
  return found;
}
