import type { AdhanChange } from "@player/service/contract/adhan";
import type { PlaybackStatus } from "@player/service/contract/playback";
import { describe, expect, it } from "vitest";
import { statusWith } from "../../../testing/playback-status.ts";
import type { Frame } from "./frame.ts";
import { secondsUntil, type UpcomingChanges, upcomingChangesAfter } from "./upcoming-changes.ts";

const hifz = { repeat_done: 1, repeat_target: 3, pause_s: 30, waiting: false };

describe("announced", () => {
  const nothing: UpcomingChanges = {};
  const at = (type: "playback", status: Partial<PlaybackStatus>): Frame => ({
    type,
    ts: 100_000,
    data: statusWith(status),
  });

  it("converts the remaining time into an instant of the device's clock", () => {
    const { sleepsAtMs, retriesAtMs } = upcomingChangesAfter(
      nothing,
      at("playback", { sleep_timer_s: 900, retry_in_s: 4 }),
    );
    expect([sleepsAtMs, retriesAtMs]).toEqual([1_000_000, 104_000]);
  });

  it("keeps the end of the pause until the pause is over", () => {
    const gap = upcomingChangesAfter(nothing, {
      type: "hifz",
      ts: 100_000,
      data: { ...hifz, waiting: true, phase: "gap" },
    });
    expect(gap.gapEndsAtMs).toBe(130_000);
    const still = upcomingChangesAfter(gap, at("playback", { hifz: { ...hifz, waiting: true } }));
    expect(still.gapEndsAtMs).toBe(130_000);
    expect(upcomingChangesAfter(still, at("playback", { hifz })).gapEndsAtMs).toBeUndefined();
  });

  const adhan = (phase: AdhanChange["phase"], prayer: AdhanChange["prayer"]): Frame => ({
    type: "adhan",
    ts: 0,
    data: { phase, prayer },
  });

  it("reports an adhan from its start to its end", () => {
    const started = upcomingChangesAfter(nothing, adhan("started", "fajr"));
    expect(started.adhan).toBe("fajr");
    expect(upcomingChangesAfter(started, adhan("ended", "fajr")).adhan).toBeUndefined();
  });

  it("reports the adhan that replaced another, even if the end of the other is reported later", () => {
    const replaced = upcomingChangesAfter(
      upcomingChangesAfter(nothing, adhan("started", "test")),
      adhan("started", "fajr"),
    );
    expect(upcomingChangesAfter(replaced, adhan("stopped", "test")).adhan).toBe("fajr");
  });

  it("counts whole seconds down to zero", () => {
    expect(secondsUntil(10_000, 6100)).toBe(4);
    expect(secondsUntil(10_000, 12_000)).toBe(0);
    expect(secondsUntil(undefined, 0)).toBeUndefined();
  });
});
