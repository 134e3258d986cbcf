import type { Log } from "@kit/log";
import type { Db } from "../../foundation/database/tables.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { Window } from "../rules/schedule.ts";
import {
  NO_HITS,
  type QuietRun,
  type RuleOutcome,
  type RuleVersion,
  type ScanHits,
  type WorkerRule,
} from "./dispatcher.ts";
import { type ScanService, SHARED_FROM } from "./dispatcher-scan.service.ts";
import type { BatchRule, ScheduleStore, UnfinishedBatch, WindowEnd } from "./schedule.store.ts";

/** The interface to rules that the workers need: their current state, and the only path from a match to an alert. */
export interface WorkerRules {
  /** The enabled ones of these rules. */
  find(rule_ids: readonly string[]): Promise<WorkerRule[]>;
  /**
   * Runs the rule over the window and raises alerts. Idempotent. `found` are the logs in the window that match the
   * rule's condition, if they are already known.
   */
  run(
    rule: RuleVersion,
    window: Window,
    found: readonly LogEvent[] | undefined,
    is_backfill?: boolean,
  ): Promise<RuleOutcome>;
  /** Records runs that found nothing. */
  recordQuiet(tx: Db, runs: readonly QuietRun[]): Promise<void>;
}

export interface BatchServiceDeps {
  schedule: Pick<ScheduleStore, "findUnfinished" | "listDone" | "listRules" | "finish">;
  rules: Pick<WorkerRules, "run" | "recordQuiet">;
  scan: Pick<ScanService, "hitsIn">;
  /** Sources of rules that should send, but are silent. */
  silentSources: () => Promise<ReadonlySet<string>>;
  log: Pick<Log, "warn">;
}

const RUNS_CONCURRENCY = 4;
const MAX_SCAN_ATTEMPTS = 5;

/** Runs the windows of a batch and accounts for each. Idempotent: any step may be repeated. */
export function createBatchService({ schedule, rules, scan, silentSources, log }: BatchServiceDeps) {
  /**
   * If the log store is unreachable, the batch fails as a whole and is retried, instead of failing each of its rules.
   */
  async function findHits(batch: UnfinishedBatch, found: readonly BatchRule[]): Promise<ScanHits> {
    const decidable = found.filter(({ isSingleEvent }) => isSingleEvent);
    if (decidable.length < SHARED_FROM) return NO_HITS;
    return scan.hitsIn(batch, decidable).catch((error: unknown) => {
      if (batch.attempt < MAX_SCAN_ATTEMPTS) throw error;
      log.warn({ err: error, batch: batch.id }, "shared scan failed");
      return NO_HITS;
    });
  }

  async function runWindow(
    rule: BatchRule,
    window: Window,
    hits: readonly LogEvent[] | undefined,
  ): Promise<WindowEnd["end"]> {
    try {
      const { isCapped } = await rules.run(rule, window, hits);
      return isCapped ? "capped" : "ran";
    } catch (error) {
      log.warn({ err: error, rule_id: rule.id, from: window.from, to: window.to }, "window failed");
      return "failed";
    }
  }

  return {
    async run(batch_id: string): Promise<void> {
      const batch = await schedule.findUnfinished(batch_id);
      if (!batch) return;
      const done = await schedule.listDone(batch);
      const found = (await schedule.listRules(batch)).filter(({ id }) => !done.has(id));
      const [hits, silent] = await Promise.all([findHits(batch, found), silentSources()]);
      const quiet = found.filter((rule) => hits.of(rule)?.length === 0);
      const loud = found.filter((rule) => hits.of(rule)?.length !== 0);
      const ends = new Map<string, WindowEnd["end"]>(batch.rule_ids.map((rule_id) => [rule_id, "skipped"]));
      for (const [rule_id, end] of done) ends.set(rule_id, end);
      for (const { id } of quiet) ends.set(id, "ran");
      const waiting = loud.values();
      const lanes = Array.from({ length: RUNS_CONCURRENCY }, async () => {
        for (const rule of waiting) ends.set(rule.id, await runWindow(rule, batch, hits.of(rule)));
      });
      await Promise.all(lanes);
      for (const { id, source } of found) if (ends.get(id) === "ran" && silent.has(source)) ends.set(id, "silent");
      const all = [...ends].map(([rule_id, end]) => ({ rule_id, end }));
      await schedule.finish(batch, all, (tx) =>
        rules.recordQuiet(
          tx,
          quiet.map((rule) => ({ rule, window: batch })),
        ),
      );
    },
  };
}
