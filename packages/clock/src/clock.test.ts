import { describe, expect, it } from "vitest";
import { createClock } from "./clock.ts";
import { countDown, MAX_TIMER_MS } from "./count-down.ts";
import { createFakeClock, createFakeIds } from "./fake.ts";
import { buildUuidv7, createIds } from "./ids.ts";

describe("clock", () => {
  it("sleeps at least as long as requested and rejects when aborted", async () => {
    const clock = createClock();
    const start = clock.monotonicMs();
    await clock.sleep(20);
    expect(clock.monotonicMs() - start).toBeGreaterThanOrEqual(19);
    await expect(clock.sleep(60_000, AbortSignal.abort())).rejects.toThrow(/abort/);
  });

  it("creates a deadline that aborts automatically", async () => {
    const clock = createClock();
    const deadline = clock.deadline(10);
    expect(deadline.aborted).toBe(false);
    await clock.sleep(30);
    expect(deadline.reason).toMatchObject({ name: "TimeoutError" });
  });
});

describe.each([2 ** 31, 2 ** 32, Number.POSITIVE_INFINITY])(
  "clock with a time of %d ms, longer than a timer supports",
  (ms) => {
    it("does not end a sleep early", async () => {
      const clock = createClock();
      const controller = new AbortController();
      const sleeping = clock.sleep(ms, controller.signal).then(() => "woken");
      expect(await Promise.race([sleeping, clock.sleep(30).then(() => "asleep")])).toBe("asleep");
      controller.abort();
      await expect(sleeping).rejects.toThrow(/abort/);
    });

    it("does not end a deadline early", async () => {
      const clock = createClock();
      const deadline = clock.deadline(ms);
      await clock.sleep(30);
      expect(deadline.aborted).toBe(false);
    });
  },
);

describe("countDown", () => {
  it.each([
    [0, [0]],
    [MAX_TIMER_MS, [MAX_TIMER_MS]],
    [MAX_TIMER_MS + 1, [MAX_TIMER_MS, 1]],
    [2 * MAX_TIMER_MS + 500, [MAX_TIMER_MS, MAX_TIMER_MS, 500]],
  ])("waits %d ms in parts that a timer supports", async (ms, parts) => {
    const waited: number[] = [];
    await countDown(ms, async (part) => void waited.push(part));
    expect(waited).toEqual(parts);
  });
});

describe("fake clock", () => {
  it("wakes sleepers in the order of their times, not of their calls", async () => {
    const clock = createFakeClock();
    const woken: string[] = [];
    const late = clock.sleep(2000).then(() => woken.push("late"));
    const early = clock.sleep(1000).then(() => woken.push("early"));
    await clock.advance(999);
    expect(woken).toEqual([]);
    await clock.advance(1001);
    expect(woken).toEqual(["early", "late"]);
    await Promise.all([late, early]);
  });

  it("wakes a sleeper that sleeps again while time passes", async () => {
    const clock = createFakeClock();
    let beats = 0;
    const beating = (async () => {
      for (; beats < 3; beats += 1) await clock.sleep(100);
    })();
    await clock.advance(300);
    await beating;
    expect(beats).toBe(3);
  });

  it("keeps monotonic time when the wall clock is set back", async () => {
    const clock = createFakeClock(new Date("2026-06-01T12:00:00Z"));
    await clock.advance(5000);
    clock.jumpTo(new Date("2026-06-01T03:00:00Z"));
    await clock.advance(1000);
    expect(clock.now().toISOString()).toBe("2026-06-01T03:00:01.000Z");
    expect(clock.monotonicMs()).toBe(6000);
  });

  it("aborts a sleep and a deadline like the real clock", async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const sleeping = clock.sleep(1000, controller.signal);
    controller.abort(new Error("stopped"));
    await expect(sleeping).rejects.toThrow("stopped");
    const deadline = clock.deadline(50);
    await clock.advance(50);
    expect(deadline.reason).toMatchObject({ name: "TimeoutError" });
  });
});

describe("ids", () => {
  it("sorts ids in creation order, within a millisecond and after the clock was set back", () => {
    let nowMs = Date.parse("2026-11-15T12:00:00Z");
    const ids = createIds({ now: () => new Date(nowMs) });
    const made = Array.from({ length: 10_000 }, (_, n) => {
      if (n === 9000) nowMs -= 60_000;
      return ids.next();
    });
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it("reproduces the example of RFC 9562, appendix A.6", () => {
    expect(buildUuidv7(0x017f22e279b0, "0cc318c4dc0c0c07398f")).toBe("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  });

  it("creates distinct ids sorted by time", async () => {
    const clock = createFakeClock();
    const ids = createIds(clock);
    const made: string[] = [];
    for (let i = 0; i < 100; i += 1) {
      made.push(ids.next());
      await clock.advance(1);
    }
    expect(new Set(made).size).toBe(100);
    expect(made.toSorted()).toEqual(made);
  });

  it("creates secrets of the requested size that never repeat", () => {
    const ids = createIds(createFakeClock());
    expect(ids.secret(32)).toHaveLength(32);
    expect(ids.secret(32)).not.toEqual(ids.secret(32));
    expect(createFakeIds().next()).toBe(createFakeIds().next());
  });
});
