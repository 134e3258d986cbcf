import type { ScheduleBody } from "@player/service/contract/schedules";
import { describe, expect, it } from "vitest";
import { EMPTY_DRAFT } from "../../app/targets/target-draft.ts";
import { buildScheduleRequest, EMPTY_SCHEDULE, missingIn, toScheduleDraft } from "./schedule-draft.ts";

const TARGET = { ...EMPTY_DRAFT, kind: "resume" } as const;
const FULL = { ...EMPTY_SCHEDULE, target: TARGET };
const BODY: ScheduleBody = {
  id: 4,
  name: "Before Fajr",
  hour: null,
  minute: null,
  anchor: { prayer: 0, offset_min: -20 },
  days: 32,
  target: { type: "resume" },
  volume: 30,
  fade_in_s: 60,
  duration_min: 15,
  once: true,
  enabled: true,
  next_run: null,
  last_run: null,
  last_result: "",
};

describe("the form of a schedule", () => {
  it("requests a time of day", () => {
    const request = buildScheduleRequest({ ...FULL, time: "04:05", name: " Nap " });
    expect(request).toMatchObject({ name: "Nap", hour: 4, minute: 5, days: 127, target: { type: "resume" } });
    expect(request).not.toHaveProperty("anchor");
    expect(request).not.toHaveProperty("volume");
  });

  it.each([
    ["before", 20, -20],
    ["after", 10, 10],
    ["at", 10, 0],
  ] as const)("requests a time %s a prayer", (side, minutes, offset_min) => {
    const request = buildScheduleRequest({ ...FULL, kind: "prayer", prayer: 5, side, minutes });
    expect(request).toMatchObject({ anchor: { prayer: 5, offset_min } });
    expect(request).not.toHaveProperty("hour");
  });

  it.each([
    [{ ...FULL, time: "" }, "time"],
    [{ ...FULL, days: 0 }, "days"],
    [EMPTY_SCHEDULE, "target"],
  ] as const)("reports what is missing (%#)", (draft, missing) => {
    expect(missingIn(draft)).toBe(missing);
    expect(buildScheduleRequest(draft)).toBeUndefined();
  });

  it("the form of a schedule needs no time of day when it starts at a prayer", () => {
    expect(missingIn({ ...FULL, kind: "prayer", time: "" })).toBeUndefined();
  });

  it.each<[Partial<ScheduleBody>]>([
    [{}],
    [{ anchor: { prayer: 3, offset_min: 15 } }],
    [{ anchor: { prayer: 3, offset_min: 0 } }],
    [{ anchor: null, hour: 7, minute: 0 }],
    [{ volume: 0 }],
  ])("requests the same again when nothing is changed: %j", (changed) => {
    const body = { ...BODY, ...changed };
    const { name, days, target, fade_in_s, duration_min, once, volume, hour, minute, anchor } = body;
    const when = anchor ? { anchor } : { hour, minute };
    expect(buildScheduleRequest(toScheduleDraft(body))).toEqual({
      name,
      days,
      target,
      fade_in_s,
      duration_min,
      once,
      volume,
      ...when,
    });
  });
});
