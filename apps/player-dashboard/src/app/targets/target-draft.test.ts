import type { Target } from "@player/service/contract/target";
import { describe, expect, it } from "vitest";
import { buildTarget, EMPTY_DRAFT, toTargetDraft } from "./target-draft.ts";

describe("the form of a target", () => {
  it.each<[Target]>([
    [{ type: "surah", reciter: "Husary", surah: 18 }],
    [{ type: "surah", reciter: "Husary", surah: 18, volume: 0, mode: { mode: "repeat_one" } }],
    [{ type: "surah", reciter: "Husary", surah: 114, mode: { mode: "hifz_repeat", repeat: 0, pause_s: 5 } }],
    [{ type: "station", id: 3, mode: { mode: "hifz_ab", repeat: 2, pause_s: 0, ab: { from: 78, to: 80 } } }],
    [{ type: "favorite", id: 4, volume: 70 }],
    [{ type: "file", path: "Husary/018.mp3" }],
    [{ type: "stream", url: "https://radio.example/", name: "Radio" }],
    [{ type: "resume" }],
    [{ type: "command", command: "next" }],
    [{ type: "command", command: "volume", value: 12 }],
    [{ type: "command", command: "sleep_timer", value: 45 }],
    [{ type: "command", command: "mode", value: { mode: "continuous" } }],
    [{ type: "sequence", steps: [{ type: "command", command: "stop" }, { type: "resume" }] }],
  ])("returns the target that it was opened with: %j", (target) => {
    expect(buildTarget(toTargetDraft(target))).toEqual(target);
  });

  it.each([
    ["surah", { reciter: "Husary" }],
    ["surah", { surah: 18 }],
    ["station", {}],
    ["favorite", {}],
    ["file", {}],
    ["stream", { url: "  " }],
    ["kept", {}],
  ] as const)("reports a form as incomplete: %s with %j", (kind, fields) => {
    expect(buildTarget({ ...EMPTY_DRAFT, kind, ...fields })).toBeUndefined();
  });

  it("ends a drill that is still on, unless it starts a live stream", () => {
    const surah = { ...EMPTY_DRAFT, reciter: "Husary", surah: 18 };
    expect(buildTarget(surah)).toEqual({ type: "surah", reciter: "Husary", surah: 18, mode: { mode: "off" } });
    expect(buildTarget({ ...EMPTY_DRAFT, kind: "station", stationId: 3 })).toEqual({ type: "station", id: 3 });
  });

  it("removes the spaces around a pasted address", () => {
    const draft = { ...EMPTY_DRAFT, kind: "stream", url: " https://radio.example/ \n", name: " Radio " } as const;
    expect(buildTarget(draft)).toEqual({ type: "stream", url: "https://radio.example/", name: "Radio" });
  });

  it("never requests a range with zero rounds, which the device refuses", () => {
    const mode = { ...EMPTY_DRAFT.mode, mode: "hifz_ab", repeat: 0 } as const;
    expect(buildTarget({ ...EMPTY_DRAFT, kind: "resume", mode })).toMatchObject({ mode: { repeat: 1 } });
  });
});
