import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Condition } from "@kit/query/condition";
import type { Static } from "typebox";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import type { HeldDecision, HoldChange } from "../../foundation/held-changes.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { toLogBody } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogReader, ReadLogs } from "../execution/log-reader.ts";
import { parsePreviewWindow } from "../execution/preview-window.ts";
import { equals } from "../matching/event-field.ts";
import type { RulesService } from "../rules/rules.service.ts";
import { createRulesStore } from "../rules/rules.store.ts";
import {
  buildException,
  compileExceptions,
  type Exception,
  type ExceptionMatcher,
  type ExceptionRow,
  isActive,
  patchException,
  requireSelecting,
  toShown,
} from "./exception.ts";
import type {
  CreateExceptionRequest,
  ExceptionPreviewBody,
  ListExceptionsQuery,
  PreviewExceptionRequest,
  UpdateExceptionRequest,
} from "./exceptions.schema.ts";
import {
  createExceptionsStore,
  createExceptionsWriter,
  type ExceptionsStore,
  MAX_ACTIVE,
  type PricedMatch,
} from "./exceptions.store.ts";

export interface ExceptionsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ExceptionsStore; showcase: ExceptionsStore };
  readers: { database: ReadLogs; showcase: ReadLogs };
  rules: Pick<RulesService, "get" | "getWithin">;
  holdChange: HoldChange;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type ExceptionsService = ReturnType<typeof createExceptionsService>;

/** An exception applies to a rule regardless of who may see it. */
const EVERY_RULE: Caller = { kind: "user", username: "exceptions", role: "admin" };
const PRICED_MATCHES = 5000;
const PRICED_BATCH_SIZE = 500;
const SHOWN_LOGS = 50;

