import { join } from "node:path";
import { findOpenApiFaults } from "@kit/testing/openapi-check";
import { expect, it } from "vitest";
import { ADMIN_PASSWORD, wholePlatform } from "../../testing/worlds/whole-platform.ts";

const FILE = join(import.meta.dirname, "../../../../docs/api/soc.openapi.json");
const URL = "/api/v1/openapi.json";

it("serves the OpenAPI document in docs/api, and the document is valid", async () => {
  const { app, close } = await wholePlatform("dummy");
  const payload = { username: "admin", password: ADMIN_PASSWORD };
  const signedIn = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  const cookie = String(signedIn.headers["set-cookie"]);
  const answer = await app.inject({ url: URL, headers: { cookie } });
  const refusal = await app.inject({ url: URL });
  await close();

  const document = answer.json();
  expect(answer.headers["content-type"]).toMatch("application/json");
  expect(await findOpenApiFaults(document)).toEqual([]);
  expect(cookie.split("=")[0]).toBe(document.components.securitySchemes.session.name);
  const error = document.components.schemas.Problem;
  expect(Object.keys(refusal.json())).toEqual(error.required);
  await expect(
    `${JSON.stringify(document, null, 2)}\n`,
    "the routes have changed: run `npm run openapi`",
  ).toMatchFileSnapshot(FILE);
});
