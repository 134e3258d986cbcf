import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { CoverageBody, CoverageQuery, ImportedAttackBody, LayerQuery, SOURCE_STATES } from "./attack.schema.ts";
import { type AttackStore, createAttackWriter } from "./attack.store.ts";
import { type Matrix, readAttack } from "./attack.ts";
import {
  type CoveringRule,
  computeCoverage,
  countRulesBySource,
  type RuleActivity,
  type SeenSource,
  summarize,
} from "./coverage.ts";
import { buildLayer } from "./layer.ts";
import { readShippedAttack } from "./shipped-attack.ts";

export interface CoveringRules {
  /** The enabled rules that the caller may see and that match the filters. */
  techniques(caller: Caller, filter: CoverageQuery): Promise<readonly CoveringRule[]>;
}

export interface CoveringHealth {
  /** Whether rules have run, and how many alerts they raised in 30 days; by rule id. */
  activity(rule_ids: readonly string[]): Promise<ReadonlyMap<string, RuleActivity>>;
}

/** Returns the intake's data about these sources. Sources that it has not seen are missing. */
export type FindSources = (sources: readonly string[]) => Promise<readonly SeenSource[]>;

export interface AttackServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: AttackStore; showcase: AttackStore };
  rules: CoveringRules;
  health: CoveringHealth;
  intake: { database: FindSources; showcase: FindSources };
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type AttackService = ReturnType<typeof createAttackService>;

type SourceState = (typeof SOURCE_STATES)[number];

const LISTED_RULES = 50;
const MAX_SOURCES = 1000;
/** The order of the list: sources that need attention come first. */
const ATTENTION: readonly SourceState[] = ["silent", "unseen", "sending"];

export function createAttackService({ runtime, stores, rules, health, intake, audit, clock }: AttackServiceDeps) {
  let brought: Matrix[] | undefined;
  const shipped = () => {
    brought ??= readShippedAttack();
    return brought;
  };

  async function readSources(covering: readonly CoveringRule[]): Promise<Static<typeof CoverageBody>["sources"]> {
    const counts = countRulesBySource(covering);
    const find = await runtime.choose(intake);
    const seen = new Map((await find([...counts.keys()])).map((each) => [each.source, each]));
    const sources = [...counts].map(([source, rule_count]) => {
      const known = seen.get(source);
      const { last_seen = null, silent_since = null } = known ?? {};
      return { source, rule_count, state: toSourceState(known), last_seen, silent_since };
    });
    const rank = ({ state }: { state: SourceState }) => ATTENTION.indexOf(state);
    return sources.toSorted((a, b) => rank(a) - rank(b) || (a.source < b.source ? -1 : 1)).slice(0, MAX_SOURCES);
  }

  async function readCoverage(caller: Caller, filter: CoverageQuery) {
    const data = await (await runtime.choose(stores)).find();
    const matrices = data?.matrices.all ?? shipped();
    const covering = await rules.techniques(caller, filter);
    const activity = await health.activity(covering.map(({ id }) => id));
    const { tactics, techniques, unknown } = computeCoverage(covering, matrices);
    const coverage: Static<typeof CoverageBody> = {
      imported_at: data?.imported_at ?? null,
      tactics,
      techniques: techniques.map((technique) => ({
        ...shortened(technique),
        ...summarize(technique.rule_ids, activity),
      })),
      unknown: unknown.map(shortened),
      sources: await readSources(covering),
    };
    return { matrices, coverage };
  }

  /** Computes the techniques that the rules detect, from the imported data or the data shipped with the product. */
  async function cover(caller: Caller, filter: CoverageQuery): Promise<Static<typeof CoverageBody>> {
    return (await readCoverage(caller, filter)).coverage;
  }

  return {
    /** Replaces the previously imported data. */
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

    coverage: cover,

    /** The same for one matrix, as a layer of ATT&CK Navigator. */
    async layer(caller: Caller, { matrix = "enterprise-attack", ...filter }: LayerQuery) {
      const { matrices, coverage } = await readCoverage(caller, filter);
      const known = matrices.find(({ name }) => name === matrix);
      if (!known) throw invalidField("matrix", `must be one of ${matrices.map(({ name }) => name).join(", ")}`);
      const ids = new Set(known.techniques.map(({ id }) => id));
      const own = coverage.techniques.filter(({ id }) => ids.has(id));
      return buildLayer(matrix, own, coverage.imported_at === null, `Manara SOC: ${matrix}`);
    },
  };
}

function toSourceState(seen: SeenSource | undefined): SourceState {
  if (!seen) return "unseen";
  return seen.silent_since === null ? "sending" : "silent";
}

function shortened<Covered extends { rule_ids: string[] }>(covered: Covered) {
  return { ...covered, rule_count: covered.rule_ids.length, rule_ids: covered.rule_ids.slice(0, LISTED_RULES) };
}
