import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { BulkRecorder } from "../../foundation/audit/audit.service.ts";
import type { Change } from "../../foundation/audit/audit.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { isKeeper } from "../../logs/module.ts";
import {
  buildRule,
  buildVersion,
  isSameRule,
  patchRule,
  type Rule,
  type RuleRow,
  type RuleVersionRow,
  resolveTimes,
} from "./rule.ts";
import { formatDocument } from "./rule-document.ts";
import { formatSource } from "./rule-source.ts";
import type { CreateRuleRequest, ListRulesQuery, RuleFilters, UpdateRuleRequest } from "./rules.schema.ts";
import { createRulesStore, createRulesWriter, type FoundRule, type RulesStore } from "./rules.store.ts";

export interface RulesServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: RulesStore; showcase: RulesStore };
  audit: BulkRecorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type RulesService = ReturnType<typeof createRulesService>;

const RECORDS_BATCH_SIZE = 1000;
const EXPORT_BATCH_SIZE = 200;

export function createRulesService({ runtime, stores, audit, clock, ids }: RulesServiceDeps) {
  async function get(caller: Caller, rule_id: string): Promise<FoundRule> {
    const rule = await (await runtime.choose(stores)).find(caller, rule_id);
    if (!rule) throw notFound("rule", rule_id);
    return rule;
  }

  /** Reads within a change transaction, so that a request never waits for a second connection while it holds one. */
  async function getWithin(tx: Tx, caller: Caller, rule_id: string): Promise<FoundRule> {
    const rule = await createRulesStore(tx).find(caller, rule_id);
    if (!rule) throw notFound("rule", rule_id);
    return rule;
  }

  async function store(tx: Tx, caller: Caller, rule: RuleRow): Promise<void> {
    const writer = createRulesWriter(tx);
    const version = buildVersion(rule, ids.next(), caller.username);
    if (rule.version === 1) await writer.insert(rule, version);
    else await writer.update(rule, version);
    await audit.record(tx, buildRuleChange(caller, rule));
  }

  async function recordAll(tx: Tx, changes: readonly Change[]): Promise<void> {
    for (let at = 0; at < changes.length; at += RECORDS_BATCH_SIZE) {
      await audit.recordAll(tx, changes.slice(at, at + RECORDS_BATCH_SIZE));
    }
  }

  return {
    get,
    getWithin,
    store,

    /** Stores rules in order; each repeat of a rule becomes another version. */
    async storeAll(tx: Tx, caller: Caller, rules: readonly RuleRow[]): Promise<void> {
      await createRulesWriter(tx).store(
        rules,
        rules.map((rule) => buildVersion(rule, ids.next(), caller.username)),
      );
      await recordAll(
        tx,
        rules.map((rule) => buildRuleChange(caller, rule)),
      );
    },

    async removeAll(tx: Tx, caller: Caller, rules: readonly RuleRow[]): Promise<void> {
      await createRulesWriter(tx).delete(rules.map(({ id }) => id));
      await recordAll(
        tx,
        rules.map((rule) => ({ ...buildRuleChange(caller, rule), action: "rule.deleted" })),
      );
    },

    async list(caller: Caller, query: ListRulesQuery): Promise<Page<Rule>> {
      return (await runtime.choose(stores)).list(caller, query);
    },

    async versions(caller: Caller, rule_id: string, query: PageQuery): Promise<Page<RuleVersionRow>> {
      const { id } = await get(caller, rule_id);
      return (await runtime.choose(stores)).versions(id, query);
    },

    /** The techniques and sources of the enabled rules that the caller may see and that match the filters. */
    async techniques(caller: Caller, filter: RuleFilters): Promise<Pick<Rule, "id" | "mitre_techniques" | "source">[]> {
      return (await runtime.choose(stores)).techniques(caller, filter);
    },

    async create(tx: Tx, caller: Caller, request: CreateRuleRequest): Promise<FoundRule> {
      const rule = buildRule(request, ids.next(), caller.username, clock.now());
      await store(tx, caller, rule);
      return toFoundRule(rule, null);
    },

    /** Every caller who sees a rule may change it; only its author or an administrator may change its sharing. */
    async update(
      tx: Tx,
      caller: Caller,
      rule_id: string,
      patch: UpdateRuleRequest,
      ifMatch?: string,
    ): Promise<FoundRule> {
      if (Object.keys(patch).length === 0) throw invalidField("body", "must have a field of a rule");
      const current = await createRulesWriter(tx).lock(caller, rule_id);
      if (!current) throw notFound("rule", rule_id);
      const found = await getWithin(tx, caller, current.id);
      requireMatch(ifMatch, current);
      const isSharing = patch.sharing_mode !== undefined || patch.shared_with_roles !== undefined;
      if (isSharing) requireKeeper(caller, current);
      const changed = patchRule(current, patch, updatedAt(current, clock.now()));
      if (isSameRule(current, changed)) return found;
      await store(tx, caller, changed);
      return toFoundRule(changed, found.last_run_at);
    },

    /**
     * Deletes the rule. Its alerts and matches remain. Every caller who sees a rule may delete it, as they may change
     * it.
     */
    async remove(tx: Tx, caller: Caller, rule_id: string, ifMatch?: string) {
      const rule = await createRulesWriter(tx).lock(caller, rule_id);
      if (!rule) throw notFound("rule", rule_id);
      requireMatch(ifMatch, rule);
      await createRulesWriter(tx).delete([rule.id]);
      await audit.record(tx, { ...buildRuleChange(caller, rule), action: "rule.deleted" });
      return { deleted: true, id: rule.id };
    },

    /** The source of the rule, as YAML. */
    async source(caller: Caller, rule_id: string): Promise<string> {
      return formatSource(await get(caller, rule_id));
    },

    /**
     * Returns one YAML document per rule, at the speed of the client. Throws before the first document or not at all.
     */
    async exportDocuments(caller: Caller, filter: RuleFilters): Promise<AsyncIterable<string>> {
      const store = await runtime.choose(stores);
      return streamDocuments(store, caller, filter, await store.next(caller, filter, undefined, EXPORT_BATCH_SIZE));
    },
  };
}

