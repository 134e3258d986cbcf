import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeDueWindow, groupIntoBatches, type Schedule, windowEndAfter } from "./schedule.ts";

const at = (time: string) => new Date(`2026-11-15T${time}Z`);

describe("windowEndAfter", () => {
  it.each([
    ["10:00:00.000", 1, "10:01:00.000"],
    ["10:00:59.999", 1, "10:01:00.000"],
    ["10:02:30.000", 5, "10:05:00.000"],
    ["10:05:00.000", 5, "10:10:00.000"],
    ["10:59:59.999", 60, "11:00:00.000"],
  ])("ends a window from %s with an interval of %i minutes at %s", (from, minutes, end) => {
    expect(windowEndAfter(at(from), minutes)).toEqual(at(end));
  });
});

describe("the window of a due rule", () => {
  const schedule: Schedule = {
    rule_id: "a",
    interval_minutes: 5,
    window_from: at("10:00:00.000"),
    next_run_at: at("10:05:00.000"),
  };

  it("ends the window of a due rule when the rule is due, not at the watermark", () => {
    expect(computeDueWindow(schedule, at("10:07:00.000"))).toEqual({
      rule_id: "a",
      from: at("10:00:00.000"),
      to: at("10:05:00.000"),
      next_run_at: at("10:10:00.000"),
    });
  });

  it("merges missed windows", () => {
    const { from, to, next_run_at } = computeDueWindow(schedule, at("10:21:00.000"));
    expect([from, to, next_run_at]).toEqual([at("10:00:00.000"), at("10:20:00.000"), at("10:25:00.000")]);
  });

  it("merges no more than one hour", () => {
    expect(computeDueWindow(schedule, at("19:00:00.000")).to).toEqual(at("11:00:00.000"));
  });

  it("allows a window longer than an hour if the interval is", () => {
    const daily = { ...schedule, interval_minutes: 1440, next_run_at: new Date("2026-11-16T00:00:00Z") };
    expect(computeDueWindow(daily, new Date("2026-11-16T00:00:01Z")).to).toEqual(new Date("2026-11-16T00:00:00Z"));
  });

  it("leaves no gap, overlaps nothing and stays below the watermark, for any delays", () => {
    const delays = fc.array(fc.integer({ min: 0, max: 5 * 60 * 60_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_080 }),
        fc.integer({ min: 0, max: 1e9 }),
        delays,
        (minutes, start, waits) => {
          const began = new Date(at("00:00:00.000").getTime() + start);
          let current: Schedule = {
            rule_id: "a",
            interval_minutes: minutes,
            window_from: began,
            next_run_at: windowEndAfter(began, minutes),
          };
          let watermark = began.getTime();
          for (const wait of waits) {
            watermark += wait;
            while (current.next_run_at.getTime() <= watermark) {
              const window = computeDueWindow(current, new Date(watermark));
              expect(window.from).toEqual(current.window_from);
              expect(window.to.getTime()).toBeGreaterThan(window.from.getTime());
              expect(window.to.getTime()).toBeLessThanOrEqual(watermark);
              expect(window.to.getTime() % (minutes * 60_000)).toBe(0);
              current = { ...current, window_from: window.to, next_run_at: window.next_run_at };
            }
          }
        },
      ),
    );
  });
});

describe("batches", () => {
  const due = (rule_id: string, to = "10:05:00.000") => ({
    rule_id,
    from: at("10:00:00.000"),
    to: at(to),
    next_run_at: at("11:00:00.000"),
  });
  const names = Array.from({ length: 120 }, (_, n) => `rule${String(n).padStart(3, "0")}`);

  it("puts at most fifty rules into a batch, all with the same window", () => {
    const batches = groupIntoBatches([...names.map((name) => due(name)), due("other", "10:10:00.000")]);
    expect(batches.map(({ rule_ids }) => rule_ids.length)).toEqual([50, 50, 20, 1]);
    expect(batches.flatMap(({ rule_ids }) => rule_ids)).toEqual([...names, "other"]);
    expect(new Set(batches.map(({ id }) => id)).size).toBe(4);
  });

  it("gives batches the same ids for any order of the rules", () => {
    const ids = (order: readonly string[]) => groupIntoBatches(order.map((name) => due(name))).map(({ id }) => id);
    expect(ids(names.toReversed())).toEqual(ids(names));
  });
});
