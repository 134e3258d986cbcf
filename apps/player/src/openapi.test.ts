import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findNamelessParts, findOpenApiFaults, formatDocument } from "@kit/testing/openapi-check";
import { formatRoute, listRoutes, replaceRouteTables } from "@kit/testing/route-tables";
import { expect, it } from "vitest";
import metadata from "../package.json" with { type: "json" };
import { createTestPlayer } from "../testing/test-player.ts";

const API = join(import.meta.dirname, "../../../docs/api");
const PAGE = join(API, "player.md");
const CONTRACT: string[] = JSON.parse(readFileSync(join(API, "routes.json"), "utf8")).player;
const STALE = "the routes have changed: run `npm run openapi`";

it("serves the OpenAPI document and the route tables of docs/api, and the document is valid", async () => {
  const { app } = await createTestPlayer();
  const answer = await app.inject({ url: "/api/openapi.json" });
  const document = answer.json();
  expect(answer.headers["content-type"]).toMatch("application/json");
  expect(await findOpenApiFaults(document)).toEqual([]);
  expect(findNamelessParts(document)).toEqual([]);
  await expect(`${formatDocument(document)}\n`, STALE).toMatchFileSnapshot(join(API, "player.openapi.json"));
  const page = replaceRouteTables(readFileSync(PAGE, "utf8"), {
    document,
    contract: CONTRACT,
    column: ["Budget", (operation) => operation["x-budget"] ?? ""],
  });
  await expect(page, STALE).toMatchFileSnapshot(PAGE);
});

it("serves every route of the contract with its access", async () => {
  const { app } = await createTestPlayer();
  const document = (await app.inject({ url: "/api/openapi.json" })).json();
  expect(listRoutes(document).map(formatRoute)).toEqual(expect.arrayContaining(CONTRACT));
});

it("describes the error body as it is answered", async () => {
  const { app } = await createTestPlayer();
  const { components } = (await app.inject({ url: "/api/openapi.json" })).json();
  const refusal = (await app.inject({ url: "/api/nowhere" })).json();
  expect(Object.keys(refusal)).toEqual(components.schemas.Problem.required);
});

it("has the version line of the product", async () => {
  const { app } = await createTestPlayer();
  const { info } = (await app.inject({ url: "/api/openapi.json" })).json();
  expect(info.version).toBe(metadata.version.replace(/\.\d+$/, ".x"));
});

it("describes the time of a new schedule as the route takes it: hour and minute, or anchor", async () => {
  const { app } = await createTestPlayer();
  const { components } = (await app.inject({ url: "/api/openapi.json" })).json();
  expect(components.schemas.CreateScheduleRequest.oneOf).toEqual([
    { required: ["hour", "minute"] },
    { required: ["anchor"] },
  ]);
});