async function* streamDocuments(
  store: RulesStore,
  caller: Caller,
  filter: RuleFilters,
  first: RuleRow[],
): AsyncIterable<string> {
  for (let rules = first; rules.length > 0; ) {
    yield rules.map((rule) => `---\n${formatDocument(rule)}`).join("");
    if (rules.length < EXPORT_BATCH_SIZE) return;
    rules = await store.next(caller, filter, rules.at(-1)?.id, EXPORT_BATCH_SIZE);
  }
}

function requireKeeper(caller: Caller, rule: RuleRow): void {
  if (isKeeper(rule, caller)) return;
  throw new Problem("forbidden", `sharing_mode: only '${rule.created_by}' or an administrator may share this rule`);
}

/** Only the author of a rule or an administrator may change its sharing. */
export function requireSharing(caller: Caller, current: RuleRow, next: RuleRow): void {
  const isSame =
    current.sharing_mode === next.sharing_mode && isDeepStrictEqual(current.shared_with_roles, next.shared_with_roles);
  if (!isSame) requireKeeper(caller, current);
}

/** Omits the name unless the whole team may see the rule, because every reader of rules receives the event. */
function buildRuleChange({ username }: Caller, { id, name, version, enabled, sharing_mode }: RuleRow): Change {
  return {
    actor: username,
    action: version === 1 ? "rule.created" : "rule.updated",
    subject_type: "rule",
    subject_id: id,
    details: { version, enabled, sharing_mode, ...(sharing_mode === "team" && { name }) },
  };
}

export function toFoundRule(rule: RuleRow, last_run_at: Date | null): FoundRule {
  return { ...rule, ...resolveTimes(rule, { last_run_at, next_run_at: null }) };
}
