import { assign } from "../../src/logs/partitions/assignment.ts";
import {
  acquire,
  type Holder,
  LEASE_MS,
  type PartitionState,
  release,
  renew,
} from "../../src/logs/partitions/partition-rules.ts";
import { createRandom } from "./random.ts";

interface Worker {
  name: string;
  held: Map<number, Holder>;
  /** When its next round begins. */
  dueMs: number;
}

/** The effects of a change of the workers until every share was equal again. */
export interface SettleResult {
  /** Partitions that changed their owner. */
  moved: number;
  /** Until all partitions were owned and the shares differed by at most one. */
  tookMs: number;
}

export interface WorkersOptions {
  workers: number;
  partitions: number;
  seed: number;
  /** Runs the rule, and may measure it. */
  measure: <Result>(rule: () => Result) => Result;
}

const ROUND_MS = 500;
const MAX_SETTLE_MS = 60_000;

/** Virtual workers on a simulated clock that run their rounds by the rules of the product. */
export function createWorkersWorld({ workers: count, partitions: size, seed, measure }: WorkersOptions) {
  const random = createRandom(seed);
  const partitions = Array.from({ length: size }, createPartition);
  const seenMs = new Map<string, number>();
  const workers: Worker[] = [];
  let nowMs = 0;
  let started = 0;

  function start(): void {
    workers.push({ name: `worker ${started}`, held: new Map(), dueMs: nowMs + random.between(1, ROUND_MS) });
    started += 1;
  }

  function renewAll({ held }: Worker): void {
    for (const [partition, holder] of held) {
      const renewed = renew(at(partition), holder, nowMs);
      if (renewed) partitions[partition] = renewed;
      else held.delete(partition);
    }
  }

  function takeRound(worker: Worker): void {
    worker.dueMs = nowMs + ROUND_MS;
    seenMs.set(worker.name, nowMs);
    renewAll(worker);
    const live = [...seenMs].flatMap(([name, atMs]) => (nowMs - atMs < LEASE_MS ? [name] : []));
    const owned = partitions.map(({ owner, leaseUntilMs }, partition) => ({
      partition,
      owner: nowMs < leaseUntilMs ? owner : undefined,
    }));
    const target = measure(() => assign(owned, live));
    for (const [partition, holder] of worker.held) {
      if (target.get(partition) === worker.name) continue;
      partitions[partition] = release(at(partition), holder, nowMs);
      worker.held.delete(partition);
    }
    for (const [partition, chosen] of target) if (chosen === worker.name) take(worker, partition);
  }

  function take(worker: Worker, partition: number): void {
    const taken = worker.held.has(partition) ? undefined : acquire(at(partition), worker.name, nowMs);
    if (!taken) return;
    partitions[partition] = taken;
    worker.held.set(partition, { worker: worker.name, epoch: taken.epoch });
  }

  function at(partition: number): PartitionState {
    return partitions[partition] ?? createPartition();
  }

  function step(): void {
    const next = workers.reduce((first, each) => (each.dueMs < first.dueMs ? each : first));
    nowMs = Math.max(nowMs, next.dueMs);
    takeRound(next);
  }

  function isSettled(): boolean {
    const shares = workers.map(({ held }) => held.size);
    return shares.reduce((sum, share) => sum + share, 0) === size && Math.max(...shares) - Math.min(...shares) <= 1;
  }

  /** Runs until every share is equal, and counts the moves since the change. */
  function settle(change: () => void): SettleResult {
    const before = partitions.map(({ owner }) => owner);
    const fromMs = nowMs;
    change();
    while (!isSettled()) {
      if (nowMs - fromMs > MAX_SETTLE_MS) throw new Error(`shares are not equal after ${MAX_SETTLE_MS} ms`);
      step();
    }
    return { moved: partitions.filter(({ owner }, place) => owner !== before[place]).length, tookMs: nowMs - fromMs };
  }

  return {
    startAll: (): SettleResult =>
      settle(() => {
        for (let n = 0; n < count; n += 1) start();
      }),
    join: (): SettleResult => settle(start),
    /** The worker ends without notice: its leases must expire first. */
    kill: (): SettleResult => settle(() => workers.splice(random.between(0, workers.length - 1), 1)),
    /** Runs while nothing changes; returns how many partitions moved. */
    idle(ms: number): number {
      const before = partitions.map(({ epoch }) => epoch);
      const untilMs = nowMs + ms;
      while (nowMs < untilMs) step();
      return partitions.filter(({ epoch }, place) => epoch !== before[place]).length;
    },
  };
}

function createPartition(): PartitionState {
  const none = { owner: undefined, claim: undefined, leaseUntilMs: 0, watermarkMs: 0 };
  return { ...none, epoch: 0, handled: "0", groups: 0 };
}
