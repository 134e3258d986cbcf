import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { invalidField, Problem } from "@kit/problem";
import Type from "typebox";
import { describe, expect, it } from "vitest";
import { createFrame, type FrameOptions } from "./frame.ts";
import { createFixedWindows } from "./limits.ts";

const SeekRequest = Type.Object(
  {
    position: Type.Number({ minimum: 0 }),
    mode: Type.Optional(Type.Enum(["off", "on"])),
    ab: Type.Optional(Type.Object({ from: Type.Integer(), to: Type.Integer() }, { additionalProperties: false })),
  },
  { additionalProperties: false },
);
const ListQuery = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })) });

function createTestFrame(options: Partial<FrameOptions> = {}) {
  const errorBody = (error: string) => ({ error });
  const pages = { folder: import.meta.dirname, api: "/api" };
  const app = createFrame({ errorBody, ids: createFakeIds(), bodyBytes: 1024, bodyDepth: 8, pages, ...options });
  app.post("/seek", { schema: { body: SeekRequest } }, async ({ body }) => ({ received: body }));
  app.get("/list", { schema: { querystring: ListQuery } }, async ({ query }) => query);
  app.post("/pause", async () => ({ success: true }));
  app.get("/bug", async () => {
    throw new Error("SELECT password FROM users");
  });
  app.get("/busy", async () => {
    throw new Problem("unavailable", "the database did not answer", { code: "database_unreachable" });
  });
  app.get("/unsafe", async () => {
    throw invalidField("tags.a\r\nset-cookie: x", "is unknown", { code: "sürah" });
  });
  return app;
}

const seek = (payload: string | object, headers: Record<string, string> = {}) =>
  createTestFrame().inject({ method: "POST", url: "/seek", payload, headers });

describe("request bodies", () => {
  it.each([
    [{ position: "5" }, "position: must be a number of at least 0"],
    [{ position: -1 }, "position: must be a number of at least 0"],
    [{}, "position: is required"],
    [{ position: 1, mode: "loud" }, "mode: must be one of off, on"],
    [{ position: 1, ab: { from: 1 } }, "ab.to: is required"],
    [{ position: 1, ab: { from: 1, to: 1.5 } }, "ab.to: must be an integer"],
    ["[1]", "body: must be an object"],
    ['"text"', "body: must be an object"],
    ["null", "body: must be an object"],
    ["", "body: must be an object"],
    ["{position:1}", "body: must be valid JSON"],
    ['{"position":1,"__proto__":{"admin":true}}', "body: must be valid JSON"],
    [`{"position":1,"x":${"[".repeat(9)}${"]".repeat(9)}}`, "body: must be at most 8 levels deep"],
    [{ position: 1, note: "x".repeat(1024) }, "body: must be at most 1024 bytes"],
  ])("refuses %j", async (payload, error) => {
    const refused = await seek(payload, { "content-type": "application/json" });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({ error });
  });

  it("treats null as absent where a field is optional, and refuses it where it is required", async () => {
    const accepted = await seek({ position: 1, mode: null, ab: null });
    expect(accepted.json()).toEqual({ received: { position: 1 } });
    expect((await seek({ position: null })).json()).toEqual({ error: "position: must be a number of at least 0" });
  });

  it.each([
    [{ hour: 1, minute: 2 }, undefined],
    [{ anchor: 3, hour: null }, undefined],
    [{}, "hour: is required unless anchor is given"],
    [{ hour: 1 }, "minute: is required unless anchor is given"],
    [{ hour: 1, minute: 2, anchor: 3 }, "anchor: must not come together with hour and minute"],
    [{ anchor: "3" }, "anchor: must be an integer"],
    ["[1]", "body: must be an object"],
    ["5", "body: must be an object"],
  ])("requires one of two groups of fields in %j", async (payload, error) => {
    const app = createTestFrame();
    const number = Type.Optional(Type.Integer());
    const body = Type.Object(
      { hour: number, minute: number, anchor: number },
      { additionalProperties: false, oneOf: [{ required: ["hour", "minute"] }, { required: ["anchor"] }] },
    );
    app.post("/plan", { schema: { body } }, async () => ({}));
    const headers = { "content-type": "application/json" };
    const answered = await app.inject({ method: "POST", url: "/plan", payload, headers });
    expect(answered.json()).toEqual(error === undefined ? {} : { error });
  });

  it("drops unknown fields", async () => {
    const accepted = await seek({ position: 1, ab: { from: 1, to: 2, role: "admin" }, is_admin: true });
    expect(accepted.json()).toEqual({ received: { position: 1, ab: { from: 1, to: 2 } } });
  });

  it("parses JSON of any content type", async () => {
    const accepted = await seek('{"position":1}', { "content-type": "application/x-www-form-urlencoded" });
    expect(accepted.json()).toEqual({ received: { position: 1 } });
  });

  it("counts only brackets outside strings", async () => {
    const accepted = await seek(`{"position":1,"note":"${"[".repeat(20)}\\"${"{".repeat(20)}"}`);
    expect(accepted.statusCode).toBe(200);
  });

  it("ignores the body of a request to a route without a body", async () => {
    const app = createTestFrame();
    for (const payload of ["{", "x".repeat(5000), "[[[[[[[[[[[["]) {
      const headers = { "content-type": "application/json" };
      expect((await app.inject({ method: "POST", url: "/pause", payload, headers })).statusCode).toBe(200);
    }
  });

  it("refuses to start with a body schema that allows unknown fields", () => {
    const open = Type.Object({ a: Type.Object({}, { additionalProperties: false }), b: Type.Object({}) });
    const schema = { body: Type.Object({ open }, { additionalProperties: false }) };
    expect(() => createTestFrame().post("/open", { schema }, async () => ({}))).toThrow(
      "POST /open: body.properties.open must set additionalProperties",
    );
  });
});

