import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { expect, it } from "vitest";
import type { StreamReader } from "../../foundation/events/event-stream.ts";
import { createPartitionOwner } from "./partition-owner.worker.ts";
import type { PartitionState } from "./partition-rules.ts";

const LOST = "stream events were deleted before they were stored";
const STATE: PartitionState = {
  epoch: 1,
  owner: "a",
  leaseUntilMs: Number.MAX_SAFE_INTEGER,
  watermarkMs: 0,
  handled: "birth:5",
  groups: 0,
  claim: undefined,
};

interface WorkerOptions {
  readAfter: (place: string) => Promise<StreamReader>;
  handled: number | undefined;
  released?: () => void;
  errors?: string[];
}

/** Starts an owner of the only partition; `handled` returns the result of storing a group. */
function startOwner({ readAfter, handled, released = () => undefined, errors = [] }: WorkerOptions) {
  let acquired = 0;
  const owner = createPartitionOwner({
    worker: "a",
    sources: [{ readAfter }],
    prepare: async () => undefined,
    store: {
      report: async () => ({
        owned: [{ partition: 0, owner: undefined }],
        workers: ["a"],
        renewed: new Map([[0, STATE]]),
      }),
      async acquire() {
        acquired += 1;
        return acquired === 1 ? STATE : undefined;
      },
      release: async () => released(),
      retire: async () => undefined,
      hasWorkers: async () => true,
    },
    group: { handle: async () => handled },
    evaluation: { onRenewed: async () => undefined },
    names: { sweep: async () => 0 },
    alarm: { failed: async () => undefined, passed: () => undefined },
    isAllowed: async () => true,
    clock: createClock(),
    log: { ...silentLog, error: (_fields, message) => void errors.push(message) },
  });
  owner.start();
  return owner;
}

async function readAfterGap(handled: number | undefined): Promise<string[]> {
  const errors: string[] = [];
  let reads = 0;
  const reader: StreamReader = {
    async read() {
      reads += 1;
      return reads === 1 ? { events: [], to: "birth:9", hasGap: true } : undefined;
    },
    close: async () => undefined,
  };
  const owner = startOwner({ readAfter: async () => reader, handled, errors });
  await expect.poll(() => reads, { timeout: 5000 }).toBeGreaterThan(handled === undefined ? 0 : 1);
  await owner.close();
  return errors;
}

it("reports a gap in the stream as lost logs if it owns the partition, but not if another worker has stored them", async () => {
  expect(await readAfterGap(10)).toEqual([LOST]);
  expect(await readAfterGap(undefined)).toEqual([]);
});

it("reopens a failed reader at the same place, and remains the owner", async () => {
  const places: string[] = [];
  let reads = 0;
  let releases = 0;
  const reader: StreamReader = {
    async read() {
      reads += 1;
      if (reads === 1) return { events: [], to: "birth:9", hasGap: false };
      if (reads === 2) throw new Error("heartbeats missed");
      return undefined;
    },
    close: async () => undefined,
  };
  const owner = startOwner({
    async readAfter(place) {
      places.push(place);
      return reader;
    },
    handled: 10,
    released: () => {
      releases += 1;
    },
  });
  await expect.poll(() => reads, { timeout: 5000 }).toBeGreaterThan(2);
  expect({ places, releases }).toEqual({ places: ["birth:5", "birth:9"], releases: 0 });
  await owner.close();
});

it("releases its partitions while it cannot store logs, and returns at once if there are no other workers", async () => {
  const clock = createFakeClock();
  const workers = ["a", "b"];
  let acquired = 0;
  let released = 0;
  const reader: StreamReader = {
    read: async () => ({ events: [], to: "birth:9", hasGap: false }),
    close: async () => undefined,
  };
  const owner = createPartitionOwner({
    worker: "a",
    sources: [{ readAfter: async () => reader }],
    prepare: async () => undefined,
    store: {
      report: async (_worker, held) => ({
        owned: [{ partition: 0, owner: held.size > 0 ? "a" : undefined }],
        workers,
        renewed: new Map([...held.keys()].map((partition) => [partition, STATE])),
      }),
      async acquire() {
        acquired += 1;
        return STATE;
      },
      async release() {
        released += 1;
      },
      retire: async () => undefined,
      hasWorkers: async () => workers.length > 1,
    },
    group: { handle: () => Promise.reject(new Error("the log store does not answer")) },
    evaluation: { onRenewed: async () => undefined },
    names: { sweep: async () => 0 },
    alarm: { failed: async () => undefined, passed: () => undefined },
    isAllowed: async () => true,
    clock,
    log: silentLog,
  });
  const pass = async (seconds: number) => {
    for (let n = 0; n < seconds * 10; n += 1) await clock.advance(100);
  };
  owner.start();
  await pass(14);
  expect([acquired, released]).toEqual([1, 0]);
  await pass(10);
  expect([acquired, released]).toEqual([1, 1]);
  workers.pop();
  await pass(1);
  expect(acquired).toBe(2);
  const closing = owner.close();
  await pass(10);
  await closing;
});
