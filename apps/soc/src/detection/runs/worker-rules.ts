import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { exceptFound, executeExcept } from "../exceptions/except-logs.ts";
import { compileExceptions, type ExceptionMatcher } from "../exceptions/exception.ts";
import { createExceptionsStore } from "../exceptions/exceptions.store.ts";
import type { LogReader } from "../execution/log-reader.ts";
import type { Execution, Window } from "../matches/finding.ts";
import { DETECTIONS } from "../matches/match.ts";
import { createMatchesWriter } from "../matches/matches.store.ts";
import { retryWhileBusy } from "../matches/retry-while-busy.ts";
import { buildRuleCondition, type RuleRow } from "../rules/rule.ts";
import type { WorkingRules } from "../rules/rules.store.ts";
import { createCoverageWriter } from "../scheduling/accounting.store.ts";
import type { QuietRun, RuleOutcome, RuleVersion, WorkerRule } from "../scheduling/dispatcher.ts";
import type { WorkerRules } from "../scheduling/dispatcher-batch.service.ts";
import type { MatchesService } from "./matches.service.ts";
import type { Run } from "./run.ts";
import type { RunsService } from "./runs.service.ts";
import { createRunsWriter } from "./runs.store.ts";

export interface WorkerRulesDeps {
  db: Kysely<Tables>;
  rules: WorkingRules;
  runs: Pick<RunsService, "store">;
  matches: Pick<MatchesService, "store">;
  logs: LogReader;
  clock: Clock;
  ids: Pick<Ids, "next">;
}

/** Longer than any search may take; also limits rules that read page by page. */
const MAX_RUN_MS = 5 * 60_000;
const MAX_ERROR_CHARACTERS = 500;

/** The rules as background workers evaluate them: by schedule, as backfills and on the stream. */
export interface RaisingRules extends WorkerRules {
  /** Raises the matches of one stream pass. Idempotent. */
  raise(rule: WorkerRule, logs: readonly LogEvent[]): Promise<void>;
}

export function createWorkerRules(deps: WorkerRulesDeps): RaisingRules {
  const { db, rules, runs, matches, logs, clock, ids } = deps;

  async function findRow(rule: RuleVersion): Promise<RuleRow | undefined> {
    const [row] = await rules.find([rule.id]);
    return row;
  }

  /** Read for each run, so that an exception applies from the next run on, and expires. */
  async function findExcepting(row: RuleRow): Promise<ExceptionMatcher | undefined> {
    return compileExceptions(await createExceptionsStore(db).listActive(row, clock.now()));
  }

  async function executeOrReuse(
    row: RuleRow,
    rule: RuleVersion,
    window: Window,
    found: readonly LogEvent[] | undefined,
  ): Promise<Execution> {
    // Hits of another version are not valid for this one.
    const isKnown = found && row.version === rule.version;
    const excepting = await findExcepting(row);
    return isKnown
      ? exceptFound(found, window, excepting)
      : executeExcept(row, window, logs, excepting, clock.deadline(MAX_RUN_MS));
  }

  function buildRun(rule: Pick<RuleRow, "id" | "version">, window: Window, started_at: Date, is_backfill = false): Run {
    return {
      id: ids.next(),
      rule_id: rule.id,
      rule_version: rule.version,
      trigger_mode: "scheduled",
      is_backfill,
      status: "completed",
      window_from: window.from,
      window_to: window.to,
      started_at,
      finished_at: clock.now(),
      match_count: 0,
      suppressed_count: 0,
      excepted_count: 0,
      new_match_count: 0,
      alert_ids: [],
      sample_log_ids: [],
      error: null,
    };
  }

  async function recordFailure(
    row: RuleRow,
    failed: Pick<Run, "is_backfill" | "started_at"> & Window,
    failure: unknown,
  ) {
    const error = failure instanceof Problem ? failure.message.slice(0, MAX_ERROR_CHARACTERS) : "internal error";
    const run = buildRun(row, failed, failed.started_at, failed.is_backfill);
    await createRunsWriter(db).insert([{ ...run, status: "failed", error }]);
  }

  /** A rule that can no longer be parsed must neither stop the others nor go unnoticed: a failed run reports it. */
  async function buildWorkerRule(row: RuleRow): Promise<WorkerRule> {
    const { id, version, source } = row;
    const now = clock.now();
    try {
      const condition = row.type === "query" ? buildRuleCondition(row) : undefined;
      return { id, version, source: source ?? "", condition };
    } catch (error) {
      const to = new Date(now.getTime() + 1);
      await recordFailure(row, { from: now, to, started_at: now, is_backfill: false }, error);
      return { id, version, source: source ?? "", condition: undefined };
    }
  }

  return {
    async find(rule_ids) {
      const found = await rules.find(rule_ids);
      return Promise.all(found.map(buildWorkerRule));
    },

    async run(rule, window, found, is_backfill = false): Promise<RuleOutcome> {
      const row = await findRow(rule);
      if (!row) return { isCapped: false };
      const started_at = clock.now();
      try {
        const execution = await executeOrReuse(row, rule, window, found);
        const prepared = { rule: row, execution, started_at };
        return await retryWhileBusy(clock, () =>
          db.transaction().execute(async (tx) => {
            await createMatchesWriter(tx).requireRule(row.id);
            const before = await createRunsWriter(tx).findScheduled(row, window);
            if (before) return { isCapped: before.status === "capped" };
            const { stored } = await runs.store(tx, DETECTIONS, prepared, {
              trigger_mode: "scheduled",
              is_backfill,
            });
            return { isCapped: stored.isCapped };
          }),
        );
      } catch (error) {
        // Best effort: the caller accounts for the window and has it backfilled.
        await recordFailure(row, { ...window, started_at, is_backfill }, error).catch(() => undefined);
        throw error;
      }
    },

    async recordQuiet(tx, quiet: readonly QuietRun[]) {
      const now = clock.now();
      await createRunsWriter(tx).insert(quiet.map(({ rule, window }) => buildRun(rule, window, now)));
    },

    async raise(rule, found) {
      const row = await findRow(rule);
      if (!row || found.length === 0) return;
      const execution = exceptFound(found, findWindow(found), await findExcepting(row));
      await retryWhileBusy(clock, () =>
        db.transaction().execute(async (tx: Tx) => {
          const { isCapped } = await matches.store(tx, DETECTIONS, row, execution, null);
          if (isCapped) await createCoverageWriter(tx).accountCapped(row.id, execution.window);
        }),
      );
    },
  };
}

function findWindow(logs: readonly LogEvent[]): Window {
  const times = logs.map(({ ingested_at }) => Date.parse(ingested_at));
  const [from, to] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  return { from: new Date(from), to: new Date(to + 1) };
}
