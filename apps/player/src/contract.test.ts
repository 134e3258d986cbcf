import { readFileSync } from "node:fs";
import { formatRouteLine, readContract } from "@kit/testing/route-tables";
import { expect, it } from "vitest";
import { createTestPlayer } from "../testing/test-player.ts";

/** Lower this number with every route that is implemented; it never rises. */
const MAX_MISSING_ROUTES = 0;

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const { documented, served, notYet } = readContract(read("docs/api/player.md"), read("docs/api/not-yet.md"), "Player");

it("documents every agreed route with its access, and no other", () => {
  const { player } = JSON.parse(read("docs/api/routes.json"));
  expect(documented.toSorted()).toEqual(player.toSorted());
});

it("serves every documented route that is implemented, every extension, and nothing else", async () => {
  const { app } = await createTestPlayer();
  await app.ready();
  const registered = app.registeredRoutes.map(({ method, path, config }) =>
    formatRouteLine({ method, path, needs: String(config.access) }),
  );
  expect(registered.toSorted()).toEqual(served);
});

it("counts the missing routes, whose number may only decrease", () => {
  const known = documented.map((line) => line.split(" ").slice(0, 2).join(" "));
  expect(notYet.routes.filter((route) => !known.includes(route))).toEqual([]);
  expect(new Set(notYet.routes).size).toBe(notYet.count);
  expect(notYet.count).toBe(MAX_MISSING_ROUTES);
});
