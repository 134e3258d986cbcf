import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogReads } from "../../ports/log-store.ts";
import { createStreamMatcher, type StreamMatcher } from "../matching/stream-matcher.ts";
import type { Window } from "../rules/schedule.ts";
import type { WorkerRule } from "./dispatcher.ts";
import { createHits } from "./hits-by-rule.ts";
import type { StreamState, StreamStore } from "./stream.store.ts";
import type { StreamRules, StreamWatch } from "./stream-rules.ts";

export interface StreamWorkerDeps {
  worker: string;
  stream: Pick<StreamStore, "lead" | "advance" | "resign" | "silentSources">;
  rules: StreamRules;
  watch?: StreamWatch;
  /**
   * The rules that the coverage assigns to the stream. A rule that has just left the stream stays here until the next
   * sync.
   */
  listStreaming: () => Promise<WorkerRule[]>;
  logs: Pick<LogReads, "read">;
  watermark: () => Promise<Date>;
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "info" | "warn">;
}

/** The last logs below the watermark, which a worker reads before it leads. */
const PROBE_MS = 1000;
const PASS_MS = 200;
// Each pass costs a few transactions, even if no logs arrive.
const QUIET_MS = 500;
const IDLE_MS = 1000;
const LEAD_SECONDS = 3;
/** A stream that is behind catches up in passes of at most this length. */
const MAX_PASS_MS = 10_000;
// Yields to the event loop after this many logs.
const BATCH_SIZE = 2000;
const HITS_BATCH_SIZE = 5000;
/** A rule that is too expensive for its logs is logged once per interval. */
const EXHAUSTED_LOG_MS = 60_000;

interface LoadedRules {
  generation: string;
  rules: ReadonlyMap<string, WorkerRule>;
  matcher: StreamMatcher;
}

/**
 * Evaluates every log once against all rules of the stream, in ingest order. Any worker that can read logs can lead;
 * one leads at a time, and resigns if a pass fails. The position advances only after the matches are raised, and only
 * if the rules have not changed in the meantime: the next leader evaluates again what a crashed worker had not raised.
 */
export function createStreamWorker(deps: StreamWorkerDeps) {
  const { worker, stream, rules, watch, listStreaming, logs, watermark, isAllowed, clock, log } = deps;
  let loaded: LoadedRules | undefined;
  let hasRead = false;
  const exhaustedLoggedMs = new Map<string, number>();

  async function load(generation: string): Promise<LoadedRules> {
    if (loaded?.generation === generation) return loaded;
    const listed = await listStreaming();
    const matcher = createStreamMatcher(listed.flatMap(({ id, condition }) => (condition ? { id, condition } : [])));
    loaded = { generation, rules: new Map(listed.map((rule) => [rule.id, rule])), matcher };
    log.info({ rules: listed.length, unindexed: matcher.unindexed.length }, "stream rules loaded");
    return loaded;
  }

  async function raiseAll(hits: ReadonlyMap<string, LogEvent[]>, { rules: known }: LoadedRules): Promise<string[]> {
    const failed: string[] = [];
    for (const [rule_id, logs] of hits) {
      const rule = known.get(rule_id);
      if (!rule) continue;
      await rules.raise(rule, logs).catch((error: unknown) => {
        log.warn({ err: error, rule_id }, "raising stream matches failed");
        failed.push(rule_id);
      });
    }
    return failed;
  }

  /** Returns the rules whose matches could not be raised, and whether there were no logs. */
  async function evaluate(window: Window, current: LoadedRules) {
    const failed = new Set<string>();
    let isQuiet = true;
    let hits = createHits();
    const raise = async () => {
      for (const rule_id of await raiseAll(hits.byRule, current)) failed.add(rule_id);
      hits = createHits();
    };
    for await (const part of splitPages(logs.read(window))) {
      isQuiet = false;
      for (const each of part) hits.add(each, current.matcher.match(each));
      await watch?.onLogs(part);
      await clock.sleep(0);
      if (hits.count() >= HITS_BATCH_SIZE) await raise();
      await stream.lead(worker, LEAD_SECONDS);
    }
    await raise();
    return { failed, isQuiet };
  }

  function logExhausted(exhausted: ReadonlyMap<string, number>): void {
    const nowMs = clock.monotonicMs();
    for (const [rule_id, events] of exhausted) {
      if (nowMs - (exhaustedLoggedMs.get(rule_id) ?? Number.NEGATIVE_INFINITY) < EXHAUSTED_LOG_MS) continue;
      exhaustedLoggedMs.set(rule_id, nowMs);
      log.warn({ rule_id, events }, "regular expressions of a rule exceeded their budget");
    }
  }

  /** Returns how long to wait before the next pass. */
  async function pass({ position, generation }: StreamState): Promise<number> {
    const below = await watermark();
    const to = new Date(Math.min(below.getTime(), position.getTime() + MAX_PASS_MS));
    if (to.getTime() <= position.getTime()) return QUIET_MS;
    const window = { from: position, to };
    const current = await load(generation);
    const isWatched = (await watch?.refresh()) ?? false;
    const isNeeded = current.rules.size > 0 || isWatched;
    const { failed, isQuiet } = isNeeded ? await evaluate(window, current) : { failed: [], isQuiet: true };
    const exhausted = current.matcher.takeExhausted();
    logExhausted(exhausted);
    const silent = await stream.silentSources();
    const accounted = { failed: [...failed], capped: [...exhausted.keys()], silent: [...silent] };
    await stream.advance({ ...window, generation, ...accounted });
    // A stream that is behind does not wait.
    if (to < below) return 0;
    return isQuiet ? QUIET_MS : PASS_MS;
  }

  /** Throws if this worker cannot read logs, because it must not hold the lease that a healthy worker needs. */
  async function probe(): Promise<void> {
    const to = await watermark();
    const pages = logs.read({ from: new Date(to.getTime() - PROBE_MS), to })[Symbol.asyncIterator]();
    await pages.next();
    await pages.return?.();
    hasRead = true;
  }

  async function passOrWait(): Promise<number> {
    if (!(await isAllowed())) return IDLE_MS;
    if (!hasRead) await probe();
    const state = await stream.lead(worker, LEAD_SECONDS);
    if (!state) return IDLE_MS;
    return pass(state).catch(async (error: unknown) => {
      hasRead = false;
      await stream.resign(worker);
      throw error;
    });
  }

  const loop = createPollingLoop({
    round: passOrWait,
    waitMs: IDLE_MS,
    failure: "stream evaluation failed",
    clock,
    log,
  });

  return {
    start: () => loop.start(),

    async close(): Promise<void> {
      await loop.close();
      await stream
        .resign(worker)
        .catch((error: unknown) => log.warn({ err: error }, "releasing stream leadership failed"));
    },
  };
}

async function* splitPages(
  pages: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<readonly LogEvent[], void, undefined> {
  for await (const page of pages) {
    for (let place = 0; place < page.length; place += BATCH_SIZE) yield page.slice(place, place + BATCH_SIZE);
  }
}
