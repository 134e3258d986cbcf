import { describe, expect, it } from "vitest";
import { createOptimistic } from "./optimistic.ts";

interface Status {
  state: string;
  volume: number;
}

function playing() {
  const status = createOptimistic<Status>();
  status.truth.value = { state: "playing", volume: 50 };
  return status;
}

describe("an optimistic change", () => {
  it("is seen at once and stays when the device agrees", async () => {
    const { view, attempt } = playing();
    const done = attempt({ volume: 30 }, () => Promise.resolve());
    expect(view.value).toEqual({ state: "playing", volume: 30 });
    await done;
    expect(view.value).toEqual({ state: "playing", volume: 30 });
  });

  it("is taken back when the device refuses, and the refusal is passed on", async () => {
    const { view, attempt } = playing();
    const refused = attempt({ volume: 30 }, () => Promise.reject(new Error("no")));
    await expect(refused).rejects.toThrow("no");
    expect(view.value).toEqual({ state: "playing", volume: 50 });
  });

  it("does not undo what the device said meanwhile", async () => {
    const { view, truth, attempt } = playing();
    const refused = attempt({ volume: 30 }, () => Promise.reject(new Error("no")));
    truth.value = { state: "paused", volume: 44 };
    expect(view.value).toEqual({ state: "paused", volume: 30 });
    await expect(refused).rejects.toThrow("no");
    expect(view.value).toEqual({ state: "paused", volume: 44 });
  });

  it("takes back only itself when another one is under way", async () => {
    const { view, attempt } = playing();
    const refused = attempt({ volume: 30 }, () => Promise.reject(new Error("no")));
    const accepted = attempt({ state: "paused" }, () => Promise.resolve());
    await expect(refused).rejects.toThrow("no");
    await accepted;
    expect(view.value).toEqual({ state: "paused", volume: 50 });
  });
});
