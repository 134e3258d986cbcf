import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { createFixedWindows } from "@kit/http/limits";
import { silentLog } from "@kit/log/silent";
import { describe, expect, it } from "vitest";
import { NO_MANAGED_NAMES, NO_SITES, PASSWORDS_ONLY } from "../../testing/fixtures/sign-in-methods.ts";
import { createBase } from "../foundation/base.ts";
import type { Database } from "../foundation/database/tables.ts";
import { createSeal, KEY_BYTES } from "../foundation/records/seal.ts";
import { createRuntime } from "../foundation/runtime.feature.ts";
import { LOCAL_YAML } from "../foundation/yaml/local-yaml.ts";
import { createApiKeys } from "../identity/api-keys/api-keys.feature.ts";
import { createAuth } from "../identity/auth/auth.feature.ts";
import { createFactors } from "../identity/factors/factors.feature.ts";
import { createMe } from "../identity/me/me.feature.ts";
import { createPlaces } from "../identity/sign-in-locations/sign-in-locations.feature.ts";
import { createUsers } from "../identity/users/users.feature.ts";
import { createWebAuthn } from "../identity/webauthn/webauthn.feature.ts";
import { createApp, type ServeSettings } from "./serve.ts";

const PASSWORD = "correct horse battery";

/** A fake: a real hash takes a tenth of a second. */
const PASSWORDS = {
  hash: async (password: string) => `hash of ${password}`,
  isRight: async (password_hash: string, password: string) => password_hash === `hash of ${password}`,
};

/** The database is unavailable and never queried. */
const NO_DATABASE: Database = {
  db: undefined as never,
  isAvailable: async () => false,
  clockOffsetMs: () => undefined,
  isDiskFull: () => false,
  limitTo: (_sites, work) => work(),
  close: async () => undefined,
};

async function createTestApp(options: Partial<ServeSettings> = {}) {
  const clock = createFakeClock();
  const showcase = () => () => undefined as never;
  const base = createBase({
    yaml: LOCAL_YAML,
    mode: "dummy",
    database: NO_DATABASE,
    showcase,
    clock,
    ids: createFakeIds(),
    log: silentLog,
  });
  const firstAdmin = { password: PASSWORD, onCreated: async () => undefined };
  const users = createUsers(base, {
    passwords: PASSWORDS,
    firstAdmin,
    managedNames: NO_MANAGED_NAMES,
    findSites: NO_SITES,
  });
  await users.services.ensureShowcaseAdmin();
  const windows = createFixedWindows({ clock });
  const apiKeys = createApiKeys(base, { ...users.services, findSites: NO_SITES, windows });
  const seal = createSeal(Buffer.alloc(KEY_BYTES, 7), base.ids);
  const factors = createFactors(base, { ...users.services, seal, secondFactorRoles: [] });
  const given = {
    ...users.services,
    ...apiKeys.services,
    ...factors.services,
    ...createPlaces(base).services,
    ...createWebAuthn(base, undefined).services,
  };
  const auth = createAuth(base, { ...given, windows, methods: PASSWORDS_ONLY, secondFactorRoles: [] });
  const me = createMe(base, { ...auth.services, ...users.services });
  const unused = () => expect.unreachable();
  const parts = {
    stream: unused,
    eventDelay: unused,
    ledger: unused,
    audit: unused,
    devices: unused,
    fullDisks: unused,
  };
  const health = { hasDatabase: false, needed: [], logStore: { state: unused }, ...parts };
  const restarts = () => ({ restarts_24h: 0, last_reason: null });
  const app = await createApp(
    {
      base,
      registrations: [auth, me, users, apiKeys, createRuntime(base)].map((each) => each.registrations),
      auth: auth.services,
      database: NO_DATABASE,
      windows,
      health,
    },
    {
      role: "all",
      tls: undefined,
      version: "2.0.0",
      consoleFolder: import.meta.dirname,
      addressLimitPerMinute: 600,
      generalLimitPerMinute: 100,
      intakeLimitPerMinute: 6000,
      playbookLimitPerMinute: 5,
      chatLimitPerMinute: 20,
      investigateLimitPerMinute: 10,
      children: { logEngine: restarts, worker: restarts },
      usage: process,
      ...options,
    },
  );
  const signIn = (payload: object | string, headers = {}) =>
    app.inject({ method: "POST", url: "/api/v1/auth/token", payload, headers });
  const bearer = async () => {
    const { access_token } = (await signIn({ username: "admin", password: PASSWORD })).json();
    return { authorization: `Bearer ${access_token}` };
  };
  return { app, clock, signIn, bearer };
}

