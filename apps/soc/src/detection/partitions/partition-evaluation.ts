import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { EvaluationResult, LogEvaluation } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { createStreamMatcher, type StreamMatcher } from "../matching/stream-matcher.ts";
import { createCoverageWriter } from "../scheduling/accounting.store.ts";
import type { WorkerRule } from "../scheduling/dispatcher.ts";
import { SHARED_FROM } from "../scheduling/dispatcher-scan.service.ts";
import { createHits, type Hits } from "../scheduling/hits-by-rule.ts";
import { createScheduleWriter } from "../scheduling/schedule.store.ts";
import { createStreamPlanStore, type StreamStore } from "../scheduling/stream.store.ts";
import type { StreamRules, StreamWatch } from "../scheduling/stream-rules.ts";
import { createSegmentCollector } from "./segment-collector.ts";
import { createSegmentsWriter } from "./segments.store.ts";

export interface PartitionEvaluationDeps {
  stream: Pick<StreamStore, "generation">;
  rules: StreamRules;
  watch: StreamWatch;
  listStreaming: () => Promise<WorkerRule[]>;
  listScheduled: () => Promise<WorkerRule[]>;
  /** Throws while the clock of this host is wrong, because alerts would have a wrong time. */
  requireClock: () => void;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
}

interface LoadedRules {
  generation: string;
  streaming: ReadonlyMap<string, WorkerRule>;
  /** Whether hits for scheduled rules are collected. */
  hasSegments: boolean;
  matcher: StreamMatcher;
}

// Yields to the event loop after this many logs.
const BATCH_SIZE = 500;
const HITS_BATCH_SIZE = 5000;

/**
 * Evaluates logs in the process that has just stored them, in one pass for streaming rules, scheduled rules and
 * indicators.
 */
export function createPartitionEvaluation(deps: PartitionEvaluationDeps): LogEvaluation {
  const { stream, rules, watch, listStreaming, listScheduled, requireClock, clock, log } = deps;
  const segments = createSegmentCollector();
  const refresh = createShared(() => watch.refresh());
  const load = createShared(loadOnce);
  let loaded: LoadedRules | undefined;

  async function loadOnce(): Promise<LoadedRules> {
    // Read the generation before the rules: a rule that changes in between is read again next time.
    const generation = await stream.generation();
    if (loaded?.generation === generation) return loaded;
    const [streaming, scheduled] = [await listStreaming(), await listScheduled()];
    const hasSegments = scheduled.length >= SHARED_FROM;
    const all = [...streaming, ...(hasSegments ? scheduled : [])];
    const matcher = createStreamMatcher(all.flatMap(({ id, condition }) => (condition ? { id, condition } : [])));
    loaded = { generation, streaming: new Map(streaming.map((rule) => [rule.id, rule])), hasSegments, matcher };
    log.info({ rules: all.length, unindexed: matcher.unindexed.length }, "rules of partitions loaded");
    return loaded;
  }

  async function loadAtLeast(generation: string): Promise<LoadedRules> {
    return loaded && BigInt(loaded.generation) >= BigInt(generation) ? loaded : load();
  }

  async function raiseAll(byRule: ReadonlyMap<string, LogEvent[]>, { streaming }: LoadedRules): Promise<string[]> {
    const failed: string[] = [];
    for (const [rule_id, logs] of byRule) {
      const rule = streaming.get(rule_id);
      if (!rule) continue;
      await rules.raise(rule, logs).catch((error: unknown) => {
        log.warn({ err: error, rule_id }, "raising stream matches failed");
        failed.push(rule_id);
      });
    }
    return failed;
  }

  /** Stores hits of scheduled rules in their segment, and returns those of streaming rules. */
  function matchBatch(
    partition: number,
    { matcher, streaming }: LoadedRules,
    logs: readonly LogEvent[],
    hits: Hits,
  ): void {
    for (const each of logs) {
      const matched = matcher.match(each);
      if (matched.length === 0) continue;
      hits.add(
        each,
        matched.filter((id) => streaming.has(id)),
      );
      for (const id of matched) if (!streaming.has(id)) segments.add(partition, id, each);
    }
  }

  async function match(partition: number, current: LoadedRules, logs: readonly LogEvent[]): Promise<EvaluationResult> {
    const failed: string[] = [];
    let hits = createHits();
    for (let place = 0; place < logs.length; place += BATCH_SIZE) {
      matchBatch(partition, current, logs.slice(place, place + BATCH_SIZE), hits);
      await clock.sleep(0);
      if (hits.count() < HITS_BATCH_SIZE) continue;
      failed.push(...(await raiseAll(hits.byRule, current)));
      hits = createHits();
    }
    failed.push(...(await raiseAll(hits.byRule, current)));
    return { failed: [...new Set(failed)], capped: [...current.matcher.takeExhausted().keys()] };
  }

  return {
    begin: (tx) => createStreamPlanStore(tx).find(),

    async evaluate(partition, { generation }, logs) {
      const current = await loadAtLeast(generation);
      requireClock();
      const [first] = logs;
      if (!first) return { failed: [], capped: [] };
      // A group that is evaluated again replaces its hits.
      segments.begin(
        partition,
        new Date(first.ingested_at).getTime(),
        current.hasSegments ? current.generation : undefined,
      );
      const result = await match(partition, current, logs);
      // Runs after the logs are stored: a still unknown indicator finds them in the log store.
      if (await refresh()) await watch.onLogs(logs);
      return result;
    },

    async end(tx, { failed, capped }, stampMs) {
      const window = { from: new Date(stampMs), to: new Date(stampMs + 1) };
      // The time range already counts as streamed, so the backfill adds no seconds.
      const backfills = failed.map((rule_id) => ({ rule_id, reason: "failed" as const, ...window, seconds: 0 }));
      await createScheduleWriter(tx).insertBackfills(backfills);
      const coverage = createCoverageWriter(tx);
      for (const rule_id of capped.toSorted()) await coverage.accountCapped(rule_id, window);
    },

    async onRenewed(tx, renewed) {
      const ended = segments.takeEnded(renewed, loaded?.hasSegments ?? false);
      await createSegmentsWriter(tx).insert(ended);
    },
  };
}

/**
 * Concurrent callers share one call. They do not join a running call, which may have read the state before the caller's
 * own change.
 */
function createShared<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const current = work();
      running = current.catch(() => undefined);
      return current;
    });
    return next;
  };
}
