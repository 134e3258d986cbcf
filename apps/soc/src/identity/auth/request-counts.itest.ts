import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createRequestCountsStore } from "./request-counts.store.ts";

const BUDGET = { name: "intake", limit: 600, windowMs: 60_000 };
const clock = createClock();
let platform: TestPlatform;

beforeAll(async () => {
  platform = await testPlatform("real", "fresh");
});
afterAll(() => platform.close());

it("allows exactly the limit over three processes that count in portions", async () => {
  const counted = await Promise.all(
    [1, 2, 3].map(() => {
      const counts = createRequestCountsStore(platform.db, clock);
      return Promise.all(Array.from({ length: 400 }, () => counts.countInPortions(BUDGET, "key:a")));
    }),
  );
  const allowed = counted.flat().filter(({ waitMs }) => waitMs === 0);
  const refused = counted.flat().filter(({ waitMs }) => waitMs > 0);
  expect(allowed).toHaveLength(BUDGET.limit);
  expect(refused).toHaveLength(600);
  for (const { waitMs, remaining } of refused) {
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(remaining).toBe(0);
  }
});

it("takes a portion of one hundredth from the shared count, and a new portion in the next window", async () => {
  const short = { ...BUDGET, name: "short", windowMs: 500 };
  const counts = createRequestCountsStore(platform.db, clock);
  for (const _window of [1, 2]) {
    expect(await counts.countInPortions(short, "key:b")).toMatchObject({ waitMs: 0, remaining: 599 });
    expect(await counts.countInPortions(short, "key:b")).toMatchObject({ waitMs: 0, remaining: 598 });
    expect(await counts.left([short], "key:b")).toMatchObject([{ remaining: 594 }]);
    await clock.sleep(600);
  }
});

it("counts single requests beside portions of the same client", async () => {
  const counts = createRequestCountsStore(platform.db, clock);
  expect(await counts.count(BUDGET, "key:c")).toMatchObject({ waitMs: 0, remaining: 599 });
  expect(await counts.countInPortions(BUDGET, "key:c")).toMatchObject({ waitMs: 0, remaining: 598 });
  expect(await counts.count(BUDGET, "key:c")).toMatchObject({ waitMs: 0, remaining: 592 });
});
