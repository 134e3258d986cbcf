import { describe, expect, it } from "vitest";
import { judgeUpdate, toBody, toOverallProgress, type Update, type Verdict } from "./update.ts";

const BEGUN: Update = {
  mode: "pull",
  status: "downloading",
  progress: 12,
  error: "",
  slot: "rootfs.0",
  boot_id: "monday",
  trials: 0,
};
const OLD = "rootfs.0";
const NEW = "rootfs.1";

describe("judgeUpdate", () => {
  it.each<[string, Partial<Update>, { slot: string; bootId: string }, Verdict]>([
    ["an interrupted download", {}, { slot: OLD, bootId: "monday" }, "interrupted"],
    ["a download that a power cut ended", {}, { slot: OLD, bootId: "tuesday" }, "interrupted"],
    ["an interrupted upload", { status: "receiving" }, { slot: OLD, bootId: "monday" }, "interrupted"],
    ["an interrupted check", { status: "verifying" }, { slot: OLD, bootId: "monday" }, "interrupted"],
    ["an interrupted installation", { status: "installing" }, { slot: OLD, bootId: "monday" }, "interrupted"],
    ["an installation before a power cut", { status: "installing" }, { slot: OLD, bootId: "tuesday" }, "interrupted"],
    ["a restart that is still to come", { status: "rebooting" }, { slot: OLD, bootId: "monday" }, "restart_missing"],
    ["a restart into the old system", { status: "rebooting" }, { slot: OLD, bootId: "tuesday" }, "fell_back"],
    ["a restart into the new system", { status: "rebooting" }, { slot: NEW, bootId: "tuesday" }, "on_trial"],
    ["an interrupted confirmation", { status: "confirming", trials: 1 }, { slot: NEW, bootId: "tuesday" }, "on_trial"],
    [
      "a confirmation that was interrupted three times",
      { status: "confirming", trials: 3 },
      { slot: NEW, bootId: "x" },
      "condemned",
    ],
    [
      "a confirmation, and the old system again",
      { status: "confirming", trials: 1 },
      { slot: OLD, bootId: "x" },
      "fell_back",
    ],
    [
      "a way back that did not come",
      { status: "rebooting", error: "audio", trials: 2 },
      { slot: NEW, bootId: "x" },
      "condemned",
    ],
    [
      "a way back that never comes",
      { status: "rebooting", error: "audio", trials: 6 },
      { slot: NEW, bootId: "x" },
      "hopeless",
    ],
    [
      "a way back that came",
      { status: "rebooting", error: "audio", trials: 2 },
      { slot: OLD, bootId: "x" },
      "fell_back",
    ],
    ["a failure", { status: "failed", error: "url" }, { slot: OLD, bootId: "tuesday" }, "ended"],
    [
      "a failure whose system runs all the same",
      { status: "failed", error: "cut" },
      { slot: NEW, bootId: "x" },
      "on_trial",
    ],
    ["a success", { status: "success", trials: 1 }, { slot: NEW, bootId: "wednesday" }, "ended"],
    ["a rollback", { status: "rolled_back", trials: 1 }, { slot: OLD, bootId: "wednesday" }, "ended"],
  ])("classifies %s", (_what, changed, running, finding) => {
    expect(judgeUpdate({ ...BEGUN, ...changed }, running)).toBe(finding);
  });
});

describe("the body", () => {
  it("the body is idle before the first update", () => {
    expect(toBody(undefined)).toEqual({ in_progress: false, progress: 0, mode: "idle", status: "idle", error: "" });
  });

  it("names the mode only while the update is in progress", () => {
    expect(toBody(BEGUN)).toMatchObject({ in_progress: true, mode: "pull", progress: 12 });
    expect(toBody({ ...BEGUN, status: "success" })).toMatchObject({ in_progress: false, mode: "idle" });
  });
});

describe("progress", () => {
  it("increases from step to step and stays between 0 and 100", () => {
    const steps = ["downloading", "verifying", "installing", "rebooting", "confirming", "success"] as const;
    const values = steps.flatMap((step) => [0, 0.5, 1].map((share) => toOverallProgress(step, share)));
    expect(values.toSorted((one, other) => one - other)).toEqual(values);
    expect([values[0], values.at(-1)]).toEqual([0, 100]);
    expect(toOverallProgress("downloading", 7)).toBe(toOverallProgress("downloading", 1));
  });
});
