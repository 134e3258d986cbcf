import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it } from "vitest";
import { createFixedWindows } from "./limits.ts";

const PLAYBACK = { name: "playback", limit: 20, windowMs: 10_000 };
const READS = { name: "reads", limit: 60, windowMs: 10_000 };

describe("fixed windows", () => {
  it("allows exactly the limit and returns the length of the window", async () => {
    const clock = createFakeClock();
    const windows = createFixedWindows({ clock });
    for (let i = 0; i < 20; i += 1) expect(windows.take(PLAYBACK, "a")).toBe(0);
    await clock.advance(4000);
    expect(windows.take(PLAYBACK, "a")).toBe(6000);
    await clock.advance(6000);
    expect(windows.take(PLAYBACK, "a")).toBe(0);
  });

  it("returns the remaining requests and the end of the window", async () => {
    const clock = createFakeClock();
    const windows = createFixedWindows({ clock });
    for (let i = 0; i < 18; i += 1) windows.take(PLAYBACK, "a");
    await clock.advance(4000);
    expect(windows.left(PLAYBACK, "a")).toEqual({ remaining: 2, resetMs: 6000 });
    for (let i = 0; i < 5; i += 1) windows.take(PLAYBACK, "a");
    expect(windows.left(PLAYBACK, "a")).toEqual({ remaining: 0, resetMs: 6000 });
  });

  it("counts each client and each class separately", () => {
    const windows = createFixedWindows({ clock: createFakeClock() });
    for (let i = 0; i < 20; i += 1) windows.take(PLAYBACK, "a");
    expect(windows.take(PLAYBACK, "a")).toBeGreaterThan(0);
    expect(windows.take(PLAYBACK, "b")).toBe(0);
    expect(windows.take(READS, "a")).toBe(0);
  });

  it("refunds a request that did not count", () => {
    const windows = createFixedWindows({ clock: createFakeClock() });
    for (let i = 0; i < 20; i += 1) windows.take(PLAYBACK, "a");
    windows.giveBack(PLAYBACK, "a");
    expect(windows.take(PLAYBACK, "a")).toBe(0);
    expect(windows.take(PLAYBACK, "a")).toBeGreaterThan(0);
  });

  it("measures windows independently of jumps of the wall clock", async () => {
    const clock = createFakeClock();
    const windows = createFixedWindows({ clock });
    for (let i = 0; i < 20; i += 1) windows.take(PLAYBACK, "a");
    clock.jumpTo(new Date("2030-01-01T00:00:00Z"));
    expect(windows.take(PLAYBACK, "a")).toBe(10_000);
  });

  it("gives every new client its own window when too many are known and forgets the least recent one", () => {
    const windows = createFixedWindows({ clock: createFakeClock(), maxClients: 100 });
    const exhaust = (client: string) => {
      for (let i = 0; i < 20; i += 1) windows.take(PLAYBACK, client);
    };
    exhaust("silent");
    exhaust("busy");
    for (let i = 0; i < 99; i += 1) {
      expect(windows.take(PLAYBACK, `client ${i}`)).toBe(0);
      expect(windows.take(PLAYBACK, "busy")).toBeGreaterThan(0);
    }
    expect(windows.take(PLAYBACK, "silent")).toBe(0);
  });
});
