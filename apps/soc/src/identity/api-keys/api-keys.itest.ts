import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Identity, startIdentity } from "../../../testing/harness/identity.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { callerOf } from "../../foundation/caller/caller.ts";

let url: string;
let identity: Identity;
let preview: Identity;
let admin: { authorization: string };

beforeAll(async () => {
  ({ url } = await freshDatabase());
  identity = await startIdentity({ url });
  preview = await startIdentity({ url, mode: "dry_run" });
  // Stubs of the features that accept API keys.
  const { app } = identity;
  app.get("/api/v1/alerts", { config: { needs: ["alerts:read"], byKey: true } }, async (request) => callerOf(request));
  app.get("/api/v1/iocs", { config: { needs: ["iocs:read"], byKey: true } }, async () => ({}));
  await identity.addUser("admin");
  admin = await identity.bearer("admin");
});

afterAll(async () => {
  await identity.close();
  await preview.close();
});

function ask(method: "GET" | "POST" | "DELETE", path: string, payload?: object, { app } = identity) {
  return app.inject({ method, url: `/api/v1${path}`, headers: admin, ...(payload && { payload }) });
}

const byKey = async (path: string, key: string) =>
  (await identity.app.inject({ url: `/api/v1${path}`, headers: { "x-api-key": key } })).statusCode;

it("shows a key once, stores only its hash, and allows what its scopes name until it is revoked", async () => {
  const created = await ask("POST", "/api-keys", { name: "edge-1", scopes: ["alerts:read"] });
  expect(created.statusCode).toBe(201);
  const { key, ...shown } = created.json();
  expect(key).toMatch(/^soc_[\w-]{43}$/);
  expect(shown).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: "edge-1",
    prefix: key.slice(0, 12),
    scopes: ["alerts:read"],
    revoked: false,
    created_by: "admin",
    created_at: expect.stringMatching(/Z$/),
    owner: "admin",
    expires_at: expect.stringMatching(/Z$/),
    last_used_at: null,
  });
  const listed = await ask("GET", "/api-keys");
  expect(listed.json()).toEqual({ items: [shown], total: 1, skip: 0, limit: 50, next_cursor: null });
  expect(JSON.stringify(await identity.db.selectFrom("api_keys").selectAll().execute())).not.toContain(key);

  const answered = await identity.app.inject({ url: "/api/v1/alerts", headers: { "x-api-key": key } });
  expect(answered.json()).toEqual({
    kind: "api_key",
    username: "key:edge-1",
    role: "agent",
    scopes: ["alerts:read"],
  });
  expect(await byKey("/iocs", key)).toBe(403);
  expect(await byKey("/users/me", key)).toBe(403);
  expect(await byKey("/api-keys", key)).toBe(403);
  expect(await byKey("/nowhere", key)).toBe(404);
  expect(await byKey("/users/me", `${key}x`)).toBe(401);
  expect(await byKey("/alerts", `${key}x`)).toBe(401);

  const revoked = await ask("DELETE", `/api-keys/${shown.id}`);
  expect(revoked.json()).toEqual({ deleted: true, id: shown.id });
  expect(await byKey("/alerts", key)).toBe(401);
  expect(await byKey("/users/me", key)).toBe(401);
  expect((await ask("GET", "/api-keys")).json().items).toEqual([
    { ...shown, revoked: true, last_used_at: expect.stringMatching(/Z$/) },
  ]);
  expect((await ask("DELETE", `/api-keys/${shown.id}`)).statusCode).toBe(404);

  const audit = await identity.db.selectFrom("audit_log").select("action").where("subject_id", "=", shown.id).execute();
  expect(audit.map(({ action }) => action).toSorted()).toEqual(["api_key.created", "api_key.revoked"]);
});

it.each([
  [{ name: "edge-1", scopes: ["alerts:read"] }, 409, "name: API key 'edge-1' already exists"],
  [{ name: "edge 2", scopes: ["alerts:read"] }, 400, /^name: /],
  [{ name: "edge-2", scopes: [] }, 400, /^scopes: /],
  [{ name: "edge-2", scopes: ["users:write"] }, 400, /^scopes\.0: must be one of audit:read/],
  [{ name: "edge-2" }, 400, "scopes: is required"],
])("refuses the body %j with %i", async (body, status, detail) => {
  const refused = await ask("POST", "/api-keys", body);
  expect(refused.statusCode).toBe(status);
  expect(refused.json().detail).toMatch(detail);
});

it("limits a key to the current rights of its owner, and ends it with its owner", async () => {
  await identity.addUser("noor", "admin");
  const { key } = (
    await ask("POST", "/api-keys", { name: "of-noor", scopes: ["alerts:read", "siem:ingest"], owner: "Noor" })
  ).json();
  const scopes = async () =>
    (await identity.app.inject({ url: "/api/v1/alerts", headers: { "x-api-key": key } })).json().scopes;
  expect(await scopes()).toEqual(["alerts:read", "siem:ingest"]);
  const change = (body: object) =>
    identity.app.inject({ method: "PATCH", url: "/api/v1/users/noor", headers: admin, payload: body });
  await change({ role: "auditor" });
  expect(await scopes()).toEqual(["alerts:read"]);
  await change({ disabled: true });
  expect(await byKey("/alerts", key)).toBe(401);
  await change({ disabled: false });
  expect(await byKey("/alerts", key)).toBe(200);
  await ask("DELETE", "/users/noor");
  await identity.addUser("noor", "admin");
  expect(await byKey("/alerts", key)).toBe(401);
});

it("ends a key at its expiry time", async () => {
  const { key } = (await ask("POST", "/api-keys", { name: "short", scopes: ["alerts:read"] })).json();
  expect(await byKey("/alerts", key)).toBe(200);
  const owner = new pg.Client(url);
  await owner.connect();
  await owner.query("UPDATE api_keys SET expires_at = now() WHERE name = 'short'");
  await owner.end();
  expect(await byKey("/alerts", key)).toBe(401);
});

it.each([
  [{ expires_at: "2020-01-01T00:00:00Z" }, /^expires_at: must be a time within the next 10 years/],
  [{ owner: "no-such-user" }, /^owner: user 'no-such-user' does not exist/],
])("refuses a key with %j", async (fields, detail) => {
  const refused = await ask("POST", "/api-keys", { name: "never", scopes: ["alerts:read"], ...fields });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().detail).toMatch(detail);
});

it("returns a preview without a key in dry_run", async () => {
  const shown = (await ask("POST", "/api-keys", { name: "ghost", scopes: ["alerts:read"] }, preview)).json();
  expect(shown).toMatchObject({ dry_run: true, preview: { name: "ghost", scopes: ["alerts:read"] } });
  expect(shown.preview.key).toBeUndefined();
});

it("answers 404 for an id that is not a UUID", async () => {
  const refused = await ask("DELETE", "/api-keys/nope");
  expect(refused.statusCode).toBe(404);
  expect(refused.json()).toEqual({ detail: "API key 'nope' does not exist" });
});
