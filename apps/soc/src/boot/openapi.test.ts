import { join } from "node:path";
import { inlineReferences } from "@kit/http/openapi";
import { findNamelessParts, findOpenApiFaults, formatDocument } from "@kit/testing/openapi-check";
import { expect, it } from "vitest";
import { ADMIN_PASSWORD, wholePlatform } from "../../testing/worlds/whole-platform.ts";

const FILE = join(import.meta.dirname, "../../../../docs/api/soc.openapi.json");
const URL = "/api/v1/openapi.json";
/** A document that people and programs can still read. */
const MAX_CHARACTERS = 700_000;

/** Pages of groups, measurements and log entries, and of records whose key is a name. */
const WITHOUT_ID = [
  "/api/v1/alerts/groups",
  "/api/v1/cases/{case_id}/timeline",
  "/api/v1/detections/health",
  "/api/v1/directory/users",
  "/api/v1/entities",
  "/api/v1/ledger/checkpoints",
  "/api/v1/siem/drops",
  "/api/v1/siem/sources",
  "/api/v1/soar/automations/{id}/firings",
  "/api/v1/tools",
  "/api/v1/users",
];

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}
interface OpenApi {
  paths: Record<string, { get?: { responses: Record<string, { content?: Record<string, { schema: Schema }> }> } }>;
}

/** The routes that answer a page whose items have no `id`. */
function listPagesWithoutId({ paths }: OpenApi): string[] {
  return Object.keys(paths).filter((path) => {
    const page = paths[path]?.get?.responses["200"]?.content?.["application/json"]?.schema.properties;
    const item = page?.total && page.items?.items;
    return item?.type === "object" && item.properties?.id === undefined;
  });
}

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
  expect(findNamelessParts(document)).toEqual([]);
  expect(formatDocument(document).length).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(listPagesWithoutId(inlineReferences(document) as OpenApi)).toEqual(WITHOUT_ID);
  expect(cookie.split("=")[0]).toBe(document.components.securitySchemes.session.name);
  const error = document.components.schemas.Problem;
  expect(Object.keys(refusal.json())).toEqual(error.required);
  await expect(`${formatDocument(document)}\n`, "the routes have changed: run `npm run openapi`").toMatchFileSnapshot(
    FILE,
  );
});