describe("GET /health", () => {
  it("answers every client, without a database and without a rate limit", async () => {
    const { app, clock } = await createTestApp({ addressLimitPerMinute: 1 });
    await clock.advance(90_000);
    for (let i = 0; i < 5; i += 1) {
      const health = await app.inject("/health");
      expect(health.statusCode).toBe(200);
      expect(health.json()).toEqual({ status: "ok", version: "2.0.0", uptime_s: 90 });
    }
  });
});

describe("POST /api/v1/auth/token", () => {
  it.each([
    [{ username: "admin", password: PASSWORD }, "application/json"],
    [`username=admin&password=${encodeURIComponent(PASSWORD)}`, "application/x-www-form-urlencoded"],
  ])("returns a bearer token for %j as %s", async (payload, type) => {
    const { app, signIn } = await createTestApp();
    const answered = await signIn(payload, { "content-type": type });
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({ access_token: expect.any(String), token_type: "bearer", expires_in: 1800 });
    const headers = { authorization: `Bearer ${answered.json().access_token}` };
    expect((await app.inject({ url: "/api/v1/system/mode", headers })).statusCode).toBe(200);
  });

  it.each([
    [{ username: "admin", password: "wrong" }, 401, "username or password is wrong"],
    [{ username: "unknown", password: PASSWORD }, 401, "username or password is wrong"],
    [{ username: "admin" }, 400, "password: is required"],
    [{ username: 7, password: PASSWORD }, 400, "username: must be a text of 1 to 100 characters"],
    [{ username: "x".repeat(101), password: PASSWORD }, 400, "username: must be a text of 1 to 100 characters"],
  ])("refuses %j with %i", async (payload, status, detail) => {
    const { signIn } = await createTestApp();
    const refused = await signIn(payload);
    expect(refused.statusCode).toBe(status);
    expect(refused.json()).toEqual({ detail });
  });

  it("accepts ten wrong passwords per username, even concurrent ones, then also refuses the right one", async () => {
    const { clock, signIn } = await createTestApp();
    const guesses = Array.from({ length: 15 }, (_, i) => signIn({ username: "admin", password: `guess ${i}` }));
    const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    const refused = await signIn({ username: "admin", password: PASSWORD });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("900");
    await clock.advance(15 * 60_000);
    expect((await signIn({ username: "admin", password: PASSWORD })).statusCode).toBe(200);
  });

  it("sets a cookie that grants the same access until logout", async () => {
    const { app, signIn } = await createTestApp();
    const cookie = String((await signIn({ username: "admin", password: PASSWORD })).headers["set-cookie"]);
    expect(cookie).toMatch(/^__Host-soc_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict$/);
    const headers = { cookie: cookie.split(";")[0] };
    expect((await app.inject({ url: "/api/v1/users/me", headers })).json()).toMatchObject({ username: "admin" });
    const loggedOut = await app.inject({ method: "POST", url: "/api/v1/auth/logout", headers });
    expect(loggedOut.json()).toEqual({ logged_out: true });
    expect(loggedOut.headers["set-cookie"]).toMatch(/^__Host-soc_session=; Path=\/; Max-Age=0;/);
    expect((await app.inject({ url: "/api/v1/users/me", headers })).statusCode).toBe(401);
  });

  it("does not count successful sign-ins", async () => {
    const { signIn } = await createTestApp();
    for (let i = 0; i < 12; i += 1) {
      expect((await signIn({ username: "admin", password: PASSWORD })).statusCode).toBe(200);
    }
  });
});

