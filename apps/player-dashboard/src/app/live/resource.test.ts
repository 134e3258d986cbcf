import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { createResource, lastOf } from "./resource.ts";

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a resource", () => {
  it("a resource is loaded when it is watched, and again after a change", async () => {
    const revision = signal(0);
    let loads = 0;
    const resource = createResource(async () => {
      loads += 1;
      return loads;
    }, revision);
    expect(resource.reading.value).toEqual({ state: "loading" });
    const stop = resource.watch();
    await settled();
    expect(resource.reading.value).toEqual({ state: "here", value: 1 });
    revision.value += 1;
    await settled();
    expect(resource.reading.value).toEqual({ state: "here", value: 2 });
    stop();
    revision.value += 1;
    await settled();
    expect(loads).toBe(2);
  });

  it("never replaces a newer response with an older one", async () => {
    const answers: ((value: string) => void)[] = [];
    const resource = createResource(() => new Promise<string>((resolve) => answers.push(resolve)), signal(0));
    void resource.refresh();
    void resource.refresh();
    answers[1]?.("new");
    await settled();
    answers[0]?.("old");
    await settled();
    expect(resource.reading.value).toEqual({ state: "here", value: "new" });
  });

  it("keeps its last value when the device does not respond", async () => {
    let isThere = true;
    const resource = createResource(
      () => (isThere ? Promise.resolve("list") : Promise.reject(new Error("unreachable"))),
      signal(0),
    );
    await resource.refresh();
    isThere = false;
    await resource.refresh();
    expect(resource.reading.value.state).toBe("failed");
    expect(lastOf(resource.reading.value)).toBe("list");
  });
});
