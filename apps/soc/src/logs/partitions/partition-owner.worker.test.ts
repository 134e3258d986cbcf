import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { expect, it } from "vitest";
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

/** Reads one group after a gap; `handled` is what storing it says. */
async function readAfterGap(handled: number | undefined): Promise<string[]> {
  const errors: string[] = [];
  let reads = 0;
  let acquired = 0;
  const owner = createPartitionOwner({
    worker: "a",
    sources: [
      {
        readAfter: async () => ({
          async read() {
            reads += 1;
            return reads === 1 ? { events: [], to: "birth:9", hasGap: true } : undefined;
          },
          close: async () => undefined,
        }),
      },
    ],
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
      release: async () => undefined,
      retire: async () => undefined,
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
  await expect.poll(() => reads, { timeout: 5000 }).toBeGreaterThan(handled === undefined ? 0 : 1);
  await owner.close();
  return errors;
}

it("reports a gap in the stream as lost logs when it owns the partition, not when another worker has stored them", async () => {
  expect(await readAfterGap(10)).toEqual([LOST]);
  expect(await readAfterGap(undefined)).toEqual([]);
});
