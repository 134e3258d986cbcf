import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem, rateLimited } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { RuleRow } from "../rules/rule.ts";
import type { RunsService } from "../runs/runs.service.ts";
import {
  type Backtest,
  type BacktestDetail,
  type BacktestRow,
  parseBacktestWindow,
  type TestedRule,
  toTestedRule,
} from "./backtest.ts";
import type { CreateBacktestRequest, ListBacktestsQuery } from "./backtests.schema.ts";
import { type BacktestsStore, createBacktestsStore, createBacktestsWriter } from "./backtests.store.ts";

export interface BacktestsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: BacktestsStore; showcase: BacktestsStore };
  runs: Pick<RunsService, "draft">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type BacktestsService = ReturnType<typeof createBacktestsService>;

/** The maximum number of unfinished backtests per caller and in total. */
const MAX_OWN = 3;
const MAX_QUEUED = 50;
const BUSY_MS = 30_000;
const EMPTY = { histogram: [], groups: [], known: null };

export interface PreparedBacktest {
  rule: TestedRule;
  rule_id: string | null;
  window_from: Date;
  window_to: Date;
}

export function createBacktestsService({ runtime, stores, runs, audit, clock, ids }: BacktestsServiceDeps) {
  async function requireRoom(tx: Tx, { username }: Caller): Promise<void> {
    const { all, own } = await createBacktestsWriter(tx).countUnfinished(username);
    if (own >= MAX_OWN) {
      throw rateLimited(`${MAX_OWN} of your backtests are unfinished, which is the limit; cancel one or wait`, BUSY_MS);
    }
    if (all < MAX_QUEUED) return;
    throw new Problem("conflict", `${MAX_QUEUED} backtests are unfinished, which is the limit; try again later`);
  }

  return {
    /** Checks the request and prepares it, before any transaction. */
    async prepare(caller: Caller, request: CreateBacktestRequest): Promise<PreparedBacktest> {
      const { rule: fields, rule_id } = request;
      if (fields === undefined && rule_id === undefined) throw invalidField("rule", "is required without rule_id");
      const rule: RuleRow = await runs.draft(caller, rule_id, fields ?? {});
      const { from: window_from, to: window_to } = parseBacktestWindow(request, clock.now());
      return { rule: toTestedRule(rule), rule_id: rule_id === undefined ? null : rule.id, window_from, window_to };
    },

    async request(tx: Tx, caller: Caller, prepared: PreparedBacktest): Promise<BacktestDetail> {
      await requireRoom(tx, caller);
      const now = clock.now();
      const { window_from, window_to, rule_id, rule } = prepared;
      const row: BacktestRow = {
        ...prepared,
        id: ids.next(),
        requested_by: caller.username,
        role: caller.role,
        status: "queued",
        position: window_from,
        ...{ scanned: 0, more: 0, excepted: 0, is_capped: false, took_ms: 0, result: null, error: null },
        created_at: now,
        finished_at: null,
        ...{ worker: null, leased_until: now, failures: 0, notified_at: now },
      };
      await createBacktestsWriter(tx).insert(row);
      await audit.record(tx, {
        actor: caller.username,
        action: "backtest.requested",
        subject_type: "backtest",
        subject_id: row.id,
        details: { rule_id, from: window_from, to: window_to },
      });
      const { id, requested_by, status, error } = row;
      return {
        ...{ id, rule_id, name: rule.name, requested_by, status, window_from, window_to, error },
        ...{ progress: 0, scanned: 0, matches: 0, excepted: 0, is_capped: false, took_ms: 0 },
        ...{ created_at: now, finished_at: null, ...EMPTY },
      };
    },

    async list(caller: Caller, query: ListBacktestsQuery): Promise<Page<Backtest>> {
      return (await runtime.choose(stores)).list(caller, query);
    },

    async get(caller: Caller, id: string): Promise<BacktestDetail> {
      const store = await runtime.choose(stores);
      const found = await store.find(caller, id);
      if (!found) throw notFound("backtest", id);
      const { result, ...backtest } = found;
      return { ...backtest, ...(result ?? { ...(await store.summarise(backtest)), known: null }) };
    },

    /** Ends the backtest and keeps its results so far. A worker stops its slice within a second. */
    async cancel(tx: Tx, caller: Caller, id: string): Promise<BacktestDetail> {
      const writer = createBacktestsWriter(tx);
      const locked = await writer.lock(caller, id);
      if (!locked) throw notFound("backtest", id);
      if (locked.status !== "queued" && locked.status !== "running") {
        throw new Problem("conflict", `backtest '${locked.id}' is already ${locked.status}`);
      }
      const store = createBacktestsStore(tx);
      const before = await store.find(caller, locked.id);
      if (!before) throw notFound("backtest", id);
      const result = { ...(await store.summarise(before)), known: null };
      await writer.end(locked.id, "cancelled", { result, error: null });
      await audit.record(tx, {
        actor: caller.username,
        action: "backtest.cancelled",
        subject_type: "backtest",
        subject_id: locked.id,
        details: { rule_id: locked.rule_id },
      });
      const after = await store.find(caller, locked.id);
      if (!after) throw notFound("backtest", id);
      const { result: _, ...backtest } = after;
      return { ...backtest, ...result };
    },
  };
}
