import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  fillTwoSites,
  findLeaks,
  removeSecondWall,
  removeViews,
  type TwoSites,
} from "../../../testing/matrices/sites-matrix.ts";
import { type CallersPlatform, startCallersPlatform } from "../../../testing/worlds/callers-platform.ts";

// A service that forgets the scope in every query of PostgreSQL.
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

it("shows nothing without the views, because the tables have row-level security", { timeout: 240_000 }, async () => {
  await removeViews(platform);
  expect(await findLeaks(platform, sites)).toEqual([]);
});

it("shows the other site when both walls are gone, so that this test can fail", { timeout: 240_000 }, async () => {
  await removeSecondWall(platform);
  const leaks = await findLeaks(platform, sites);
  for (const route of ["GET /alerts as", "GET /cases/{case_id} as", "GET /edr/endpoints as", "GET /search"])
    expect(leaks.filter((leak) => leak.startsWith(route))).not.toEqual([]);
});
