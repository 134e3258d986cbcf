import { join } from "node:path";
import { findNamelessParts, findOpenApiFaults, formatDocument } from "@kit/testing/openapi-check";
import { expect, it } from "vitest";
import metadata from "../package.json" with { type: "json" };
import { createTestPlayer } from "../testing/test-player.ts";

const FILE = join(import.meta.dirname, "../../../docs/api/player.openapi.json");

it("serves the OpenAPI document that docs/api holds, and it is valid", async () => {
  const { app } = await createTestPlayer();
  const answer = await app.inject({ url: "/api/openapi.json" });
  const document = answer.json();
  expect(answer.headers["content-type"]).toMatch("application/json");
  expect(await findOpenApiFaults(document)).toEqual([]);
  expect(findNamelessParts(document)).toEqual([]);
  await expect(`${formatDocument(document)}\n`, "the routes have changed: run `npm run openapi`").toMatchFileSnapshot(
    FILE,
  );
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
