import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { executeExcept } from "../exceptions/except-logs.ts";
import type { ExceptionsService } from "../exceptions/exceptions.service.ts";
import type { ReadLogs } from "../execution/log-reader.ts";
import { lastDay, parsePreviewWindow } from "../execution/preview-window.ts";
import type { VerdictCountsStore } from "../feedback/verdict-counts.store.ts";
import type { RulesService } from "../rules/rules.service.ts";
import { createRulesWriter } from "../rules/rules.store.ts";
import {
  buildSuppression,
  createMatcher,
  createSuppressor,
  isActive,
  patchSuppression,
  type Suppression,
} from "./suppression.ts";
import { hiddenBy, type SuppressionPreview } from "./suppression-preview.ts";
import type {
  CreateSuppressionRequest,
  ListAllSuppressionsQuery,
  ListSuppressionsQuery,
  PreviewSuppressionRequest,
  UpdateSuppressionRequest,
} from "./suppressions.schema.ts";
import {
  createSuppressionsStore,
  createSuppressionsWriter,
  MAX_ACTIVE,
  type SuppressionsStore,
} from "./suppressions.store.ts";

export interface SuppressionsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: SuppressionsStore; showcase: SuppressionsStore };
  readers: { database: ReadLogs; showcase: ReadLogs };
  verdicts: { database: VerdictCountsStore; showcase: VerdictCountsStore };
  rules: Pick<RulesService, "get">;
  exceptions: Pick<ExceptionsService, "findExcepting">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type SuppressionsService = ReturnType<typeof createSuppressionsService>;

export function createSuppressionsService(deps: SuppressionsServiceDeps) {
  const { runtime, stores, readers, verdicts, rules, exceptions, audit, clock, ids } = deps;

  async function listActiveNow(rule_id: string): Promise<Suppression[]> {
    return (await runtime.choose(stores)).listActive(rule_id, clock.now());
  }

  async function lock(tx: Tx, caller: Caller, id: string): Promise<Suppression> {
    const suppression = await createSuppressionsWriter(tx).lock(caller, id);
    if (!suppression) throw notFound("suppression", id);
    return suppression;
  }

  async function record(tx: Tx, { username }: Caller, action: string, suppression: Suppression): Promise<void> {
    const { id, rule_id, criteria, suppress_for_hours, expires_at } = suppression;
    const details = { rule_id, criteria, suppress_for_hours, expires_at };
    await audit.record(tx, { actor: username, action, subject_type: "suppression", subject_id: id, details });
  }

  return {
    listActive: listActiveNow,

    /** The active suppression of this rule that matches the log. */
    async findActive(db: Db, rule_id: string, log: LogEvent): Promise<Pick<Suppression, "id" | "name"> | undefined> {
      return createSuppressor(await createSuppressionsStore(db).listActive(rule_id, clock.now()))(log);
    },

    async list(caller: Caller, rule_id: string, query: ListSuppressionsQuery): Promise<Page<Suppression>> {
      const { id } = await rules.get(caller, rule_id);
      return (await runtime.choose(stores)).list(id, query, clock.now());
    },

    /** The suppressions of all rules that the caller may see. */
    async listAll(caller: Caller, query: ListAllSuppressionsQuery): Promise<Page<Suppression>> {
      return (await runtime.choose(stores)).listAll(caller, query, clock.now());
    },

    async update(tx: Tx, caller: Caller, id: string, patch: UpdateSuppressionRequest): Promise<Suppression> {
      if (Object.keys(patch).length === 0) throw invalidField("body", "must contain a field of a suppression");
      const changed = patchSuppression(await lock(tx, caller, id), patch);
      await createSuppressionsWriter(tx).update(changed);
      await record(tx, caller, "suppression.updated", changed);
      return changed;
    },

    /** Ends the suppression now. It stays in the lists, because matches refer to it. */
    async end(tx: Tx, caller: Caller, id: string) {
      const suppression = await lock(tx, caller, id);
      const now = clock.now();
      if (!isActive(suppression, now)) throw new Problem("conflict", `suppression '${suppression.id}' has ended`);
      const ended = { ...suppression, expires_at: now };
      await createSuppressionsWriter(tx).update(ended);
      await record(tx, caller, "suppression.ended", ended);
      return { deleted: true, id: suppression.id };
    },

    async create(tx: Tx, caller: Caller, rule_id: string, request: CreateSuppressionRequest): Promise<Suppression> {
      // Lock the rule, so that concurrent requests cannot exceed the limit.
      const rule = await createRulesWriter(tx).lock(caller, rule_id);
      if (!rule) throw notFound("rule", rule_id);
      const now = clock.now();
      const parts = { id: ids.next(), rule_id: rule.id, created_by: caller.username, now };
      const suppression = buildSuppression(request, parts);
      if ((await createSuppressionsStore(tx).listActive(rule.id, now)).length >= MAX_ACTIVE) {
        throw new Problem(
          "conflict",
          `rule '${rule.id}' has ${MAX_ACTIVE} active suppressions; change the rule instead`,
        );
      }
      await createSuppressionsWriter(tx).insert(suppression);
      await record(tx, caller, "suppression.created", suppression);
      return suppression;
    },

    /** Previews what a suppression with these criteria would have hidden in the window, after exceptions. */
    async preview(
      caller: Caller,
      rule_id: string,
      { criteria, from, to }: PreviewSuppressionRequest,
      signal?: AbortSignal,
    ): Promise<SuppressionPreview> {
      // Validate the criteria before the search.
      createMatcher(criteria);
      const now = clock.now();
      const window = from === undefined && to === undefined ? lastDay(now) : parsePreviewWindow({ from, to }, now);
      const rule = await rules.get(caller, rule_id);
      const reader = (await runtime.choose(readers))(toScope(caller));
      const excepting = await exceptions.findExcepting(rule);
      const execution = await executeExcept(rule, window, reader, excepting, signal);
      const { preview, log_ids } = hiddenBy(criteria, execution);
      const { alerts, true_positives } = await (await runtime.choose(verdicts)).countAlerts(rule.id, log_ids);
      return { ...preview, hidden_alerts: alerts, hidden_true_positives: true_positives };
    },
  };
}