export function createExceptionsService(deps: ExceptionsServiceDeps) {
  const { runtime, stores, readers, rules, holdChange, audit, clock, ids } = deps;

  async function lock(tx: Tx, caller: Caller, id: string, ifMatch: string | undefined): Promise<ExceptionRow> {
    const exception = await createExceptionsWriter(tx).lock(caller, id);
    if (!exception) throw notFound("exception", id);
    requireMatch(ifMatch, exception);
    if (exception.approval_id) {
      throw new Problem(
        "conflict",
        `exception '${exception.id}' waits for approval '${exception.approval_id}': reject that to discard it`,
      );
    }
    if (!isActive(exception, clock.now())) throw new Problem("conflict", `exception '${exception.id}' has ended`);
    return exception;
  }

  async function record(
    tx: Tx,
    { username }: Pick<Caller, "username">,
    action: string,
    exception: ExceptionRow,
  ): Promise<void> {
    const { id, scope, rule_id, tag, query, reason, expires_at } = exception;
    const details = { scope, rule_id, tag, query, reason, expires_at };
    await audit.record(tx, { actor: username, action, subject_type: "exception", subject_id: id, details });
  }

  async function getWithin(tx: Tx, caller: Caller, id: string): Promise<Exception> {
    const exception = await createExceptionsStore(tx).find(caller, id);
    if (!exception) throw notFound("exception", id);
    return exception;
  }

  /** With four eyes, an exception for more than one rule hides nothing until another person approves it. */
  async function hold(tx: Tx, caller: Caller, exception: ExceptionRow): Promise<ExceptionRow> {
    const { id, scope, tag, query, reason, created_at, expires_at } = exception;
    const rules = scope === "all" ? "all rules" : `the rules with the tag '${tag}'`;
    const approval_id = await holdChange?.(tx, caller, {
      ...{ subject: "exception", id, version: id },
      action: `Hide logs from ${rules}`,
      justification: reason,
      summary: `Hides logs that match ${query} from ${rules} until ${expires_at.toISOString()}`,
    });
    // An exception that has ended, also for the former release.
    return approval_id === undefined
      ? exception
      : { ...exception, expires_at: created_at, held_until: expires_at, approval_id };
  }

  return {
    async settle(tx: Tx, { approval_id, isApproved, actor }: HeldDecision): Promise<boolean> {
      const settled = await createExceptionsWriter(tx).settle(approval_id, isApproved, clock.now());
      if (!settled) return false;
      await record(tx, { username: actor }, isApproved ? "exception.approved" : "exception.discarded", settled);
      return true;
    },

    /** The currently active exceptions of the rule, for an evaluation by a person. */
    async findExcepting(rule: { id: string; tags: readonly string[] }): Promise<ExceptionMatcher | undefined> {
      return compileExceptions(await (await runtime.choose(stores)).listActive(rule, clock.now()));
    },

    /** The currently active exception that hides the log from the rule. */
    async findActive(db: Db, rule_id: string, log: LogEvent): Promise<{ id: string } | undefined> {
      const rule = await createRulesStore(db).find(EVERY_RULE, rule_id);
      if (!rule) return undefined;
      const id = compileExceptions(await createExceptionsStore(db).listActive(rule, clock.now()))?.find(log);
      return id === undefined ? undefined : { id };
    },

    async list(caller: Caller, query: ListExceptionsQuery): Promise<Page<Exception>> {
      return (await runtime.choose(stores)).list(caller, query, clock.now());
    },

    async get(caller: Caller, id: string): Promise<Exception> {
      const exception = await (await runtime.choose(stores)).find(caller, id);
      if (!exception) throw notFound("exception", id);
      return exception;
    },

    async create(tx: Tx, caller: Caller, request: CreateExceptionRequest): Promise<Exception> {
      const now = clock.now();
      const exception = buildException(request, { id: ids.next(), created_by: caller.username, now });
      if (exception.rule_id !== null) exception.rule_id = (await rules.getWithin(tx, caller, exception.rule_id)).id;
      const writer = createExceptionsWriter(tx);
      if ((await writer.countActive(now)) >= MAX_ACTIVE) {
        throw new Problem("conflict", `${MAX_ACTIVE} exceptions are active, which is the limit; end or merge some`);
      }
      const stored = exception.scope === "rule" ? exception : await hold(tx, caller, exception);
      await writer.insert(stored);
      await record(tx, caller, "exception.created", stored);
      return { ...toShown(stored), hidden: 0, last_hidden_at: null };
    },

    async update(
      tx: Tx,
      caller: Caller,
      id: string,
      patch: UpdateExceptionRequest,
      ifMatch?: string,
    ): Promise<Exception> {
      if (Object.keys(patch).length === 0) throw invalidField("body", "must contain reason or expires_at");
      const changed = patchException(await lock(tx, caller, id, ifMatch), patch, clock.now());
      await createExceptionsWriter(tx).update(changed);
      await record(tx, caller, "exception.updated", changed);
      return getWithin(tx, caller, changed.id);
    },

    /** Ends the exception now. It stays in the lists, because matches refer to it. */
    async end(tx: Tx, caller: Caller, id: string, ifMatch?: string) {
      const exception = await lock(tx, caller, id, ifMatch);
      const now = clock.now();
      const ended = { ...exception, expires_at: now, updated_at: updatedAt(exception, now) };
      await createExceptionsWriter(tx).update(ended);
      await record(tx, caller, "exception.ended", ended);
      return { deleted: true, id: exception.id };
    },

    /** Previews the matches of the affected rules in the window that an exception would have hidden. */
    async preview(
      caller: Caller,
      { from, to, ...meant }: PreviewExceptionRequest,
      signal?: AbortSignal,
    ): Promise<Static<typeof ExceptionPreviewBody>> {
      const condition = requireSelecting(meant);
      const window = parsePreviewWindow({ from, to }, clock.now());
      if (meant.rule_id !== undefined) await rules.get(caller, meant.rule_id);
      const reader = (await runtime.choose(readers))(toScope(caller));
      const store = await runtime.choose(stores);
      const found = await store.listPriced(caller, meant, window, PRICED_MATCHES + 1);
      const matches = found.slice(0, PRICED_MATCHES);
      const logs = await findHidden(reader, condition, matches, signal);
      const hidden = matches.filter(({ log_id }) => logs.has(log_id));
      const countAlerts = (those: readonly PricedMatch[]) =>
        new Set(those.flatMap(({ alert_id }) => alert_id ?? [])).size;
      return {
        window_from: window.from,
        window_to: window.to,
        total: matches.length,
        is_capped: found.length > matches.length,
        would_hide: hidden.length,
        hidden_alerts: countAlerts(hidden),
        hidden_true_positives: countAlerts(hidden.filter(({ is_true_positive }) => is_true_positive)),
        logs: [...logs.values()].slice(0, SHOWN_LOGS).map(toLogBody),
      };
    },
  };
}

/** The logs of the matches that meet the condition, by id. */
async function findHidden(
  logs: LogReader,
  condition: Condition,
  matches: readonly PricedMatch[],
  signal: AbortSignal | undefined,
): Promise<Map<string, LogEvent>> {
  const hidden = new Map<string, LogEvent>();
  for (let at = 0; at < matches.length; at += PRICED_BATCH_SIZE) {
    const batch = matches.slice(at, at + PRICED_BATCH_SIZE);
    const times = batch.map(({ log_ingested_at }) => log_ingested_at.getTime());
    const window = { from: new Date(Math.min(...times)), to: new Date(Math.max(...times) + 1) };
    const asked = [...new Set(batch.map(({ log_id }) => log_id))];
    const isAsked: Condition = { kind: "or", of: asked.map((id) => equals({ name: "id" }, id)) };
    const found = await logs.search({ kind: "and", of: [isAsked, condition] }, window, asked.length, signal);
    for (const log of found) hidden.set(log.id, log);
  }
  return hidden;
}
