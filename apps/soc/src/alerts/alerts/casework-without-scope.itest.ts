import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTwoSites, type TwoSites } from "../../../testing/harness/two-sites.ts";
import {
  expectNothingForeign,
  expectOwnEvents,
  expectOwnInbox,
  expectUnknown,
} from "../../../testing/harness/two-sites-checks.ts";

// The stores ignore the scope here, so that only PostgreSQL hides records.
vi.mock("../../foundation/caller/in-scope.ts", () => ({
  isInScope: () => sql`true`,
  areInScope: () => sql`true`,
}));

let world: TwoSites;

beforeAll(async () => {
  world = await startTwoSites();
}, 120_000);
afterAll(() => world.close());

it("hides the records of other sites in PostgreSQL", async () => {
  await expectNothingForeign(world);
  await expectUnknown(world, world.beta);
  await expectUnknown(world, world.nowhere);
  await expectOwnInbox(world);
  await expectOwnEvents(world);
});

it("shows the records when row-level security is bypassed", async () => {
  await world.query("DROP VIEW soc_site.alerts");
  await world.query("ALTER TABLE alerts DISABLE ROW LEVEL SECURITY");
  const { text } = await world.ask(world.user, "GET", "/alerts");
  expect(world.findForeign(text)).toContain(world.beta.canary);
});
