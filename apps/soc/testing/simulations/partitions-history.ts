import { assign } from "../../src/logs/partitions/assignment.ts";
import {
  acquire,
  claimGroup,
  type Holder,
  LEASE_MS,
  type PartitionState,
  release,
  renew,
  settle,
  toNotAfterMs,
} from "../../src/logs/partitions/partition-rules.ts";
import { createRandom, type Random } from "./random.ts";
import { createSimulatedStore, type SimulatedInsert, type SimulatedStore } from "./simulated-store.ts";

/** The work of a worker on one of its partitions. */
type Work =
  | { step: "idle" }
  | { step: "claimed"; stampMs: number; last: number; isAgain: boolean }
  | { step: "storing"; stampMs: number; last: number; sinceMs: number; isStored: boolean }
  | { step: "stored"; last: number };

interface HeldPartition {
  holder: Holder;
  leaseUntilMs: number;
  work: Work;
}

interface Host {
  worker: string;
  held: Map<number, HeldPartition>;
  tickedMs: number;
  /** Does nothing until then, without noticing it. */
  frozenUntilMs: number;
  /** None of its messages arrives until then. */
  cutUntilMs: number;
  /** A killed process forgets everything. */
  deadUntilMs: number;
}

/** The problems of a history; empty if all rules held. */
export interface HistoryResult {
  problems: string[];
  handled: number;
  takeovers: number;
  refusals: number;
}

const TICK_MS = 1000;
const ANSWER_MS = 4000;
const DISTURBED_MS = 20_000;
/** A lease, plus two rounds of the worker that takes over. */
const OWNED_AGAIN_MS = LEASE_MS + 2 * TICK_MS + 500;
const MAX_DRAIN_MS = 120_000;
const MAX_GROUP = 20;

/**
 * Hosts that start, stop, freeze, lose the network and return with stale leases. The same seed gives the same history.
 */
export function simulatePartitions(seed: number): HistoryResult {
  const world = createWorld(createRandom(seed));
  while (world.nowMs() < DISTURBED_MS) world.step(true);
  const quietMs = world.nowMs();
  while (!world.isDrained() && world.nowMs() < quietMs + MAX_DRAIN_MS) world.step(false);
  const drainedMs = world.nowMs();
  while (world.nowMs() < drainedMs + OWNED_AGAIN_MS) world.step(false);
  world.requireWhole();
  return world.result();
}

