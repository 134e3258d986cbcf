import { describe, expect, it } from "vitest";
import { isSameTime } from "./device-time.ts";
import { needsGuide } from "./guide.ts";
import { setUp } from "./set-up.ts";
import { shiftStep, stepsFor } from "./steps.ts";

describe("the guide", () => {
  it("opens the guide once, for a device without a location", () => {
    expect(needsGuide({ configured: false }, false)).toBe(true);
    expect(needsGuide({ configured: false }, true)).toBe(false);
    expect(needsGuide({ configured: true }, false)).toBe(false);
    expect(needsGuide(undefined, false)).toBe(false);
  });

  it("skips the token step when the browser has the token, and the Wi-Fi step when the player has a network", () => {
    const usual = ["language", "place", "time", "adhan", "done"];
    expect(stepsFor({ hasToken: true, hasWifi: true })).toEqual(usual);
    expect(stepsFor({ hasToken: false, hasWifi: false })).toEqual(usual.toSpliced(1, 0, "token", "wifi"));
  });

  it("moves forward and back within its first and last step", () => {
    const steps = stepsFor({ hasToken: false, hasWifi: true });
    expect(shiftStep(steps, "language", 1)).toBe("token");
    expect(shiftStep(steps, "place", -1)).toBe("token");
    expect(shiftStep(steps, "language", -1)).toBe("language");
    expect(shiftStep(steps, "done", 1)).toBe("done");
  });
});

describe("what the guide sets", () => {
  async function requestsFor(settings: Parameters<typeof setUp>[1]["settings"]) {
    const sent: [string, unknown][] = [];
    const post = <Body>(path: string, body: unknown) => {
      sent.push([path, body]);
      return Promise.resolve({} as Body);
    };
    const place = { lat: 31.95, lng: 35.93, method: 2, asr_hanafi: false, rule: "<+03>-3" };
    await setUp({ post }, { place, settings, language: "ar", nowMs: 1_794_736_251_400 });
    return sent;
  }

  it("sets the clock, the language, the zone and the location, in this order", async () => {
    expect(await requestsFor({ time_synced: false, language: "en" })).toEqual([
      ["/settings/time", { epoch: 1_794_736_251 }],
      ["/settings", { language: "ar" }],
      ["/settings/timezone", { timezone: "<+03>-3" }],
      ["/prayer/config", { lat: 31.95, lng: 35.93, method: 2, asr_hanafi: false }],
    ]);
  });

  it("does not set the clock when a time server sets it", async () => {
    const sent = await requestsFor({ time_synced: true, language: "ar" });
    expect(sent.map(([path]) => path)).toEqual(["/settings/timezone", "/prayer/config"]);
  });
});

describe("the time of the device", () => {
  // 2026-11-15 09:50:51 UTC
  const NOW_S = 1_794_736_251;

  it("tolerates a difference of one minute", () => {
    expect(isSameTime(NOW_S, (NOW_S - 60) * 1000)).toBe(true);
    expect(isSameTime(NOW_S, (NOW_S + 61) * 1000)).toBe(false);
  });
});
