import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { listPartitionMeasures } from "./partition-measures.ts";

type PartitionCounts = Map<number, number>;

async function read(countWaiting: () => Promise<PartitionCounts>, owned: number | undefined) {
  const clock = createFakeClock();
  const measures = listPartitionMeasures({
    streams: { list: countWaiting },
    countWaiting,
    ownedCount: () => owned,
    clock,
  });
  const reading = Promise.all(
    measures.map(async (measure) => [measure.name, await Promise.resolve(measure.read()).catch(() => "failed")]),
  );
  await clock.advance(1500);
  return Object.fromEntries(await reading);
}

it("shows the waiting messages of each partition, and the partitions of this worker", async () => {
  const counted = async () =>
    new Map([
      [0, 7],
      [1, 0],
    ]);
  expect(await read(counted, 3)).toEqual({ stream_up: 1, stream_messages: { 0: 7, 1: 0 }, partitions_owned: 3 });
});

it("reports servers as down if they refuse or do not respond within 1.5 seconds", async () => {
  const refusing = () => Promise.reject(new Error("no servers"));
  expect(await read(refusing, undefined)).toEqual({
    stream_up: 0,
    stream_messages: "failed",
    partitions_owned: undefined,
  });
  const clock = createFakeClock();
  const hanging = () => new Promise<PartitionCounts>(() => undefined);
  const [up] = listPartitionMeasures({
    streams: { list: hanging },
    countWaiting: hanging,
    ownedCount: () => 0,
    clock,
  });
  const isUp = up?.read();
  await clock.advance(1500);
  expect(await isUp).toBe(0);
});
