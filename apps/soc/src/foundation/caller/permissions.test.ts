import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PERMISSIONS, ROLES } from "./permissions.schema.ts";
import { isAllowed, type Permission } from "./permissions.ts";

// The table of docs/api/soc.md with one character per role: admin manager tier3 tier2 tier1 detection responder auditor
// agent.
const TABLE: [Permission, string][] = [
  ["audit:read", "xx.....x."],
  ...(["alerts", "cases", "agents", "sites", "siem", "detections", "edr"] as const).map(readByAll),
  ...(["soar", "playbooks", "cps", "reports", "iocs", "stats"] as const).map(readByAll),
  ["alerts:write", "xxxxx.x.x"],
  ["cases:write", "xxxxx.x.x"],
  ["cases:delete", "xx......."],
  ["cases:manage", "xx......."],
  ["agents:manage", "xx......."],
  ["soar:manage", "xx......."],
  ["investigation:trigger", "xxxx..x.x"],
  ["sites:manage", "x........"],
  ["siem:search", "xxxx.xx.x"],
  ["siem:ingest", "x.......x"],
  ["detections:write", "x.x..x..."],
  ["edr:manage", "x.x...x.."],
  ["soar:execute", "x.x...x.."],
  ["playbooks:execute", "x.xx..x.x"],
  ["cps:manage", "x.....x.."],
  ["approvals:manage", "xx......."],
  ["iocs:write", "xxxx.xx.x"],
];

function readByAll<Resource extends string>(resource: Resource): [`${Resource}:read`, string] {
  return [`${resource}:read`, "xxxxxxxxx"];
}

it("has a row for every permission", () => {
  expect(TABLE.map(([permission]) => permission).toSorted()).toEqual([...PERMISSIONS].toSorted());
});

it.each(TABLE)("grants %s to the roles %s", (permission, marks) => {
  expect(ROLES.map((role) => (isAllowed(role, [permission]) ? "x" : ".")).join("")).toBe(marks);
});

it("requires all of several permissions", () => {
  expect(isAllowed("tier3", ["detections:write", "siem:search"])).toBe(true);
  expect(isAllowed("tier2", ["detections:write", "siem:search"])).toBe(false);
});

it("allows only administrators on routes for administrators", () => {
  expect(ROLES.filter((role) => isAllowed(role, "role:admin"))).toEqual(["admin"]);
});

it("defines exactly the permissions that the API document names", () => {
  const document = readFileSync(new URL("../../../../../docs/api/soc.md", import.meta.url), "utf8");
  const named = document.match(/\b[a-z]+:(read|write|delete|manage|execute|search|trigger|ingest)\b/g);
  expect([...new Set(named)].toSorted()).toEqual([...PERMISSIONS].toSorted());
});
