import { expect, it } from "vitest";
import { openedPlatform } from "../../testing/harness/whole-platform.ts";
import { listNeededParts, readStartRole, selectServed, toRoles } from "./roles.ts";

it.each([
  [[], "all"],
  [["start"], "all"],
  [["start", "--role", "intake"], "intake"],
  [["--role=worker"], "worker"],
])("reads %j as the role %s", (given, role) => expect(readStartRole(given)).toBe(role));

it("refuses a role that does not exist, and names the argument", () => {
  expect(() => readStartRole(["start", "--role", "web"])).toThrow(
    "--role: must be one of api, intake, worker, relay, all",
  );
});

it("runs all routes and serving work on a single machine", async () => {
  const { platform } = await openedPlatform();
  const served = platform.registrations.filter(({ routes, rootRoutes, serving }) => routes ?? rootRoutes ?? serving);
  expect(selectServed(served, toRoles("all"))).toEqual(served);
  expect(selectServed(served, toRoles("worker"))).toEqual([]);
  expect(selectServed(served, toRoles("relay"))).toEqual([]);
});

it("does not make a process wait for processes of other roles", () => {
  expect(listNeededParts("all", false)).toEqual(["database", "log_engine", "worker"]);
  for (const role of ["api", "intake", "worker", "relay"] as const) {
    expect(listNeededParts(role, false)).not.toContain("worker");
  }
  expect(listNeededParts("intake", true)).toEqual(["database"]);
});
