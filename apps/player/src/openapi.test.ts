import { join } from "node:path";
import { findOpenApiFaults } from "@kit/testing/openapi-check";
import { expect, it } from "vitest";
import { createTestPlayer } from "../testing/test-player.ts";

const FILE = join(import.meta.dirname, "../../../docs/api/player.openapi.json");

it("serves the OpenAPI document that docs/api holds, and it is valid", async () => {
  const { app } = await createTestPlayer();
  const answer = await app.inject({ url: "/api/openapi.json" });
  const document = answer.json();
  expect(answer.headers["content-type"]).toMatch("application/json");
  expect(await findOpenApiFaults(document)).toEqual([]);
  await expect(
    `${JSON.stringify(document, null, 2)}\n`,
    "the routes have changed: run `npm run openapi`",
  ).toMatchFileSnapshot(FILE);
});

it("describes the error body as it is answered", async () => {
  const { app } = await createTestPlayer();
  const { components } = (await app.inject({ url: "/api/openapi.json" })).json();
  const refusal = (await app.inject({ url: "/api/nowhere" })).json();
  expect(Object.keys(refusal)).toEqual(components.schemas.Problem.required);
});