function createWorld(random: Random) {
  const problems: string[] = [];
  const counts = { takeovers: 0, refusals: 0 };
  const partitions = Array.from({ length: random.between(1, 4) }, createPartition);
  const published = partitions.map(() => 0);
  const raised = partitions.map(() => new Set<number>());
  const ownedMs = partitions.map(() => 0);
  const seenMs = new Map<string, number>();
  const hosts = Array.from({ length: random.between(2, 4) }, (_, place) => createHost(`host ${place}`));
  const store: SimulatedStore = createSimulatedStore(random, checkWatermark);
  let nowMs = 0;
  let closedMs = 0;

  /** Windows close below the lowest watermark: no log may be stored there afterwards. */
  function checkWatermark({ partition, stampMs }: SimulatedInsert): void {
    if (stampMs < closedMs) problems.push(`partition ${partition}: a log below the closed windows`);
  }

  function tick(host: Host): void {
    host.tickedMs = nowMs;
    seenMs.set(host.worker, nowMs);
    for (const [partition, held] of host.held) renewOne(host, partition, held);
    const live = [...seenMs].flatMap(([worker, atMs]) => (nowMs - atMs < LEASE_MS ? [worker] : []));
    const owned = partitions.map(({ owner, leaseUntilMs }, partition) => ({
      partition,
      owner: nowMs < leaseUntilMs ? owner : undefined,
    }));
    const target = assign(owned, live);
    for (const [partition, { holder, work }] of host.held) {
      if (target.get(partition) === host.worker || work.step !== "idle") continue;
      partitions[partition] = release(at(partition), holder, nowMs);
      host.held.delete(partition);
    }
    for (const [partition, worker] of target) if (worker === host.worker) acquireOne(host, partition);
  }

  function renewOne(host: Host, partition: number, held: HeldPartition): void {
    const renewed = renew(at(partition), held.holder, nowMs);
    if (!renewed) {
      counts.refusals += 1;
      host.held.delete(partition);
      return;
    }
    partitions[partition] = renewed;
    held.leaseUntilMs = renewed.leaseUntilMs;
  }

  function acquireOne(host: Host, partition: number): void {
    if (host.held.has(partition)) return;
    const taken = acquire(at(partition), host.worker, nowMs);
    if (!taken) return;
    partitions[partition] = taken;
    counts.takeovers += 1;
    const { claim } = taken;
    const work: Work = claim
      ? { step: "claimed", stampMs: claim.stampMs, last: Number(claim.to), isAgain: true }
      : { step: "idle" };
    const holder = { worker: host.worker, epoch: taken.epoch };
    host.held.set(partition, { holder, leaseUntilMs: taken.leaseUntilMs, work });
  }

  function at(partition: number): PartitionState {
    return partitions[partition] ?? createPartition();
  }

  function work(host: Host, partition: number, held: HeldPartition): void {
    const { step } = held.work;
    if (step === "idle") begin(host, partition, held);
    else if (held.work.step === "claimed") send(host, partition, held, held.work);
    else if (held.work.step === "storing") wait(held, held.work);
    else if (held.work.step === "stored") end(host, partition, held, held.work.last);
  }

  function begin(host: Host, partition: number, held: HeldPartition): void {
    const state = at(partition);
    const last = Math.min(published[partition] ?? 0, Number(state.handled) + random.between(1, MAX_GROUP));
    if (last <= Number(state.handled) || nowMs < host.cutUntilMs) return;
    const claimed = claimGroup(state, held.holder, { to: String(last), floorMs: 0 }, nowMs);
    if (!claimed) {
      lose(host, partition);
      return;
    }
    partitions[partition] = claimed;
    held.work = { step: "claimed", stampMs: claimed.claim.stampMs, last, isAgain: false };
  }

  /** The request may be lost, or arrive late: the process can freeze at any moment, even between two bytes. */
  function send(
    host: Host,
    partition: number,
    held: HeldPartition,
    { stampMs, last, isAgain }: Work & { step: "claimed" },
  ): void {
    const first = Number(at(partition).handled) + 1;
    if (isAgain && store.isStored(partition, first)) {
      held.work = { step: "stored", last };
      return;
    }
    const waiting = { step: "storing" as const, stampMs, last, sinceMs: nowMs, isStored: false };
    held.work = waiting;
    if (nowMs < host.cutUntilMs) return;
    const token = `${partition} ${first} ${last}`;
    const insert = { partition, first, last, stampMs, token, notAfterMs: toNotAfterMs(held.leaseUntilMs) };
    const arrives = () =>
      store.insert(insert, nowMs, () => {
        waiting.isStored = true;
      });
    if (random.isOneIn(8)) late.push({ atMs: nowMs + random.between(0, 15_000), run: arrives });
    else arrives();
  }
  const late: { atMs: number; run: () => void }[] = [];

  function wait(held: HeldPartition, waiting: Work & { step: "storing" }): void {
    const { stampMs, last } = waiting;
    if (waiting.isStored) held.work = { step: "stored", last };
    else if (nowMs - waiting.sinceMs > ANSWER_MS) held.work = { step: "claimed", stampMs, last, isAgain: true };
  }

  function end(host: Host, partition: number, held: HeldPartition, last: number): void {
    if (nowMs < host.cutUntilMs) return;
    const state = at(partition);
    // Raising is idempotent and therefore not fenced.
    for (let place = Number(state.handled) + 1; place <= last; place += 1) {
      if (store.isStored(partition, place)) raised[partition]?.add(place);
    }
    const settled = settle(state, held.holder, nowMs);
    if (!settled) {
      lose(host, partition);
      return;
    }
    for (let place = Number(state.handled) + 1; place <= last; place += 1) {
      if (!store.isStored(partition, place)) problems.push(`partition ${partition}: ${place} settled, not stored`);
    }
    partitions[partition] = settled;
    held.work = { step: "idle" };
  }

  function lose(host: Host, partition: number): void {
    counts.refusals += 1;
    host.held.delete(partition);
  }

  function disturb(): void {
    const host = hosts[random.between(0, hosts.length - 1)];
    if (!host || !random.isOneIn(10)) return;
    const untilMs = nowMs + random.between(100, 10_000);
    const kind = random.between(0, 2);
    if (kind === 0) host.frozenUntilMs = untilMs;
    else if (kind === 1) host.cutUntilMs = untilMs;
    else {
      host.deadUntilMs = untilMs;
      host.held.clear();
    }
  }

  /** While no host is disturbed, no partition is without an owner for longer than the limit. */
  function checkOwners(isDisturbed: boolean): void {
    for (const [partition, { owner, leaseUntilMs }] of partitions.entries()) {
      if (isDisturbed || (owner !== undefined && nowMs < leaseUntilMs)) ownedMs[partition] = nowMs;
      else if (nowMs - (ownedMs[partition] ?? 0) > OWNED_AGAIN_MS)
        problems.push(`partition ${partition}: has no owner`);
    }
  }

  function checkLog(partition: number, place: number): void {
    const copies = store.copies.get(`${partition}:${place}`) ?? 0;
    if (copies !== 1) problems.push(`partition ${partition}: ${place} is stored ${copies} times`);
    if (!raised[partition]?.has(place)) problems.push(`partition ${partition}: ${place} was not evaluated`);
  }

  function heal(): void {
    for (const host of hosts) {
      host.frozenUntilMs = 0;
      host.cutUntilMs = 0;
      host.deadUntilMs = 0;
    }
  }

  function stepHost(host: Host): void {
    if (nowMs < host.frozenUntilMs || nowMs < host.deadUntilMs) return;
    if (nowMs - host.tickedMs >= TICK_MS && nowMs >= host.cutUntilMs) tick(host);
    for (const [partition, held] of host.held) work(host, partition, held);
  }

  return {
    nowMs: () => nowMs,

    step(isDisturbed: boolean): void {
      nowMs += random.between(40, 400);
      if (isDisturbed) disturb();
      else heal();
      checkOwners(isDisturbed);
      const partition = random.between(0, partitions.length - 1);
      if (isDisturbed && random.isOneIn(2)) published[partition] = (published[partition] ?? 0) + 1;
      for (const { run } of late.filter(({ atMs }) => atMs <= nowMs)) run();
      late.splice(0, late.length, ...late.filter(({ atMs }) => atMs > nowMs));
      store.runUntil(nowMs);
      for (const host of hosts) stepHost(host);
      closedMs = Math.max(closedMs, Math.min(...partitions.map(({ watermarkMs }) => watermarkMs)));
      if (closedMs > nowMs + 1) problems.push("a watermark is ahead of the clock");
    },

    isDrained: () =>
      late.length === 0 &&
      store.isIdle() &&
      partitions.every(({ handled, claim }, place) => !claim && Number(handled) === published[place]),

    requireWhole(): void {
      for (const [partition, last] of published.entries()) {
        for (let place = 1; place <= last; place += 1) checkLog(partition, place);
        const holders = hosts.filter(({ held }) => held.has(partition));
        if (holders.length !== 1) problems.push(`partition ${partition}: ${holders.length} workers hold it`);
        if (nowMs - at(partition).watermarkMs > 2 * TICK_MS)
          problems.push(`partition ${partition}: holds windows back`);
      }
    },

    result: (): HistoryResult => ({
      problems,
      ...counts,
      handled: partitions.reduce((sum, { groups }) => sum + groups, 0),
    }),
  };
}

function createPartition(): PartitionState {
  const none = { owner: undefined, claim: undefined, leaseUntilMs: 0, watermarkMs: 0 };
  return { ...none, epoch: 0, handled: "0", groups: 0 };
}

function createHost(worker: string): Host {
  const undisturbed = { frozenUntilMs: 0, cutUntilMs: 0, deadUntilMs: 0 };
  return { worker, held: new Map(), tickedMs: -TICK_MS, ...undisturbed };
}
