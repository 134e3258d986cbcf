import { describe, expect, it } from "vitest";
import { buildRanCoverage, type Coverage, computeAccount, computeTransition, type OwnedRule } from "./accounting.ts";

const at = (time: string) => new Date(`2026-11-15T${time}Z`);

const rule: OwnedRule = {
  rule_id: "a",
  version: 1,
  owner: "stream",
  interval_minutes: 5,
  source: "",
  changed_at: at("10:00:00"),
};
const scheduled: OwnedRule = { ...rule, owner: "schedule" };

const sumAccount = (coverage: Coverage, waiting_s: number, position: Date, now: Date) => {
  const { total_s, ran_s, late_s, skipped_s, capped_s, silent_s } = computeAccount(coverage, waiting_s, position, now);
  return { total_s, sum: ran_s + late_s + skipped_s + capped_s + silent_s };
};

describe("a new rule", () => {
  it("gives a scheduled rule its first window from its creation to the next multiple of its interval", () => {
    const { coverage, backfill } = computeTransition(
      undefined,
      { ...scheduled, changed_at: at("10:02:00") },
      at("10:02:01"),
    );
    expect(coverage).toMatchObject({ window_from: at("10:02:00"), next_run_at: at("10:05:00") });
    expect(backfill).toBeUndefined();
  });

  it("gives a streaming rule a backfill from its creation to the stream's position", () => {
    const { coverage, backfill } = computeTransition(undefined, rule, at("10:00:02"));
    expect(coverage).toMatchObject({ window_from: at("10:00:02"), next_run_at: null });
    expect(backfill).toEqual({
      rule_id: "a",
      reason: "changed",
      from: at("10:00:00"),
      to: at("10:00:02"),
      seconds: 2,
    });
  });

  it("gives a new rule no backfill if the stream has not reached its creation yet", () => {
    expect(computeTransition(undefined, rule, at("09:59:59")).backfill).toBeUndefined();
  });
});

describe("a rule that has run on all its logs", () => {
  it.each([
    ["schedule", scheduled, at("10:10:00")],
    ["stream", rule, null],
  ])("accounts for a complete rule as ran, and continues on the %s", (_owner, owned, next_run_at) => {
    const position = at("10:07:00");
    const coverage = buildRanCoverage(owned, position);
    expect(coverage).toMatchObject({ owner: owned.owner, window_from: position, next_run_at });
    const account = computeAccount(coverage, 0, position, position);
    expect(account).toMatchObject({ total_s: 420, ran_s: 420, late_s: 0, skipped_s: 0 });
  });
});

describe("a changed rule", () => {
  const streaming = computeTransition(undefined, rule, at("10:00:00")).coverage;
  const onSchedule = computeTransition(undefined, scheduled, at("10:00:00")).coverage;

  it("gives a rule a backfill from its last window when it moves from the schedule to the stream", () => {
    const known = { ...onSchedule, window_from: at("10:05:00") };
    const { coverage, backfill } = computeTransition(
      known,
      { ...rule, version: 2, changed_at: at("10:08:00") },
      at("10:08:02"),
    );
    expect(backfill).toMatchObject({ from: at("10:05:00"), to: at("10:08:02"), seconds: 182 });
    expect(coverage).toMatchObject({ owner: "stream", window_from: at("10:08:02"), version: 2, next_run_at: null });
  });

  it("schedules a rule from the stream's position when it moves from the stream to the schedule", () => {
    const change: OwnedRule = { ...scheduled, version: 2, changed_at: at("10:08:00") };
    const { coverage, backfill } = computeTransition(streaming, change, at("10:07:59"));
    expect(coverage).toMatchObject({ window_from: at("10:07:59"), next_run_at: at("10:10:00"), ran_s: 479 });
    expect(backfill).toBeUndefined();
  });

  it("gives a changed rule a backfill since the change on the stream, without counting its time twice", () => {
    const change: OwnedRule = { ...rule, version: 2, changed_at: at("10:08:00") };
    const { coverage, backfill } = computeTransition(streaming, change, at("10:08:02"));
    expect(backfill).toMatchObject({ from: at("10:08:00"), to: at("10:08:02"), seconds: 0 });
    expect(coverage.window_from).toEqual(at("10:00:00"));
  });

  it("keeps its window start when its interval changes", () => {
    const change = { ...scheduled, version: 2, interval_minutes: 60, changed_at: at("10:02:00") };
    const { coverage } = computeTransition(onSchedule, change, at("10:02:00"));
    expect(coverage).toMatchObject({ window_from: at("10:00:00"), next_run_at: at("11:00:00") });
  });

  it("counts the time while a rule was disabled as skipped", () => {
    const off = computeTransition(
      onSchedule,
      { ...scheduled, owner: "none", changed_at: at("10:10:00") },
      at("10:10:00"),
    );
    const on = computeTransition(off.coverage, { ...scheduled, changed_at: at("10:30:00") }, at("10:30:00"));
    expect(on.coverage).toMatchObject({ window_from: at("10:30:00"), next_run_at: at("10:35:00"), skipped_s: 1800 });
    expect(off.gap).toBeUndefined();
    expect(on.gap).toEqual({ rule_id: "a", reason: "skipped", from: at("10:00:00"), to: at("10:30:00") });
  });
});

describe("the account of a rule's time", () => {
  const begun = computeTransition(undefined, scheduled, at("10:00:00")).coverage;

  it("counts each second once", () => {
    const known: Coverage = { ...begun, window_from: at("10:20:00"), ran_s: 600, capped_s: 300 };
    expect(computeAccount(known, 300, at("10:21:00"), at("10:22:00"))).toEqual({
      rule_id: "a",
      total_s: 1320,
      ran_s: 600,
      late_s: 420,
      skipped_s: 0,
      capped_s: 300,
      silent_s: 0,
    });
  });

  it("adds up over a life with every kind of change", () => {
    let position = at("10:00:00");
    let coverage = begun;
    let waiting = 0;
    const lives = ["stream", "schedule", "none", "stream", "none", "schedule", "stream", "stream"] as const;
    for (const [minute, owner] of lives.entries()) {
      const changed_at = new Date(at("10:00:00").getTime() + (minute + 1) * 61_000);
      position = new Date(changed_at.getTime() + 700);
      const change = computeTransition(coverage, { ...rule, owner, version: minute + 2, changed_at }, position);
      waiting += change.backfill?.seconds ?? 0;
      coverage = change.coverage;
      const { total_s, sum } = sumAccount(coverage, waiting, position, new Date(changed_at.getTime() + 1500));
      expect(sum).toBeCloseTo(total_s, 6);
    }
  });
});
