import { createFakeClock } from "@kit/clock/fake";
import { createFixedWindows } from "@kit/http/limits";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createTestFrame } from "../../../testing/harness/test-frame.ts";
import { callerOf } from "../../foundation/caller/caller.ts";
import { countersBySource } from "./counters.ts";
import { type Callers, requireCaller } from "./require-caller.ts";

const KEY_HOLDER = { kind: "api_key", username: "key:edge", role: "agent", scopes: ["alerts:read"] } as const;

/** Tokens and sessions are named after their role; "cached" cannot be checked in the database now. */
const callers: Callers = {
  async identify(credentials) {
    if (credentials.kind === "api_key") {
      return credentials.key === "right" ? { caller: KEY_HOLDER, source: "database" } : undefined;
    }
    const name = credentials.kind === "token" ? credentials.token : credentials.id;
    if (name === "lost") throw new Problem("unavailable", "the database is unavailable");
    if (name === "cached") return { caller: { kind: "user", username: name, role: "admin" }, source: "unavailable" };
    if (name !== "admin" && name !== "auditor") return undefined;
    return { caller: { kind: "user", username: name, role: name }, source: "database" };
  },
};

function newApp() {
  const windows = createFixedWindows({ clock: createFakeClock() });
  const count = async () => ({ waitMs: 0, remaining: 1, resetMs: 1 });
  const database = {
    count,
    countInPortions: count,
    take: async () => 0,
    left: async () => [],
    giveBack: async () => undefined,
  };
  const counters = countersBySource(database, windows);
  const app = createTestFrame();
  requireCaller(app, {
    callers,
    limitTo: (_sites, work) => work(),
    counters,
    general: { name: "general", limit: 2, windowMs: 60_000 },
    intake: { name: "intake", limit: 3, windowMs: 60_000 },
    playbooks: { name: "playbooks", limit: 1, windowMs: 60_000 },
    chat: { name: "chat", limit: 1, windowMs: 60_000 },
    investigations: { name: "investigations", limit: 1, windowMs: 60_000 },
    requireFresh: undefined,
  });
  app.get("/api/v1/alerts", { config: { needs: ["alerts:read"], byKey: true } }, async (request) => callerOf(request));
  app.post("/api/v1/alerts", { config: { needs: ["alerts:write"], byKey: true } }, async () => ({}));
  app.get("/api/v1/tools", { config: { needs: "authenticated", byKey: true } }, async () => ({}));
  app.get("/api/v1/cases", { config: { needs: ["cases:read"] } }, async () => ({}));
  app.get("/api/v1/users", { config: { needs: "role:admin", byKey: true } }, async () => ({}));
  app.get("/api/v1/system/mode", { config: { needs: "authenticated", worksOffline: true } }, async () => ({}));
  return app;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (id: string) => ({ cookie: `theme=dark; __Host-soc_session=${id}` });

it.each([
  ["GET", "/alerts", {}, 401],
  ["GET", "/alerts", bearer("auditor"), 200],
  ["GET", "/alerts", { authorization: "bearer auditor" }, 200],
  ["GET", "/alerts", { authorization: "Basic auditor" }, 401],
  ["GET", "/alerts", { authorization: "Bearer" }, 401],
  ["GET", "/alerts", { authorization: "Bearer auditor , Bearer admin" }, 401],
  ["GET", "/alerts", bearer("unknown"), 401],
  ["POST", "/alerts", bearer("auditor"), 403],
  ["GET", "/users", bearer("auditor"), 403],
  ["GET", "/users", bearer("admin"), 200],
  ["GET", "/alerts", cookie("auditor"), 200],
  ["GET", "/alerts", cookie("unknown"), 401],
  ["GET", "/alerts", { cookie: "soc_session=auditor" }, 401],
  ["GET", "/alerts", { ...cookie("admin"), ...bearer("unknown") }, 401],
])("answers %s %s with the headers %j with %i", async (method, path, headers, status) => {
  const answered = await newApp().inject({ method: method as "GET", url: `/api/v1${path}`, headers });
  expect(answered.statusCode).toBe(status);
});

it.each([
  ["GET", "/alerts", "right", 200, "where its scope is enough"],
  ["POST", "/alerts", "right", 403, "where its scope does not suffice, although its role would"],
  ["GET", "/tools", "right", 200, "where any caller is allowed"],
  ["GET", "/users", "right", 403, "where only an administrator is allowed"],
  ["GET", "/cases", "right", 403, "where no key is accepted"],
  ["GET", "/cases", "wrong", 401, "where no key is accepted, when it is unknown"],
  ["GET", "/nowhere", "right", 404, "where no route exists"],
  ["GET", "/alerts", "wrong", 401, "when it is unknown"],
])("answers %s %s by API key '%s' with %i %s", async (method, path, key, status) => {
  const headers = { "x-api-key": key };
  const answered = await newApp().inject({ method: method as "GET", url: `/api/v1${path}`, headers });
  expect(answered.statusCode).toBe(status);
});

it("explains that a route accepts no API key, and uses a session that comes with the key there", async () => {
  const headers = { "x-api-key": "right" };
  const refused = await newApp().inject({ url: "/api/v1/cases", headers });
  expect(refused.json()).toEqual({ detail: "X-API-Key: this route does not accept an API key" });
  const both = await newApp().inject({ url: "/api/v1/cases", headers: { ...headers, ...cookie("auditor") } });
  expect(both.statusCode).toBe(200);
});

it("gives a route the caller that an API key identifies", async () => {
  const answered = await newApp().inject({ url: "/api/v1/alerts", headers: { "x-api-key": "right" } });
  expect(answered.json()).toEqual(KEY_HOLDER);
});

it.each([
  [cookie("admin"), { "sec-fetch-site": "cross-site" }, 403],
  [cookie("admin"), { origin: "https://evil.example" }, 403],
  [cookie("admin"), { "sec-fetch-site": "same-origin" }, 200],
  [bearer("admin"), { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 200],
])("answers a change with the headers %j and %j with %i", async (credentials, site, status) => {
  const headers = { ...credentials, ...site };
  const answered = await newApp().inject({ method: "POST", url: "/api/v1/alerts", headers });
  expect(answered.statusCode).toBe(status);
});

it.each([
  ["/system/mode", "cached", 200],
  ["/alerts", "cached", 503],
  ["/nowhere", "cached", 503],
  ["/system/mode", "lost", 503],
  ["/system/mode", "unknown", 401],
])("answers %s with the token '%s' while the database is unavailable with %i", async (path, token, status) => {
  const answered = await newApp().inject({ url: `/api/v1${path}`, headers: bearer(token) });
  expect(answered.statusCode).toBe(status);
  if (status === 503) expect(answered.json()).toEqual({ detail: "the database is unavailable" });
});

it("counts in memory while the database is unreachable", async () => {
  const app = newApp();
  const ask = async (token: string) =>
    (await app.inject({ url: "/api/v1/system/mode", headers: bearer(token) })).statusCode;
  expect([await ask("cached"), await ask("cached"), await ask("cached")]).toEqual([200, 200, 429]);
  expect(await ask("admin")).toBe(200);
});

it("counts a request as a playbook execution if its body identifies it as one", async () => {
  const app = newApp();
  const body = { type: "object", additionalProperties: true };
  const isPlaybookExecutionBody = (given: unknown) => JSON.stringify(given).includes("execute");
  const config = { needs: "authenticated", isCountedApart: true, worksOffline: true, isPlaybookExecutionBody } as const;
  app.post("/mcp", { config, schema: { body } }, async () => ({}));
  const ask = async (call: string) => {
    const asked = { method: "POST", url: "/mcp", headers: bearer("cached"), payload: { call } } as const;
    return (await app.inject(asked)).statusCode;
  };
  expect([await ask("read"), await ask("execute"), await ask("execute"), await ask("read")]).toEqual([
    200, 200, 429, 200,
  ]);
});
