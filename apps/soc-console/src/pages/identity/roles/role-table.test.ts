import { expect, it } from "vitest";
import { listRoleGroups } from "./role-table.ts";

const holders = (permission: string) =>
  listRoleGroups()
    .flatMap(({ rows }) => rows)
    .find((row) => row.permission === permission)?.holders;

// The table of docs/api/soc.md, "Permissions".
it.each([
  ["audit:read", ["admin", "manager", "auditor"]],
  ["siem:ingest", ["admin", "agent"]],
  ["detections:write", ["admin", "tier3", "detection"]],
  ["cps:manage", ["admin", "responder"]],
  ["sites:manage", ["admin"]],
])("grants %s to %s only", (permission, roles) => {
  expect(holders(permission)).toEqual(roles);
});

it("grants every other read permission to all nine roles", () => {
  const reads = listRoleGroups()
    .flatMap(({ rows }) => rows)
    .filter(({ permission }) => permission.endsWith(":read") && permission !== "audit:read");
  expect(reads.map((row) => row.holders.length)).toEqual(reads.map(() => 9));
});

it("groups the permissions of one resource", () => {
  expect(
    listRoleGroups()
      .find(({ resource }) => resource === "cases")
      ?.rows.map((row) => row.permission),
  ).toEqual(["cases:read", "cases:write", "cases:delete", "cases:manage"]);
});
