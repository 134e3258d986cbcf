import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it } from "vitest";
import { createFixedWindows } from "./limits.ts";

const PLAYBACK = { name: "playback", limit: 20, windowMs: 10_000 };
const READS = { name: "reads", limit: 60, windowMs: 10_000 };

describe("fixed windows", () => {
  it("lets exactly the limit pass and says how long the window lasts", async () => {
    const clock = createFakeClock();
    const windows = createFixedWindows({ clock });
    for (let i = 0; i < 20; i += 1) expect(windows.take(PLAYBACK, "a")).toBe(0);
    await clock.advance(4000);
    expect(windows.take(PLAYBACK, "a")).toBe(6000);
    await clock.advance(6000);
    expect(windows.take(PLAYBACK, "a")).toBe(0);
  });

  it("counts each client and each class separately", () => {
    const windows = createFixedWindows({ clock: createFakeClock() });
    for (let i = 0; i < 20; i += 1) windows.take(PLAYBACK, "a");
    expect(windows.take(PLAYBACK, "a")).toBeGreaterThan(0);
    expect(windows.take(PLAYBACK, "b")).toBe(0);
    expect(windows.take(READS, "a")).toBe(0);
  });

  it("takes back a request that did not count", () => {
    const windows = createFixedWindows({ clock: createFakeClock() });
    for (let i = 0; i < 20; i += 1) windows.take(PLAYBACK, "a");
    windows.giveBack(PLAYBACK, "a");
    expect(windows.take(PLAYBACK, "a")).toBe(0);
    expect(windows.take(PLAYBACK, "a")).toBeGreaterThan(0);
  });

  it("does not change when the wall clock jumps", async () => {
    const clock = createFakeClock();
    const windows = createFixedWindows({ clock });
    for (let i = 0; i < 20; i += 1) windows.take(PLAYBACK, "a");
    clock.jumpTo(new Date("2030-01-01T00:00:00Z"));
    expect(windows.take(PLAYBACK, "a")).toBe(10_000);
  });

  it("lets newcomers share one window when too many clients are known, and forgets ended windows", async () => {
    const clock = createFakeClock();
    const windows = createFixedWindows({ clock, maxClients: 100 });
    for (let i = 0; i < 100; i += 1) windows.take(PLAYBACK, `client ${i}`);
    let passed = 0;
    for (let i = 100; i < 1000; i += 1) if (windows.take(PLAYBACK, `client ${i}`) === 0) passed += 1;
    expect(passed).toBe(20);
    await clock.advance(10_000);
    expect(windows.take(PLAYBACK, "client 1000")).toBe(0);
  });
});
