import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type CallersPlatform, startCallersPlatform } from "../../../testing/harness/callers-platform.ts";
import {
  fillTwoSites,
  findLeaks,
  removeSecondWall,
  removeViews,
  type TwoSites,
} from "../../../testing/matrices/sites-matrix.ts";

// A service whose PostgreSQL queries all omit the scope.
vi.mock("../../foundation/caller/in-scope.ts", () => ({
  isInScope: () => sql`true`,
  areInScope: () => sql`true`,
}));

let platform: CallersPlatform;
let sites: TwoSites;

beforeAll(async () => {
  platform = await startCallersPlatform();
  sites = await fillTwoSites(platform);
}, 120_000);

afterAll(() => platform.close());

it("shows nothing of another site, because PostgreSQL hides it", { timeout: 240_000 }, async () => {
  expect(await findLeaks(platform, sites)).toEqual([]);
});

it("shows nothing of another site without the views, because the tables have row-level security", {
  timeout: 240_000,
}, async () => {
  await removeViews(platform);
  expect(await findLeaks(platform, sites)).toEqual([]);
});

it("shows the other site if both protections are removed, which proves that these tests can fail", {
  timeout: 240_000,
}, async () => {
  await removeSecondWall(platform);
  const leaks = await findLeaks(platform, sites);
  for (const route of ["GET /alerts as", "GET /cases/{case_id} as", "GET /edr/endpoints as", "GET /search"])
    expect(leaks.filter((leak) => leak.startsWith(route))).not.toEqual([]);
});
