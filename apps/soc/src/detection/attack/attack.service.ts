import type { Clock } from "@kit/clock";
import type { Static } from "typebox";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { CoverageBody, ImportedAttackBody } from "./attack.schema.ts";
import { type AttackStore, createAttackWriter } from "./attack.store.ts";
import { readAttack } from "./attack.ts";
import { type CoveringRule, computeCoverage } from "./coverage.ts";

export interface CoveringRules {
  /** The enabled rules that the caller may see. */
  techniques(caller: Caller): Promise<readonly CoveringRule[]>;
}

export interface AttackServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: AttackStore; showcase: AttackStore };
  rules: CoveringRules;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type AttackService = ReturnType<typeof createAttackService>;

const LISTED_RULES = 50;

export function createAttackService({ runtime, stores, rules, audit, clock }: AttackServiceDeps) {
  return {
    /** Replaces the data that was imported before. */
    async import(tx: Tx, caller: Caller, document: unknown): Promise<Static<typeof ImportedAttackBody>> {
      const all = readAttack(document);
      const imported_at = clock.now();
      const imported_by = caller.username;
      await createAttackWriter(tx).put({ matrices: { all }, imported_by, imported_at });
      const matrices = all.map(({ name, tactics, techniques }) => ({
        name,
        tactics: tactics.length,
        techniques: techniques.length,
      }));
      await audit.record(tx, {
        actor: caller.username,
        action: "attack.imported",
        subject_type: "attack",
        subject_id: "attack",
        details: { matrices },
      });
      return { imported_at, imported_by, matrices };
    },

    /** Which techniques the rules detect. Until data is imported, every technique is unknown. */
    async coverage(caller: Caller): Promise<Static<typeof CoverageBody>> {
      const data = await (await runtime.choose(stores)).find();
      const { tactics, techniques, unknown } = computeCoverage(
        await rules.techniques(caller),
        data?.matrices.all ?? [],
      );
      return {
        imported_at: data?.imported_at ?? null,
        tactics,
        techniques: techniques.map(shortened),
        unknown: unknown.map(shortened),
      };
    },
  };
}

function shortened<Covered extends { rule_ids: string[] }>(covered: Covered) {
  return { ...covered, rule_count: covered.rule_ids.length, rule_ids: covered.rule_ids.slice(0, LISTED_RULES) };
}
