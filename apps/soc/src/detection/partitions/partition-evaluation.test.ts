import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { EMPTY_LOG } from "../../ports/log-event.ts";
import { createPartitionEvaluation } from "./partition-evaluation.ts";

it("raises nothing while the clock of the host is wrong, and everything once it is right again", async () => {
  let isRight = false;
  const seen: string[] = [];
  const evaluation = createPartitionEvaluation({
    stream: { generation: async () => "1" },
    rules: { raise: async () => undefined },
    watch: {
      refresh: async () => true,
      onLogs: async (logs) => {
        seen.push(...logs.map(({ id }) => id));
      },
    },
    listStreaming: async () => [],
    listScheduled: async () => [],
    requireClock() {
      if (!isRight)
        throw new Problem("unavailable", "the clock of this host differs from the database clock by 300000 ms");
    },
    clock: createClock(),
    log: silentLog,
  });
  const logs = [{ ...EMPTY_LOG, id: "a", ingested_at: "2026-11-18T10:00:00.000Z" }];
  const evaluate = () => evaluation.evaluate(0, { generation: "1", floorMs: 0 }, logs);
  await expect(evaluate()).rejects.toThrow("the clock of this host");
  expect(seen).toEqual([]);
  isRight = true;
  expect(await evaluate()).toEqual({ failed: [], capped: [] });
  expect(seen).toEqual(["a"]);
});