describe("query parameters", () => {
  it.each([
    ["/list", { limit: 50 }],
    ["/list?limit=7&unknown=1", { limit: 7, unknown: "1" }],
  ])("parses %s", async (url, query) => {
    expect((await createTestFrame().inject(url)).json()).toEqual(query);
  });

  it.each([["201"], ["0"], ["1.5"], ["x"], [""], ["1&limit=2"]])("refuses limit=%s and names it", async (limit) => {
    const refused = await createTestFrame().inject(`/list?limit=${limit}`);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({ error: "limit: must be an integer from 1 to 200" });
  });
});

describe("characters that no database stores", () => {
  function createNamedApp() {
    const app = createTestFrame();
    const querystring = Type.Object({ q: Type.Optional(Type.String()) }, { additionalProperties: false });
    app.get("/files/:name", { schema: { querystring } }, async ({ params }) => ({ params }));
    app.get("/old", async () => ({}));
    return app;
  }

  it.each([
    ["/files/%00", "name"],
    ["/files/a%00b?q=x", "name"],
    ["/files/a?q=%00", "q"],
    ["/files/a?q=x&q=%00", "q"],
    ["/files/a?other=%00", "other"],
    ["/files/a?%00=x", "path"],
    ["/old?tag=%00", "tag"],
  ])("are refused in %s", async (url, field) => {
    const refused = await createNamedApp().inject(url);
    expect([refused.statusCode, refused.json(), refused.headers["problem-field"]]).toEqual([
      400,
      { error: `${field}: contains a character that cannot be stored` },
      field,
    ]);
  });

  it.each(["/files/%F0%9F%94%A5?q=%1b%20%D8%B3", "/old"])("are not seen in %s", async (url) => {
    expect((await createNamedApp().inject(url)).statusCode).toBe(200);
  });
});

describe("error answers", () => {
  it.each([
    ["/busy", 503, "the database did not answer"],
    ["/bug", 500, "internal error"],
    ["/api/nowhere?token=abc", 404, "path: there is nothing at this address"],
    ["/%zz", 400, "path: is malformed"],
  ])("answers %s with %i and the one documented field", async (url, status, error) => {
    const refused = await createTestFrame().inject(url);
    expect(refused.statusCode).toBe(status);
    expect(refused.json()).toEqual({ error });
  });

  it("logs a bug once with its stack and the request's id", async () => {
    const lines: object[] = [];
    const log = { ...silentLog, error: (fields: object) => lines.push(fields) };
    const answered = await createTestFrame({ log }).inject("/bug");
    const request = { request_id: answered.headers["x-request-id"], method: "GET", route: "/bug" };
    expect(lines).toEqual([{ ...request, err: expect.any(Error) }]);
  });

  it.each([
    ["GET", "/list", []],
    [
      "GET",
      "/list?limit=0",
      [{ method: "GET", route: "/list", kind: "invalid", why: expect.stringMatching(/^limit: /) }],
    ],
    ["POST", "/pause", [{ method: "POST", route: "/pause", status: 200, ms: expect.any(Number) }]],
    ["POST", "/seek", [{ method: "POST", route: "/seek", kind: "invalid", why: "body: must be an object" }]],
    [
      "POST",
      "/api/token?token=x",
      [{ method: "POST", kind: "not_found", why: "path: there is nothing at this address" }],
    ],
  ])("logs %s %s at most once, as a refusal with its reason", async (method, url, lines) => {
    const logged: object[] = [];
    const log = { ...silentLog, info: (fields: object) => logged.push(fields) };
    await createTestFrame({ log }).inject({ method: method as "GET", url });
    expect(logged).toMatchObject(lines);
    expect(logged).toHaveLength(lines.length);
    expect(JSON.stringify(logged)).not.toContain("token");
  });
});

