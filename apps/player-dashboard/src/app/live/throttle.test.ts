import { describe, expect, it } from "vitest";
import { createHandClock } from "../../../testing/manual-clock.ts";
import { createThrottle } from "./throttle.ts";

function sliding() {
  const clock = createHandClock();
  const sent: { value: number; atMs: number }[] = [];
  const beganMs = clock.nowMs();
  const slide = createThrottle<number>({
    gapMs: 700,
    after: clock.after,
    send: async (value) => void sent.push({ value, atMs: clock.nowMs() - beganMs }),
  });
  return { clock, sent, slide };
}

describe("throttle", () => {
  it("sends the first value at once and the last one always", () => {
    const { clock, sent, slide } = sliding();
    slide(1);
    slide(2);
    slide(3);
    clock.pass(5000);
    expect(sent).toEqual([
      { value: 1, atMs: 0 },
      { value: 3, atMs: 700 },
    ]);
  });

  it("keeps ten seconds of dragging within the playback budget of twenty requests in any ten seconds", () => {
    const { clock, sent, slide } = sliding();
    for (let at = 0; at < 1000; at += 1) {
      slide(at);
      clock.pass(10);
    }
    clock.pass(1000);
    expect(sent.at(-1)?.value).toBe(999);
    expect(sent.length).toBeGreaterThan(10);
    expect(sent.length).toBeLessThanOrEqual(16);
  });

  it("sends immediately again after a pause", () => {
    const { clock, sent, slide } = sliding();
    slide(1);
    clock.pass(2000);
    slide(2);
    expect(sent).toEqual([
      { value: 1, atMs: 0 },
      { value: 2, atMs: 2000 },
    ]);
  });
});
