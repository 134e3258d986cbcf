import { readFileSync } from "node:fs";
import { formatRouteLine, readContract } from "@kit/testing/route-tables";
import { expect, it } from "vitest";
import { wholePlatform } from "../../testing/worlds/whole-platform.ts";

/** Lower this number with every route that is built; it must never rise. */
const MAX_UNBUILT_ROUTES = 0;

const ROOT = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const { documented, served, notYet } = readContract(read("docs/api/soc.md"), read("docs/api/not-yet.md"), "SOC");

it("documents every agreed route with its permission, and no other", () => {
  const { soc } = JSON.parse(read("docs/api/routes.json"));
  expect(documented.toSorted()).toEqual(soc.toSorted());
});

it("serves exactly the documented routes that are built and the extensions", async () => {
  const { app, close } = await wholePlatform("dummy");
  const registered = app.registeredRoutes.map(({ method, path, config }) =>
    formatRouteLine({ method, path, needs: [config.needs].flat().join(" ") }),
  );
  await close();
  expect(registered.toSorted()).toEqual(served);
});

it("counts the routes that are not built yet, whose number may only decrease", () => {
  const known = documented.map((line) => line.split(" ").slice(0, 2).join(" "));
  expect(notYet.routes.filter((route) => !known.includes(route))).toEqual([]);
  expect(new Set(notYet.routes).size).toBe(notYet.count);
  expect(notYet.count).toBe(MAX_UNBUILT_ROUTES);
});
