import { describe, expect, it } from "vitest";
import { createOptimistic } from "./optimistic.ts";

interface Status {
  state: string;
  volume: number;
}

function playing() {
  const status = createOptimistic<Status>();
  status.report({ state: "playing", volume: 50 });
  return status;
}

describe("an optimistic change", () => {
  it("an optimistic change is shown immediately and stays when the device accepts it", async () => {
    const { view, attempt } = playing();
    const done = attempt({ volume: 30 }, () => Promise.resolve());
    expect(view.value).toEqual({ state: "playing", volume: 30 });
    await done;
    expect(view.value).toEqual({ state: "playing", volume: 30 });
  });

  it("an optimistic change is reverted when the device refuses, and the error is rethrown", async () => {
    const { view, attempt } = playing();
    const refused = attempt({ volume: 30 }, () => Promise.reject(new Error("no")));
    await expect(refused).rejects.toThrow("no");
    expect(view.value).toEqual({ state: "playing", volume: 50 });
  });

  it("an optimistic change does not revert what the device reported in the meantime", async () => {
    const { view, report, attempt } = playing();
    const refused = attempt({ volume: 30 }, () => Promise.reject(new Error("no")));
    report({ state: "paused", volume: 44 });
    await expect(refused).rejects.toThrow("no");
    expect(view.value).toEqual({ state: "paused", volume: 44 });
  });

  it("an optimistic change is replaced by a report that arrives before the response", async () => {
    const { view, report, attempt } = playing();
    const accepted = attempt({ state: "paused" }, () => Promise.resolve());
    report({ state: "stopped", volume: 50 });
    expect(view.value).toEqual({ state: "stopped", volume: 50 });
    await accepted;
    expect(view.value).toEqual({ state: "stopped", volume: 50 });
  });

  it("keeps the fields that a partial report does not name", async () => {
    const { view, report, attempt } = playing();
    const accepted = attempt({ state: "paused", volume: 30 }, () => Promise.resolve());
    report({ state: "playing", volume: 44 }, ["volume"]);
    expect(view.value).toEqual({ state: "paused", volume: 44 });
    await accepted;
    expect(view.value).toEqual({ state: "paused", volume: 44 });
  });

  it("reverts only itself while another change is pending", async () => {
    const { view, attempt } = playing();
    const refused = attempt({ volume: 30 }, () => Promise.reject(new Error("no")));
    const accepted = attempt({ state: "paused" }, () => Promise.resolve());
    await expect(refused).rejects.toThrow("no");
    await accepted;
    expect(view.value).toEqual({ state: "paused", volume: 50 });
  });
});
