import { describe, expect, it } from "vitest";
import { findWind, kaabaKm } from "./qibla.ts";

describe("the Qibla", () => {
  it.each([
    [0, 0],
    [11, 0],
    [12, 1],
    [160.79, 7],
    [119, 5],
    [359, 0],
  ])("maps %d° to the wind direction %i", (degrees, wind) => {
    expect(findWind(degrees)).toBe(wind);
  });

  it("computes the distance between London and Mecca", () => {
    expect(kaabaKm({ lat: 51.51, lng: -0.13 })).toBeCloseTo(4792, -2);
  });
});
