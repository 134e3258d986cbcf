import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { StreamReader, StreamSource } from "../../foundation/events/event-stream.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { StoreAlarm } from "../intake/pipeline/store-alarm.ts";
import { assign } from "./assignment.ts";
import type { LogEvaluation } from "./evaluation.ts";
import type { NamesStore } from "./names.store.ts";
import { isBug, type PartitionGroup } from "./partition-group.ts";
import type { Holder, PartitionState } from "./partition-rules.ts";
import type { PartitionsStore, Round } from "./partitions.store.ts";

export interface PartitionOwnerDeps {
  /** Unique to this process. */
  worker: string;
  sources: readonly Pick<StreamSource, "readAfter">[];
  /** Resolves when all streams and their rows exist. */
  prepare: () => Promise<void>;
  store: Pick<PartitionsStore, "report" | "acquire" | "release" | "retire" | "hasWorkers">;
  group: PartitionGroup;
  evaluation: Pick<LogEvaluation, "onRenewed">;
  names: Pick<NamesStore, "sweep">;
  alarm: StoreAlarm;
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "info" | "warn" | "error">;
}

interface HeldPartition {
  holder: Holder;
  leaseUntilMs: number;
  /** Ends the reading after the group in progress. */
  closing: AbortController;
  running: Promise<void>;
  failingSinceMs: number | undefined;
}

const ROUND_MS = 500;
/** Twenty messages: about ten thousand logs if senders send large batches. */
const EVENTS_BATCH_SIZE = 2000;
/** Small groups cost the log store more, so a partition that keeps up handles one group per interval. */
const GROUP_MS = 500;
const LARGE_GROUP = 2000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;
/** About a minute, including the pauses between attempts. */
const MAX_BUGS = 10;
/**
 * A worker that cannot store logs for this long releases its partitions, and returns after the same time, or when there
 * are no other workers.
 */
const FAILING_MS = 15_000;
const SWEEP_ROUNDS = 120;

/**
 * Owns partitions: reads their streams, stores and evaluates logs, and raises alerts. All workers share the rule that
 * decides the owners in each round; the lease in the database prevents two owners of one partition.
 */
