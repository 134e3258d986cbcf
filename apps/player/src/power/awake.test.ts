import { expect, it } from "vitest";
import { type Activity, listAwakeReasons } from "./awake.ts";

const NOTHING: Activity = {
  playback: { state: "stopped", advance_mode: "off" },
  isAdhan: false,
  isUpdating: false,
  clients: 0,
};
const hifz = { repeat_done: 1, repeat_target: 3, pause_s: 5, waiting: false };

it.each([
  ["nothing", NOTHING, []],
  ["a paused surah", { ...NOTHING, playback: { state: "paused", advance_mode: "continuous" } }, []],
  ["a drill that is over", { ...NOTHING, playback: { state: "stopped", advance_mode: "hifz_ab", hifz } }, []],
  ["playback", { ...NOTHING, playback: { state: "playing", advance_mode: "off" } }, ["playback"]],
  ["a stream that is connecting", { ...NOTHING, playback: { state: "buffering", advance_mode: "off" } }, ["playback"]],
  ["a drill", { ...NOTHING, playback: { state: "paused", advance_mode: "hifz_repeat", hifz } }, ["drill"]],
  [
    "a gap",
    { ...NOTHING, playback: { state: "playing", advance_mode: "hifz_ab", hifz: { ...hifz, waiting: true } } },
    ["gap", "playback"],
  ],
  ["all the rest", { ...NOTHING, isAdhan: true, isUpdating: true, clients: 1 }, ["adhan", "update", "dashboard"]],
] satisfies [string, Activity, string[]][])("returns the expected reasons for %s", (_what, activity, reasons) => {
  expect(listAwakeReasons(activity)).toEqual(reasons);
});
