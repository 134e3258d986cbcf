import { existsSync, readFileSync } from "node:fs";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { lineOf, readContract } from "@kit/testing/route-tables";
import { expect, it } from "vitest";
import { createSocApp } from "./app.ts";

/** Lower this number with every route that is built; it never rises. */
const NOT_YET_AT_MOST = 55;

const ROOT = new URL("../../../", import.meta.url);
const AGREED = new URL("../shared/spec/routes.json", ROOT);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const { documented, served, notYet } = readContract(read("docs/api/soc.md"), read("docs/api/not-yet.md"), "SOC");

it.skipIf(!existsSync(AGREED))("documents every agreed route with its permission, and no other", () => {
  const { base, routes } = JSON.parse(readFileSync(AGREED, "utf8")).platform;
  const contract: string[] = routes.map(([method, path, needs]: string[]) => `${method} ${base}${path} ${needs}`);
  // The contract's list has no row for the one route outside its base.
  contract.push("GET /health public");
  expect(documented.toSorted()).toEqual(contract.toSorted());
});

it("serves every documented route that is built, every extension, and nothing else", async () => {
  const app = await createSocApp({
    clock: createFakeClock(),
    ids: createFakeIds(),
    log: silentLog,
    tls: undefined,
    version: "2.0.0",
    consoleFolder: import.meta.dirname,
    addressLimitPerMinute: 1,
    generalLimitPerMinute: 1,
    runtime: undefined as never,
    changes: undefined as never,
    requestCounts: undefined as never,
    signingKeys: undefined as never,
    sessions: undefined as never,
    users: undefined as never,
    apiKeys: undefined as never,
    topology: undefined as never,
    alerts: undefined as never,
    cases: undefined as never,
    caseItems: undefined as never,
    evidence: undefined as never,
    sites: undefined as never,
    ledger: undefined as never,
    audit: undefined as never,
    events: undefined as never,
  });
  await app.ready();
  const registered = app.registeredRoutes.map(({ method, path, config }) =>
    lineOf({ method, path, needs: [config.needs].flat().join(" ") }),
  );
  expect(registered.toSorted()).toEqual(served);
});

it("counts what is not built yet, which may only shrink", () => {
  const known = documented.map((line) => line.split(" ").slice(0, 2).join(" "));
  expect(notYet.routes.filter((route) => !known.includes(route))).toEqual([]);
  expect(new Set(notYet.routes).size).toBe(notYet.count);
  expect(notYet.count).toBe(NOT_YET_AT_MOST);
});
