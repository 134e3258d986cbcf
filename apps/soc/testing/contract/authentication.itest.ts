import { decodeJwt, importJWK, type JWK, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatAs } from "../harness/chat-client.ts";
import { ADMIN_PASSWORD } from "../harness/whole-platform.ts";
import { type ContractPlatform, contractPlatform, NOTHING } from "./contract-platform.ts";
import { ROUTES } from "./documented-routes.ts";
import { quote } from "./platform-contract.ts";

let platform: ContractPlatform;
beforeAll(async () => {
  platform = await contractPlatform();
  await platform.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => platform.close());

const ADMIN = { username: "admin", password: ADMIN_PASSWORD };
const signIn = (body: object = ADMIN) => platform.askWith({}, "POST /auth/token", body);
const me = (headers: Record<string, string>) => platform.askWith(headers, "GET /users/me");

describe(
  quote("1. POST /auth/token with username and password returns an access_token (JWT) and token_type bearer."),
  () => {
    it("returns a JWT of three parts whose claims can be read", async () => {
      const { status, body } = await signIn();
      expect([status, body.token_type]).toEqual([200, "bearer"]);
      expect(body.access_token.split(".")).toHaveLength(3);
      expect(decodeJwt(body.access_token)).toEqual(expect.any(Object));
    });

    it.each([
      ["another password", { ...ADMIN, password: "wrong" }],
      ["an unknown user", { ...ADMIN, username: "eve" }],
    ])("answers 401 for %s", async (_what, body) => {
      expect((await signIn(body)).status).toBe(401);
    });

    it.each(["username", "password"])("answers 400 without %s", async (field) => {
      expect((await signIn({ ...ADMIN, [field]: undefined })).status).toBe(400);
    });
  },
);

describe(
  quote("2. Protected routes accept Authorization: Bearer <ACCESS_TOKEN> or an httpOnly session cookie."),
  () => {
    it("accepts the access token as a bearer token", async () => {
      const { body } = await signIn();
      expect((await me({ authorization: `Bearer ${body.access_token}` })).status).toBe(200);
    });

    it("sets an httpOnly session cookie, and accepts it", async () => {
      const { headers } = await signIn();
      const [cookie = ""] = [headers["set-cookie"]].flat().map(String);
      expect(cookie).toMatch(/; *httponly/i);
      expect((await me({ cookie: cookie.split(";")[0] ?? "" })).status).toBe(200);
    });

    it.each(["POST /cases", "GET /alerts", "GET /system/mode"])("accepts the cookie at %s", async (route) => {
      const { headers } = await signIn();
      const cookie = String([headers["set-cookie"]].flat()[0]).split(";")[0] ?? "";
      const { status } = await platform.askWith({ cookie }, route, route.startsWith("P") ? { title: "x" } : undefined);
      expect(status).toBeLessThan(300);
    });
  },
);

describe(quote("3. Service-to-service calls may use the header X-API-Key: <API_KEY> on supported routes."), () => {
  it("accepts a key at a supported route", async () => {
    const headers = await platform.keyFor("alerts:read");
    expect((await platform.askWith(headers, "GET /alerts")).status).toBe(200);
  });

  it("refuses an unknown key", async () => {
    expect((await platform.askWith({ "x-api-key": "unknown" }, "GET /alerts")).status).toBe(401);
  });
});

describe(quote("5. Permissions are named resource:action (for example alerts:read, cases:write);"), () => {
  it("names every permission of a route as resource:action", () => {
    const needs = platform.app.registeredRoutes.flatMap(({ config }) => config.needs ?? []);
    const named = needs.filter((need) => !["public", "authenticated", "role:admin", "scim"].includes(need));
    expect(named.filter((need) => !/^[a-z]+:[a-z]+$/.test(need))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(["alerts:read", "cases:write"]));
  });
});

describe(quote("the users routes need the admin role."), () => {
  it.each(["manager", "tier3", "tier2", "tier1", "detection", "responder", "auditor", "agent"])(
    "the role %s gets 403 from all of them",
    async (role) => {
      const requests = ["GET /users", "POST /users", `DELETE /users/${NOTHING}`];
      const answers = await Promise.all(requests.map((route) => platform.ask(route, undefined, role)));
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    },
  );
});

describe("the routes of users", () => {
  it("GET /users/me returns the profile of the caller", async () => {
    for (const role of ["admin", "tier1"])
      expect(await platform.send("GET /users/me", undefined, role)).toMatchObject({ username: role, role });
  });

  it("POST /users returns the created user, GET /users lists all users, and DELETE removes one", async () => {
    const user = { username: "layla", password: ADMIN_PASSWORD, role: "tier1" };
    expect(await platform.send("POST /users", user)).toMatchObject({ username: "layla", role: "tier1" });
    const names = async () =>
      (await platform.send("GET /users?limit=200")).items.map(({ username }: { username: string }) => username);
    expect(await names()).toEqual(expect.arrayContaining(["admin", "layla"]));
    expect((await signIn({ username: "layla", password: ADMIN_PASSWORD })).status).toBe(200);
    await platform.send("DELETE /users/layla");
    expect(await names()).not.toContain("layla");
    expect((await signIn({ username: "layla", password: ADMIN_PASSWORD })).status).toBe(401);
  });

  it("never returns a password", async () => {
    const user = { username: "secret", password: "a password of the test", role: "tier1" };
    const { body } = await platform.ask("POST /users", user);
    expect(JSON.stringify([body, await platform.send("GET /users")])).not.toContain("a password of the test");
  });
});

describe(quote("A missing or expired token yields 401; insufficient permission yields 403."), () => {
  it("answers an expired token with 401", async () => {
    const { body } = await signIn();
    const [row] = await platform.query("SELECT private_jwk FROM signing_keys");
    const key = await importJWK(row?.private_jwk as JWK, "EdDSA");
    const [head = ""] = String(body.access_token).split(".");
    const header = JSON.parse(Buffer.from(head, "base64url").toString("utf8"));
    const claims = decodeJwt(body.access_token);
    const sign = (exp: number) => new SignJWT({ ...claims, exp }).setProtectedHeader(header).sign(key);
    const now = Math.floor(Date.now() / 1000);
    expect((await me({ authorization: `Bearer ${await sign(now + 60)}` })).status).toBe(200);
    expect((await me({ authorization: `Bearer ${await sign(now - 60)}` })).status).toBe(401);
  });

  it.each([
    ["no credentials", {}],
    ["an empty token", { authorization: "Bearer " }],
    ["another scheme", { authorization: "Basic YWRtaW46YWRtaW4=" }],
    ["a text that is no token", { authorization: "Bearer abc" }],
  ])("answers %s with 401", async (_what, headers) => {
    expect((await me(headers)).status).toBe(401);
  });

  it("answers a caller without the permission with 403", async () => {
    expect((await platform.ask(`DELETE /cases/${NOTHING}`, undefined, "tier1")).status).toBe(403);
  });
});

describe("the reads of the system", () => {
  it.each(["admin", "manager", "tier1", "auditor", "agent"])("allows the role %s", async (role) => {
    for (const path of ["mode", "topology"])
      expect((await platform.ask(`GET /system/${path}`, undefined, role)).status).toBe(200);
  });

  it("GET /health returns a health status without credentials", async () => {
    expect(await platform.askWith({}, "GET /health")).toMatchObject({ status: 200, body: { status: "ok" } });
  });
});

describe("the chat", () => {
  quote("server-sent event stream of tokens |");
  quote("- POST /chat/stream answers with a server-sent event stream that delivers tokens incrementally.");

  it("answers with a server-sent event stream", async () => {
    const ask = chatAs(platform.app, await platform.credentials("admin"));
    const { status, headers } = await ask("Which alerts are open?");
    expect([status, headers["content-type"]]).toEqual([200, expect.stringMatching(/^text\/event-stream/)]);
  });

  it("delivers the answer token by token", async () => {
    const ask = chatAs(platform.app, await platform.credentials("admin"));
    const { events, chunks, text } = await ask("Which alerts are open?");
    expect(events.filter(({ event }) => event === "token").length).toBeGreaterThan(1);
    expect(chunks).toBeGreaterThan(1);
    expect(text).not.toBe("");
  });

  it("allows every caller", async () => {
    expect((await chatAs(platform.app, await platform.credentials("auditor"))("Hello")).status).toBe(200);
  });
});

describe("the release", () => {
  it(quote("- The current platform release line is 2.0.x."), async () => {
    const manifest = await import("../../package.json", { with: { type: "json" } });
    expect(manifest.default.version).toMatch(/^2\.0\.\d+$/);
  });

  it("serves every documented route under the stable prefix", () => {
    const served = new Set(platform.app.registeredRoutes.map(({ method, path }) => `${method} ${path}`));
    const paths = ROUTES.map(({ route }) => route.replace(" ", " /api/v1").replaceAll(/\{(\w+)\}/g, ":$1"));
    expect(paths.filter((path) => !served.has(path))).toEqual([]);
  });
});