export function createPartitionOwner(deps: PartitionOwnerDeps) {
  const { worker, sources, prepare, store, group, evaluation, names, alarm, isAllowed, clock, log } = deps;
  const held = new Map<number, HeldPartition>();
  let isPrepared = false;
  let withdrawnUntilMs = 0;

  /**
   * A failed reader is reopened, so that a connection that stalls for seconds does not cost the partition its owner.
   */
  async function follow(partition: number, own: HeldPartition, state: PartitionState): Promise<void> {
    const { signal } = own.closing;
    let next: Next | undefined = { handled: state.handled, claimedTo: state.claim?.to, isLarge: true };
    let waitMs = FIRST_RETRY_MS;
    async function readOn(from: Next): Promise<void> {
      next = from;
      const reader = await sources[partition]?.readAfter(from.handled, signal);
      if (!reader) return;
      try {
        while (next && !signal.aborted) {
          next = await takeGroup(partition, own, reader, next);
          waitMs = FIRST_RETRY_MS;
        }
      } finally {
        await reader.close();
      }
    }
    while (next && !signal.aborted) {
      await readOn(next).catch(async (error: unknown) => {
        own.failingSinceMs ??= clock.monotonicMs();
        log.warn({ err: error, partition, wait_ms: waitMs }, "reading a partition failed, retrying");
        await clock.sleep(waitMs, signal).catch(() => undefined);
        waitMs = Math.min(2 * waitMs, LAST_RETRY_MS);
      });
    }
  }

  /** Undefined if this worker no longer owns the partition. */
  async function takeGroup(
    partition: number,
    own: HeldPartition,
    reader: StreamReader,
    next: Next,
  ): Promise<Next | undefined> {
    const { signal } = own.closing;
    const { handled, claimedTo, isLarge } = next;
    if (!isLarge) await clock.sleep(GROUP_MS, signal).catch(() => undefined);
    const read = await reader.read({ most: EVENTS_BATCH_SIZE, upTo: claimedTo });
    own.failingSinceMs = undefined;
    if (!read || signal.aborted) return next;
    const ready = { partition, from: handled, to: claimedTo ?? read.to, events: read.events };
    const logs = await deliver(own, { ...ready, isAgain: claimedTo !== undefined });
    if (logs === undefined) return undefined;
    // Only an owner may report this: after a freeze, the messages that another worker has stored are missing here as
    // well.
    if (read.hasGap) log.error({ partition, from: handled }, "stream events were deleted before they were stored");
    return { handled: read.to, claimedTo: undefined, isLarge: logs >= LARGE_GROUP };
  }

  /** Retries until the group is settled; undefined if this worker no longer owns the partition, or is closing. */
  async function deliver(own: HeldPartition, ready: Ready): Promise<number | undefined> {
    const { signal } = own.closing;
    let { isAgain } = ready;
    let bugs = 0;
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
      const tried = await attempt(own, { ...ready, isAgain, isLastTry: bugs >= MAX_BUGS });
      if (!(tried instanceof Error)) return tried;
      isAgain = true;
      if (isBug(tried)) bugs += 1;
      log.warn({ err: tried, partition: ready.partition, wait_ms: waitMs }, "storing a group failed, retrying");
      await alarm.failed(tried);
      await clock.sleep(waitMs, signal).catch(() => undefined);
      if (signal.aborted) return undefined;
    }
  }

  async function attempt(
    own: HeldPartition,
    ready: Ready & { isLastTry: boolean },
  ): Promise<number | Error | undefined> {
    try {
      const logs = await group.handle({ ...ready, holder: own.holder, leaseUntilMs: () => own.leaseUntilMs });
      alarm.passed();
      own.failingSinceMs = undefined;
      return logs;
    } catch (error) {
      own.failingSinceMs ??= clock.monotonicMs();
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  function begin(partition: number, state: PartitionState): void {
    const own: HeldPartition = {
      holder: { worker, epoch: state.epoch },
      leaseUntilMs: state.leaseUntilMs,
      closing: new AbortController(),
      running: Promise.resolve(),
      failingSinceMs: undefined,
    };
    held.set(partition, own);
    log.info({ partition, epoch: state.epoch, isResumed: state.claim !== undefined }, "partition acquired");
    own.running = follow(partition, own, state)
      .catch((error: unknown) => log.warn({ err: error, partition }, "reading a partition failed"))
      .then(() => end(partition, own));
  }

  /** The partition is free for the next owner as soon as its group in progress has ended. */
  async function end(partition: number, own: HeldPartition): Promise<void> {
    if (held.get(partition) !== own) return;
    held.delete(partition);
    await store
      .release(partition, own.holder)
      .catch((error: unknown) => log.warn({ err: error, partition }, "releasing a partition failed"));
  }

  function lose(partition: number, own: HeldPartition): void {
    held.delete(partition);
    own.closing.abort();
    log.warn({ partition, epoch: own.holder.epoch }, "partition lost");
  }

  /** Whether this worker cannot do its work although others may be able to. */
  function isFailing(workers: readonly string[]): boolean {
    if (workers.length < 2) return false;
    const nowMs = clock.monotonicMs();
    return [...held.values()].some(({ failingSinceMs }) => nowMs - (failingSinceMs ?? nowMs) > FAILING_MS);
  }

  async function leaveAll(): Promise<void> {
    for (const { closing } of held.values()) closing.abort();
    await Promise.all([...held.values()].map(({ running }) => running));
    await store.retire(worker);
  }

  async function report() {
    const holders = new Map([...held].map(([partition, { holder }]) => [partition, holder]));
    const round = await store.report(worker, holders, (tx, renewed) => evaluation.onRenewed(tx, renewed));
    for (const [partition, holder] of holders) {
      const own = held.get(partition);
      if (own?.holder !== holder) continue;
      const renewed = round.renewed.get(partition);
      if (renewed) own.leaseUntilMs = renewed.leaseUntilMs;
      else lose(partition, own);
    }
    return round;
  }

  async function takeShare({ owned, workers }: Round, closing: AbortSignal): Promise<void> {
    const target = assign(owned, workers);
    for (const [partition, { closing: own }] of held) if (target.get(partition) !== worker) own.abort();
    for (const [partition, chosen] of target) {
      if (chosen !== worker || held.has(partition) || closing.aborted) continue;
      const state = await store.acquire(partition, worker);
      if (state) begin(partition, state);
    }
  }

  async function takeRound(turn: number, closing: AbortSignal): Promise<void> {
    if (!(await isAllowed())) return leaveAll();
    // The failure may affect every worker: if all have left, or the last one was killed, this worker tries again.
    if (clock.monotonicMs() < withdrawnUntilMs && (await store.hasWorkers())) return;
    withdrawnUntilMs = 0;
    if (!isPrepared) await prepare();
    isPrepared = true;
    const round = await report();
    if (isFailing(round.workers)) {
      log.error({}, "this worker cannot store logs; releasing its partitions");
      withdrawnUntilMs = clock.monotonicMs() + FAILING_MS;
      return leaveAll();
    }
    await takeShare(round, closing);
    if (turn % SWEEP_ROUNDS === SWEEP_ROUNDS - 1) for (const partition of held.keys()) await names.sweep(partition);
  }

  const loop = createPollingLoop({
    round: takeRound,
    waitMs: 0,
    apartMs: ROUND_MS,
    failure: "partitions not renewed",
    clock,
    log,
  });

  return {
    ownedCount: () => held.size,

    start: () => loop.start(),

    async close(): Promise<void> {
      await loop.close();
      await leaveAll().catch((error: unknown) => log.warn({ err: error }, "releasing all partitions failed"));
    },
  };
}

/** The start of the next group. */
interface Next {
  handled: string;
  /** The end of the group that a previous owner has claimed. */
  claimedTo: string | undefined;
  /** Whether the last group was large; the next one is then read at once. */
  isLarge: boolean;
}

interface Ready {
  partition: number;
  from: string;
  to: string;
  events: Parameters<PartitionGroup["handle"]>[0]["events"];
  isAgain: boolean;
}