describe("every path under /api/v1", () => {
  it.each([
    ["GET", "/api/v1/system/mode"],
    ["GET", "/api/v1/alerts"],
    ["POST", "/api/v1/cases"],
    ["GET", "/api/v1/nowhere"],
    ["GET", "/api/v1"],
    ["GET", "/%61pi/v1/system/mode"],
    ["GET", "/%61pi/v1/nowhere"],
    ["PROPFIND", "/api/v1/alerts"],
    ["GET", "/api/v1/auth/token"],
  ])("answers %s %s with 401 without credentials", async (method, url) => {
    const { app } = await createTestApp();
    const refused = await app.inject({ method: method as "GET", url });
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toEqual({ detail: "Authorization: a valid bearer token is needed" });
  });

  it("answers 404 to a caller if the route does not exist", async () => {
    const { app, bearer } = await createTestApp();
    const refused = await app.inject({ url: "/api/v1/nowhere", headers: await bearer() });
    expect(refused.statusCode).toBe(404);
    expect(refused.json()).toEqual({ detail: "path: there is nothing at this address" });
  });

  it("counts the requests of a caller over all addresses", async () => {
    const { app, bearer, clock } = await createTestApp({ generalLimitPerMinute: 3 });
    const headers = await bearer();
    const ask = (remoteAddress: string) => app.inject({ url: "/api/v1/system/mode", headers, remoteAddress });
    for (const address of ["10.0.0.1", "10.0.0.2", "10.0.0.3"]) expect((await ask(address)).statusCode).toBe(200);
    const refused = await ask("10.0.0.4");
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("60");
    await clock.advance(60_000);
    expect((await ask("10.0.0.4")).statusCode).toBe(200);
  });

  it("reports in each response the rest of the caller's limit, and the seconds until it resets", async () => {
    const { app, bearer, clock } = await createTestApp({ generalLimitPerMinute: 2 });
    const headers = await bearer();
    const ask = async () => {
      const { statusCode, headers: answered } = await app.inject({ url: "/api/v1/system/mode", headers });
      const [limit, left, reset] = ["limit", "remaining", "reset"].map((name) => answered[`ratelimit-${name}`]);
      return [statusCode, limit, left, reset];
    };
    expect(await ask()).toEqual([200, "2", "1", "60"]);
    await clock.advance(15_500);
    expect(await ask()).toEqual([200, "2", "0", "45"]);
    expect(await ask()).toEqual([429, "2", "0", "45"]);
    await clock.advance(44_500);
    expect(await ask()).toEqual([200, "2", "1", "60"]);
  });

  it.each(["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ""])(
    "refuses a body of type '%s' for the cookie of a session, because pages of other sites can send it",
    async (type) => {
      const { app, signIn, bearer } = await createTestApp();
      const { headers: answered } = await signIn({ username: "admin", password: PASSWORD });
      const cookie = String(answered["set-cookie"]).split(";")[0] ?? "";
      const send = async (credentials: Record<string, string>, contentType: string) => {
        const headers = { ...credentials, ...(contentType && { "content-type": contentType }) };
        const payload = Buffer.from('{"code":"123456"}');
        return app.inject({ method: "POST", url: "/api/v1/auth/step-up", headers, payload });
      };
      const refused = await send({ cookie }, type);
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        { detail: "Content-Type: must be application/json with the cookie of a session" },
      ]);
      // Without a second factor.
      expect((await send({ cookie }, "application/json; charset=utf-8")).statusCode).toBe(409);
      const isForm = type === "application/x-www-form-urlencoded";
      expect((await send(await bearer(), isForm ? "text/plain" : type)).statusCode).toBe(409);
    },
  );

  it.each([
    ["/health", 200],
    ["/api/v1/users/me", 401],
    ["/api/v1/nowhere", 401],
    ["/nowhere.js", 404],
    ["/%zz", 400],
  ])("answers %s so that browsers neither guess its type nor leave https", async (url, status) => {
    const { app } = await createTestApp({ isHttps: true });
    const answered = await app.inject(url);
    expect(answered.statusCode).toBe(status);
    expect(answered.headers["x-content-type-options"]).toBe("nosniff");
    expect(answered.headers["strict-transport-security"]).toBe("max-age=31536000");
    const plain = await (await createTestApp()).app.inject(url);
    expect(plain.headers["strict-transport-security"]).toBeUndefined();
  });

  it("refuses to register a route that declares no needs", async () => {
    const { app } = await createTestApp();
    expect(() => app.get("/api/v1/open", async () => ({}))).toThrow("GET /api/v1/open declares no needs");
  });
});
