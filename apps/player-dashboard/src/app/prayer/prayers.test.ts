import { describe, expect, it } from "vitest";
import { canBeCalled, hasCalls, isCalled, mergeRequests, withCall, withOffset } from "./prayers.ts";

describe("the mask", () => {
  it("never calls at sunrise", () => {
    expect(canBeCalled(1)).toBe(false);
    expect(isCalled(63, 1)).toBe(false);
    expect(hasCalls(2)).toBe(false);
  });

  it("adds and removes one prayer", () => {
    expect(withCall(0b111101, 0, false)).toBe(0b111100);
    expect(withCall(0, 5, true)).toBe(0b100000);
    expect(isCalled(0b100000, 5)).toBe(true);
  });

  it("changes the offset of one prayer only", () => {
    expect(withOffset([0, 0, 0, 0, 0, 0], 3, -5)).toEqual([0, 0, 0, -5, 0, 0]);
  });
});

describe("changes of the configuration", () => {
  it("changes of the configuration are merged, and the later one wins", () => {
    expect(mergeRequests({ method: 1, adhan: { volume: 5 } }, { method: 2, adhan: { enabled: true } })).toEqual({
      method: 2,
      adhan: { volume: 5, enabled: true },
    });
    expect(mergeRequests({}, { asr_hanafi: true })).toEqual({ asr_hanafi: true });
  });
});
