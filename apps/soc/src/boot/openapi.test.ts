import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inlineReferences } from "@kit/http/openapi";
import { findNamelessParts, findOpenApiFaults, formatDocument } from "@kit/testing/openapi-check";
import { type Column, formatRoute, listRoutes, replaceRouteTables } from "@kit/testing/route-tables";
import { expect, it } from "vitest";
import { ADMIN_PASSWORD, wholePlatform } from "../../testing/harness/whole-platform.ts";

const API = join(import.meta.dirname, "../../../../docs/api");
const PAGE = join(API, "soc.md");
const CONTRACT: string[] = JSON.parse(readFileSync(join(API, "routes.json"), "utf8")).soc;
const URL = "/api/v1/openapi.json";
const STALE = "the routes have changed: run `npm run openapi`";
/** A size that people and programs can still read. */
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

/** Lists the routes that return a page whose items have no `id`. */
function listPagesWithoutId({ paths }: OpenApi): string[] {
  return Object.keys(paths).filter((path) => {
    const page = paths[path]?.get?.responses["200"]?.content?.["application/json"]?.schema.properties;
    const item = page?.total && page.items?.items;
    return item?.type === "object" && item.properties?.id === undefined;
  });
}

const { app, close } = await wholePlatform("dummy");
const payload = { username: "admin", password: ADMIN_PASSWORD };
const signedIn = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
const cookie = String(signedIn.headers["set-cookie"]);
const answer = await app.inject({ url: URL, headers: { cookie } });
const refusal = await app.inject({ url: URL });
await close();
const document = answer.json();

it("serves the OpenAPI document in docs/api, which is valid", async () => {
  expect(answer.headers["content-type"]).toMatch("application/json");
  expect(await findOpenApiFaults(document)).toEqual([]);
  expect(findNamelessParts(document)).toEqual([]);
  expect(formatDocument(document).length).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(listPagesWithoutId(inlineReferences(document) as OpenApi)).toEqual(WITHOUT_ID);
  expect(cookie.split("=")[0]).toBe(document.components.securitySchemes.session.name);
  expect(Object.keys(refusal.json())).toEqual(document.components.schemas.Problem.required);
  await expect(`${formatDocument(document)}\n`, STALE).toMatchFileSnapshot(join(API, "soc.openapi.json"));
});

it("serves every route of the contract with its permissions", () => {
  expect(listRoutes(document).map(formatRoute)).toEqual(expect.arrayContaining(CONTRACT));
});

it("has the routes in the tables of docs/api/soc.md", async () => {
  const column: Column = ["Key", ({ security }) => (security.some(({ key }) => key) ? "yes" : "")];
  const page = replaceRouteTables(readFileSync(PAGE, "utf8"), { document, contract: CONTRACT, column });
  await expect(page, STALE).toMatchFileSnapshot(PAGE);
});
