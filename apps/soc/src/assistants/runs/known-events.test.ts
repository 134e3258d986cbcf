import { expect, it } from "vitest";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { SAMPLE_WORLD } from "../../../testing/situations/sample-intrusion.ts";
import { rememberEvents } from "./known-events.ts";

it("looks up each event once, even if it does not exist or another read has found it", async () => {
  const memory = createMemoryReader(SAMPLE_WORLD);
  const asked: string[][] = [];
  const reader = rememberEvents({
    ...memory,
    find: (log_ids) => {
      asked.push([...log_ids]);
      return memory.find(log_ids);
    },
  });
  const idsOf = async (log_ids: string[]) => (await reader.find(log_ids)).map(({ id }) => id);
  expect(await idsOf(["log-4", "missing", "log-1"])).toEqual(["log-4", "log-1"]);
  const span = { from: new Date("2026-05-01T08:00:00Z"), to: new Date("2026-05-01T10:00:00Z") };
  expect((await reader.ofUser("CORP\\ada", span, 100)).map(({ id }) => id)).toContain("log-2");
  expect(await idsOf(["log-2", "log-1", "missing", "log-6"])).toEqual(["log-2", "log-1", "log-6"]);
  expect(asked).toEqual([["log-4", "missing", "log-1"], ["log-6"]]);
});
