import { afterAll, beforeAll, expect, it } from "vitest";
import { type CallersPlatform, startCallersPlatform } from "../../../testing/harness/callers-platform.ts";
import {
  countOpenRoutes,
  digestSite,
  fillTwoSites,
  findInterference,
  findLeaks,
  removeSecondWall,
  type TwoSites,
} from "../../../testing/matrices/sites-matrix.ts";

let platform: CallersPlatform;
let sites: TwoSites;

beforeAll(async () => {
  platform = await startCallersPlatform();
  sites = await fillTwoSites(platform);
}, 120_000);

afterAll(() => platform.close());

it("answers callers of one site as if the other site did not exist", { timeout: 120_000 }, async () => {
  expect(countOpenRoutes(sites)).toBeGreaterThan(80);
  expect(await findInterference(platform, sites)).toEqual([]);
});

it("shows nothing of another site on any route, and changes nothing there", { timeout: 240_000 }, async () => {
  const before = await digestSite(platform, sites.other);
  expect(await findLeaks(platform, sites)).toEqual([]);
  expect(await digestSite(platform, sites.other)).toBe(before);
});

it("shows nothing of another site without row-level security either", { timeout: 240_000 }, async () => {
  await removeSecondWall(platform);
  expect(await findLeaks(platform, sites)).toEqual([]);
});
