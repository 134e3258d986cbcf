import { describe, expect, it } from "vitest";
import { findStart, mayUse } from "./approval-start.ts";

// The routes and permissions are those of docs/api/soc.md.
describe("the start of what was approved", () => {
  const parameters = {};
  it.each([
    [
      { kind: "playbook", playbook_id: "contain-host", parameters } as const,
      "/soar/playbooks/contain-host/execute",
      "soar:execute",
    ],
    [
      { kind: "action", playbook_id: null, parameters: { endpoint_id: "e1", action: "isolate" } } as const,
      "/edr/endpoints/e1/isolate",
      "edr:manage",
    ],
    [
      { kind: "action", playbook_id: null, parameters: { endpoint_id: "../x", action: "unisolate" } } as const,
      "/edr/endpoints/..%2Fx/unisolate",
      "edr:manage",
    ],
    [
      { kind: "action", playbook_id: null, parameters: { device_id: "d1" } } as const,
      "/cps/devices/d1/revoke",
      "cps:manage",
    ],
  ])("starts the approved %o with %s", (asked, path, permission) => {
    expect(findStart(asked)).toEqual({ path, needs: [permission] });
  });

  it("returns no start request if the approval proceeds automatically or is unknown to the console", () => {
    expect(findStart({ kind: "step", playbook_id: "contain-host", parameters })).toBeUndefined();
    expect(findStart({ kind: "request", playbook_id: null, parameters })).toBeUndefined();
    const other = { endpoint_id: "e1", action: "delete" };
    expect(findStart({ kind: "action", playbook_id: null, parameters: other })).toBeUndefined();
  });
});

describe("an approved request", () => {
  const votes = [{ decided_by: "layla" }];

  it("may be used by a caller who did not ask for it", () => {
    expect(mayUse({ policy: { four_eyes: true }, votes }, "noor")).toBe(true);
    expect(mayUse({ policy: { four_eyes: false }, votes }, "layla")).toBe(true);
  });

  it("may not be used with four eyes by a person who decided it", () => {
    expect(mayUse({ policy: { four_eyes: true }, votes }, "layla")).toBe(false);
  });
});
