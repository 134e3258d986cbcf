import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { YamlReader } from "../../foundation/yaml/yaml-reader.ts";
import { toLogBody } from "../../logs/module.ts";
import type { LogBody } from "../../logs/search/logs.schema.ts";
import { executeExcept } from "../exceptions/except-logs.ts";
import type { ExceptionsService } from "../exceptions/exceptions.service.ts";
import type { ReadLogs } from "../execution/log-reader.ts";
import { lastDay, parsePreviewWindow } from "../execution/preview-window.ts";
import type { VerdictCountsStore } from "../feedback/verdict-counts.store.ts";
import { buildImportedRule, buildReimportedRule } from "../imports/sigma-import.ts";
import { type Execution, listMatchedIds, RUN_LIMITS, type Window } from "../matches/finding.ts";
import { retryWhileBusy } from "../matches/retry-while-busy.ts";
import { buildRule, patchRule, type Rule, type RuleRow } from "../rules/rule.ts";
import type { RulesService } from "../rules/rules.service.ts";
import type { FoundRule } from "../rules/rules.store.ts";
import { createCallerYaml } from "../sigma/caller-yaml.ts";
import { readSigma, type SigmaRule } from "../sigma/sigma.ts";
import type { SuppressionsService } from "../suppressions/suppressions.service.ts";
import type { MatchesService, StoreResult } from "./matches.service.ts";
import { buildPreview, type RulePreview } from "./preview.ts";
import { type Run, SAMPLE } from "./run.ts";
import type { ListRunsQuery, PreviewRuleRequest } from "./runs.schema.ts";
import { createRunsWriter, type RunsStore } from "./runs.store.ts";

export interface RunsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: RunsStore; showcase: RunsStore };
  readers: { database: ReadLogs; showcase: ReadLogs };
  verdicts: { database: VerdictCountsStore; showcase: VerdictCountsStore };
  rules: Pick<RulesService, "get">;
  suppressions: Pick<SuppressionsService, "listActive">;
  exceptions: Pick<ExceptionsService, "findExcepting">;
  matches: Pick<MatchesService, "store">;
  audit: Recorder;
  yaml: Pick<YamlReader, "parse">;
  clock: Pick<Clock, "now" | "sleep" | "monotonicMs">;
  ids: Pick<Ids, "next">;
}
export type RunsService = ReturnType<typeof createRunsService>;

/** The result of an execution, before anything is stored. */
export interface PreparedRun<Known extends RuleRow = RuleRow> {
  rule: Known;
  execution: Execution;
  started_at: Date;
}

/** The fields of an unsaved rule, or changes to a stored one. */
type DraftedFields = Omit<PreviewRuleRequest, "from" | "to">;

/** Why a run happened. */
export type RunTrigger = Pick<Run, "trigger_mode" | "is_backfill">;

export interface RuleRun {
  rule: Rule;
  total: number;
  suppressed_count: number;
  run: Run;
  logs: Static<typeof LogBody>[];
}

const SHOWN_LOGS = 50;
const JUDGED_LOGS = 1000;

