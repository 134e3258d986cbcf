import { describe, expect, it } from "vitest";
import { findStart } from "./approval-start.ts";

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
  ])("of %o is %s", (asked, path, permission) => {
    expect(findStart(asked)).toEqual({ path, needs: [permission] });
  });

  it("is none where it goes on by itself, or where the console does not know it", () => {
    expect(findStart({ kind: "step", playbook_id: "contain-host", parameters })).toBeUndefined();
    expect(findStart({ kind: "request", playbook_id: null, parameters })).toBeUndefined();
    const other = { endpoint_id: "e1", action: "delete" };
    expect(findStart({ kind: "action", playbook_id: null, parameters: other })).toBeUndefined();
  });
});