describe("problem headers", () => {
  it.each([
    ["/list?limit=0", "limit", undefined],
    ["/busy", undefined, "database_unreachable"],
    ["/bug", undefined, undefined],
    ["/api/nowhere", "path", undefined],
    ["/%zz", "path", undefined],
  ])("name the field and code of %s only if they are set", async (url, field, code) => {
    const { headers } = await createTestFrame().inject(url);
    expect([headers["problem-field"], headers["problem-code"]]).toEqual([field, code]);
  });

  it.each([
    [{ position: 1, ab: { from: 1 } }, "ab.to"],
    [{ position: "5" }, "position"],
    ["[1]", "body"],
    ["{position:1}", "body"],
    [`{"position":1,"x":${"[".repeat(9)}${"]".repeat(9)}}`, "body"],
    [{ position: 1, note: "x".repeat(1024) }, "body"],
  ])("name the field for which the body %j is refused", async (payload, field) => {
    const refused = await seek(payload, { "content-type": "application/json" });
    expect(refused.headers["problem-field"]).toBe(field);
  });

  it("omits problem headers with values that a header cannot contain", async () => {
    const refused = await createTestFrame().inject("/unsafe");
    expect(refused.statusCode).toBe(400);
    expect(Object.keys(refused.headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/problem-|cookie/)]),
    );
  });
});

describe("rate limits", () => {
  it("answers 429 with Retry-After before the body is read", async () => {
    const budget = { name: "playback", limit: 2, windowMs: 10_000 };
    const windows = createFixedWindows({ clock: createFakeClock() });
    const app = createTestFrame({ limits: { windows, budgetOf: () => budget, findClient: (address) => address } });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      statuses.push((await app.inject({ method: "POST", url: "/seek", payload: "{" })).statusCode);
    }
    expect(statuses).toEqual([400, 400, 429]);
    const refused = await app.inject("/nowhere");
    expect(refused.headers["retry-after"]).toBe("10");
    expect(refused.json()).toEqual({ error: "too many requests; see Retry-After" });
  });

  it.each([
    ["counts the client that a trusted proxy names", ["10.0.0.0/8"], "10.0.0.7", [404, 404, 429]],
    ["counts the last address that no trusted proxy added", ["10.0.0.7"], "10.0.0.7", [404, 404, 429]],
    ["ignores the header of everyone else", ["10.0.0.0/8"], "192.0.2.1", [404, 429, 429]],
    ["ignores the header without trusted proxies", undefined, "10.0.0.7", [404, 429, 429]],
  ])("%s", async (_what, trustedProxies, remoteAddress, expected) => {
    const budget = { name: "all", limit: 1, windowMs: 10_000 };
    const windows = createFixedWindows({ clock: createFakeClock() });
    const limits = { windows, budgetOf: () => budget, findClient: (address: string) => address };
    const app = createTestFrame({ limits, trustedProxies });
    const statuses: number[] = [];
    for (const client of ["203.0.113.1", "198.51.100.9, 203.0.113.2", "198.51.100.8, 203.0.113.2"]) {
      const headers = { "x-forwarded-for": client };
      statuses.push((await app.inject({ url: "/nowhere", headers, remoteAddress })).statusCode);
    }
    expect(statuses).toEqual(expected);
  });
});

it("creates an id for every request and ignores an id from the client", async () => {
  const app = createTestFrame();
  const first = await app.inject({ url: "/list", headers: { "x-request-id": "mine" } });
  const second = await app.inject("/list");
  expect(first.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
});

it("lists the registered routes with their declarations", () => {
  expect(createTestFrame().registeredRoutes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /seek",
    "GET /list",
    "POST /pause",
    "GET /bug",
    "GET /busy",
    "GET /unsafe",
  ]);
});