export function createRunsService(deps: RunsServiceDeps) {
  const { runtime, stores, readers, verdicts, rules, suppressions, exceptions, matches, audit, clock, ids } = deps;
  const yamlReader = deps.yaml;

  /** Stores the findings of a run and the run itself, in one transaction. */
  async function store(
    tx: Tx,
    caller: Caller,
    { rule, execution, started_at }: PreparedRun,
    trigger: RunTrigger,
  ): Promise<{ run: Run; stored: StoreResult }> {
    const id = ids.next();
    const { trigger_mode, is_backfill } = trigger;
    const { excepted, ...open } = execution;
    // Manual runs overlap and would count the hidden logs of a rule with groups again.
    const isCounted = trigger_mode === "scheduled" || rule.type === "query";
    const stored = await matches.store(tx, caller, rule, isCounted ? execution : open, id);
    const { match_count, suppressed_count, new_match_count, alert_ids, isCapped } = stored;
    const run: Run = {
      id,
      rule_id: rule.id,
      rule_version: rule.version,
      trigger_mode,
      is_backfill,
      status: isCapped ? "capped" : "completed",
      window_from: execution.window.from,
      window_to: execution.window.to,
      started_at,
      finished_at: clock.now(),
      match_count,
      suppressed_count,
      excepted_count: excepted?.length ?? 0,
      new_match_count,
      alert_ids,
      sample_log_ids: stored.shown.slice(0, SAMPLE).map((log) => log.id),
      error: null,
    };
    await createRunsWriter(tx).insert([run]);
    if (trigger_mode === "manual" || new_match_count > 0) {
      await audit.record(tx, {
        actor: caller.username,
        action: "run.completed",
        subject_type: "run",
        subject_id: id,
        details: { rule_id: rule.id, trigger_mode, status: run.status, match_count, suppressed_count, alert_ids },
      });
    }
    return { run, stored };
  }

  async function preview(caller: Caller, rule: RuleRow, window: Window, signal?: AbortSignal): Promise<RulePreview> {
    const began = clock.monotonicMs();
    // Select the source before the rule runs: if the database hangs, the request waits for it only once.
    const reader = (await runtime.choose(readers))(toScope(caller));
    const active = await suppressions.listActive(rule.id);
    const excepting = await exceptions.findExcepting(rule);
    const execution = await executeExcept(rule, window, reader, excepting, signal);
    const scanned = await reader.count({ kind: "all" }, window, RUN_LIMITS.counted, signal);
    const known = await (await runtime.choose(verdicts)).countKnown(caller, listMatchedIds(execution, JUDGED_LOGS));
    const took_ms = Math.round(clock.monotonicMs() - began);
    return buildPreview(rule, execution, { suppressions: active, known, scanned, took_ms });
  }

  async function draft(caller: Caller, rule_id: string | undefined, request: DraftedFields): Promise<RuleRow> {
    const { yaml, ...fields } = request;
    const now = clock.now();
    if (rule_id !== undefined) {
      const known = await rules.get(caller, rule_id);
      return patchRule(yaml === undefined ? known : await withBase(known, yaml, now), fields, now);
    }
    const parts = { id: ids.next(), by: caller.username, now, enabled: true };
    return yaml === undefined
      ? buildRule({ name: "preview", ...fields, sharing_mode: "private" }, parts.id, parts.by, now)
      : patchRule(buildImportedRule(await requireSigma(yaml), yaml, parts), fields, now);
  }

  /** Builds the rule as it would be after another import of its Sigma rule. */
  async function withBase(rule: RuleRow, yaml: string, now: Date): Promise<RuleRow> {
    if (rule.sigma === null) throw invalidField("yaml", "has no meaning for a rule that was not imported");
    return buildReimportedRule(rule, await requireSigma(yaml), yaml, now);
  }

  async function requireSigma(yaml: string): Promise<SigmaRule> {
    const given = createCallerYaml(yamlReader);
    await given.addSigma(yaml);
    const reading = readSigma(yaml, given.parse);
    if (reading.state === "refused") throw invalidField("yaml", reading.reasons.join("; "));
    return reading.rule;
  }

  return {
    store,

    /** Builds an unsaved rule, or a stored one with these changes. */
    draft,

    /** Retries while another run of the same rule stores its matches. */
    retryWhileBusy: <Result>(work: () => Promise<Result>): Promise<Result> => retryWhileBusy(clock, work),

    async list(caller: Caller, rule_id: string, query: ListRunsQuery): Promise<Page<Run>> {
      const { id } = await rules.get(caller, rule_id);
      return (await runtime.choose(stores)).list(id, query);
    },

    /**
     * Executes a manual run over the last 24 hours of ingest time, outside a transaction, so that no transaction waits
     * for the log store.
     */
    async prepare(caller: Caller, rule_id: string, signal?: AbortSignal): Promise<PreparedRun<FoundRule>> {
      const rule = await rules.get(caller, rule_id);
      const started_at = clock.now();
      const reader = (await runtime.choose(readers))(toScope(caller));
      const excepting = await exceptions.findExcepting(rule);
      const execution = await executeExcept(rule, lastDay(started_at), reader, excepting, signal);
      return { rule, execution, started_at };
    },

    async run(tx: Tx, caller: Caller, prepared: PreparedRun<FoundRule>): Promise<RuleRun> {
      const { run, stored } = await store(tx, caller, prepared, {
        trigger_mode: "manual",
        is_backfill: false,
      });
      return {
        rule: { ...prepared.rule, last_run_at: run.finished_at },
        total: run.match_count,
        suppressed_count: run.suppressed_count,
        run,
        logs: stored.shown.slice(0, SHOWN_LOGS).map(toLogBody),
      };
    },

    /** Previews what an unsaved rule would have found. */
    async previewNew(caller: Caller, request: PreviewRuleRequest, signal?: AbortSignal): Promise<RulePreview> {
      const { from, to, ...fields } = request;
      const rule = await draft(caller, undefined, fields);
      return preview(caller, rule, parsePreviewWindow({ from, to }, clock.now()), signal);
    },

    /** Previews what a stored rule would have found, unchanged or with these changes. */
    async previewChanged(
      caller: Caller,
      rule_id: string,
      request: PreviewRuleRequest,
      signal?: AbortSignal,
    ): Promise<RulePreview> {
      const { from, to, ...changes } = request;
      const rule = await draft(caller, rule_id, changes);
      return preview(caller, rule, parsePreviewWindow({ from, to }, clock.now()), signal);
    },
  };
}

/** In dry_run nothing is stored, and the status of the run shows it. */
export function shownRun({ dry_run, result }: Outcome<RuleRun>): Outcome<RuleRun> {
  if (!dry_run) return { dry_run, result };
  return { dry_run, result: { ...result, run: { ...result.run, status: "preview" } } };
}
