import { expect, it } from "vitest";
import { requireNoneBeyond } from "./log-partitions.ts";

it("refuses a number of partitions below one that still holds messages, and explains how to continue", () => {
  const counts = new Map([
    [0, 5],
    [11, 3],
  ]);
  expect(() => requireNoneBeyond(12, counts)).not.toThrow();
  expect(() => requireNoneBeyond(6, counts)).toThrow(
    "SOC_LOG_PARTITIONS: is 6, but the stream of partition 11 holds 3 messages; start with at least 12 until they are stored",
  );
});

it("accepts a smaller number if the streams beyond it are empty", () => {
  expect(() => requireNoneBeyond(6, new Map([[11, 0]]))).not.toThrow();
});
