import { describe, expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { createPace } from "./pace.ts";
import { createServer, formatQuery } from "./server.ts";

function answering(answer: () => Response | Promise<Response>, token?: string, isProven = false) {
  const sent: { path: string; options: RequestInit }[] = [];
  const noted: unknown[] = [];
  let ends = 0;
  const factors = { missing: 0, asked: 0 };
  const pace = createPace({
    nowMs: () => 0,
    // Timers fire at once.
    after: (_delayMs, task) => {
      queueMicrotask(task);
      return () => undefined;
    },
  });
  const server = createServer({
    fetch: async (path, options) => {
      sent.push({ path, options });
      return answer();
    },
    deadline: () => new AbortController().signal,
    pace: { ...pace, block: () => undefined, note: (reading) => noted.push(reading) },
    token: () => token,
    onUnauthenticated: () => {
      ends += 1;
    },
    onFactorMissing: () => {
      factors.missing += 1;
    },
    stepUp: async () => {
      factors.asked += 1;
      return isProven;
    },
  });
  return { server, sent, noted, factors, countEnds: () => ends };
}

async function catchFailure(request: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await request.then(
    () => expect.fail("the request succeeded"),
    (cause: unknown) => cause,
  );
  if (!(error instanceof ApiError)) throw error;
  return error;
}

describe("a file", () => {
  it("returns a file as the service sent it, and throws for a refusal", async () => {
    const { server, sent } = answering(() => new Response("a,b\r\n", { headers: { "content-type": "text/csv" } }));
    const file = await server.download("/audit/export", { query: { format: "csv" } });
    expect([await file.text(), sent[0]?.path]).toEqual(["a,b\r\n", "/api/v1/audit/export?format=csv"]);
    const refused = answering(() => Response.json({ detail: "no" }, { status: 403 }));
    expect((await catchFailure(refused.server.download("/audit/export"))).status).toBe(403);
  });
});

describe("a refusal for want of a second factor", () => {
  const refuse = (code: string) =>
    Response.json({ detail: "a second factor is needed" }, { status: 403, headers: { "problem-code": code } });
  const notFresh = () => refuse("factor_not_fresh");

  it("asks for a second factor and retries the request", async () => {
    const answers = [notFresh(), Response.json({ done: true })];
    const { server, sent, factors } = answering(
      () => answers.shift() ?? expect.fail("asked too often"),
      undefined,
      true,
    );
    expect(await server.post("/approvals/7/decide", { approved: true })).toEqual({ done: true });
    expect(sent.map(({ options }) => options.body)).toEqual(['{"approved":true}', '{"approved":true}']);
    expect(factors).toEqual({ missing: 0, asked: 1 });
  });

  it("asks once, and fails if the user provides none", async () => {
    const proven = answering(notFresh, undefined, true);
    expect((await catchFailure(proven.server.post("/users"))).status).toBe(403);
    expect([proven.sent.length, proven.factors.asked]).toEqual([2, 1]);
    const declined = answering(notFresh);
    expect((await catchFailure(declined.server.post("/users"))).status).toBe(403);
    expect(declined.sent).toHaveLength(1);
  });

  it("reports a user who must set up a second factor", async () => {
    const { server, factors } = answering(() => refuse("factor_missing"));
    expect((await catchFailure(server.get("/alerts"))).status).toBe(403);
    expect(factors).toEqual({ missing: 1, asked: 0 });
  });
});

describe("the client of the service", () => {
  it("sends JSON below /api/v1 with the session cookie", async () => {
    const { server, sent } = answering(() => Response.json({ pong: true }));
    expect(await server.post("/ping", { ping: true })).toEqual({ pong: true });
    expect(sent[0]?.path).toBe("/api/v1/ping");
    expect(sent[0]?.options).toMatchObject({
      method: "POST",
      body: '{"ping":true}',
      credentials: "same-origin",
      headers: { accept: "application/json", "content-type": "application/json" },
    });
  });

  it("sends the token if the browser stores no cookie", async () => {
    const { server, sent } = answering(() => Response.json({}), "t");
    await server.get("/ping");
    expect(sent[0]?.options).toMatchObject({ credentials: "omit", headers: { authorization: "Bearer t" } });
  });

  it("sends If-Match and reads the response headers", async () => {
    const { server, sent } = answering(() => Response.json({}, { headers: { etag: '"2"', "x-change-id": "c" } }));
    const { etag, changeId } = await server.send("PATCH", "/a", { body: {}, ifMatch: '"1"' });
    expect(sent[0]?.options.headers).toMatchObject({ "if-match": '"1"' });
    expect({ etag, changeId }).toEqual({ etag: '"2"', changeId: "c" });
  });

  it.each([
    [{}, ""],
    [{ a: 1, b: undefined, c: false }, "?a=1&c=false"],
    [{ status: ["new", "triaged"], q: "a b&c" }, "?status=new&status=triaged&q=a+b%26c"],
  ])("encodes the query %j as %s", (query, text) => {
    expect(formatQuery(query)).toBe(text);
  });

  it.each([
    [
      "a detail",
      () => Response.json({ detail: "host: unknown" }, { status: 400, headers: { "problem-field": "host" } }),
      { status: 400, message: "host: unknown", field: "host" },
    ],
    ["no body", () => new Response(null, { status: 502 }), { status: 502, message: "HTTP 502" }],
    ["another body", () => Response.json({ message: "no" }, { status: 403 }), { status: 403, message: "HTTP 403" }],
  ])("throws the service's message when a refusal has %s", async (_what, answer, error) => {
    const { server } = answering(answer);
    expect(await catchFailure(server.get("/ping"))).toMatchObject({ ...error, retryAfterSeconds: undefined });
  });

  it("reports the end of the session", async () => {
    const { server, countEnds } = answering(() => Response.json({ detail: "token: missing" }, { status: 401 }));
    await catchFailure(server.get("/ping"));
    expect(countEnds()).toBe(1);
  });

  it("retries a read twice at the rate limit, but never a change", async () => {
    const refuse = () => Response.json({ detail: "too many" }, { status: 429, headers: { "retry-after": "3" } });
    const { server, sent } = answering(refuse);
    expect(await catchFailure(server.get("/ping"))).toMatchObject({ status: 429, retryAfterSeconds: 3 });
    expect(sent).toHaveLength(3);
    await catchFailure(server.post("/ping", {}));
    expect(sent).toHaveLength(4);
  });

  it.each([
    ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    ["-5", undefined],
    ["", undefined],
    ["0", 0],
    ["90", 90],
  ])("parses Retry-After '%s' as %s seconds", async (header, retryAfterSeconds) => {
    const { server } = answering(() => Response.json({}, { status: 429, headers: { "retry-after": header } }));
    expect(await catchFailure(server.post("/ping"))).toMatchObject({ status: 429, retryAfterSeconds });
  });

  it.each([
    ["the connection is lost", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["a proxy answers with a page", () => new Response("<h1>Gateway</h1>")],
    ["a proxy refuses with a page", () => new Response("<h1>Gateway</h1>", { status: 502 })],
  ])("reports status 0 when %s", async (_what, answer) => {
    const { server } = answering(answer);
    expect(await catchFailure(server.get("/ping"))).toMatchObject({ status: 0 });
  });
});

describe("the limit of requests", () => {
  it("applies the general limit: the limit of playbooks does not delay other requests", async () => {
    const answer = (limit: string, remaining: string) =>
      Response.json(
        {},
        { headers: { "ratelimit-limit": limit, "ratelimit-remaining": remaining, "ratelimit-reset": "30" } },
      );
    const answers = [answer("100", "80"), answer("5", "0"), answer("100", "78")];
    const { server, noted } = answering(() => answers.shift() ?? expect.fail("asked too often"));
    await server.get("/cases");
    await server.post("/soar/playbooks/contain/execute", {});
    await server.get("/cases");
    expect(noted).toEqual([
      { limit: 100, remaining: 80, resetSeconds: 30 },
      { limit: 100, remaining: 78, resetSeconds: 30 },
    ]);
  });
});

describe("reads of one moment", () => {
  const item = (status: number, body: unknown) => ({ status, body });
  const batch = (...responses: readonly object[]) => Response.json({ responses });

  it("are one request, each with its own answer", async () => {
    const { server, sent } = answering(() => batch(item(200, { me: 1 }), item(200, { items: [] })));
    const [me, list] = await Promise.all([
      server.get("/users/me", { priority: "prefetch" }),
      server.get("/alerts", { query: { q: "a b" } }),
    ]);
    expect([me, list]).toEqual([{ me: 1 }, { items: [] }]);
    expect(sent.map(({ path, options }) => [options.method, path, options.body])).toEqual([
      ["POST", "/api/v1/batch", '{"requests":[{"path":"/api/v1/users/me"},{"path":"/api/v1/alerts?q=a+b"}]}'],
    ]);
  });

  it("are more requests when they are more than a batch takes", async () => {
    const { server, sent } = answering(() => batch(...Array.from({ length: 20 }, () => item(200, 1))));
    await Promise.all(Array.from({ length: 40 }, (_, at) => server.get(`/alerts/${at}`)));
    expect(sent).toHaveLength(2);
  });

  it("do not wait for searches, for what the user waits for, or for files", async () => {
    const { server, sent } = answering(() => Response.json({}));
    await Promise.all([
      server.get("/siem/logs"),
      server.get("/entities/host/ws7"),
      server.get("/cases", { priority: "user" }),
      server.get("/alerts"),
      server.download("/audit/export"),
    ]);
    expect(sent.every(({ options }) => options.method === "GET")).toBe(true);
  });

  it("are sent again alone when refused, because only a response has the headers of the refusal", async () => {
    const answers = [
      batch(item(403, { detail: "no" }), item(200, 2)),
      Response.json({ detail: "no" }, { status: 403, headers: { "problem-code": "site" } }),
    ];
    const { server, sent } = answering(() => answers.shift() ?? expect.fail("asked too often"));
    const [refused, read] = await Promise.allSettled([server.get("/a"), server.get("/b")]);
    expect(refused).toMatchObject({ status: "rejected", reason: { status: 403, code: "site" } });
    expect(read).toEqual({ status: "fulfilled", value: 2 });
    expect(sent.map(({ path }) => path)).toEqual(["/api/v1/batch", "/api/v1/a"]);
  });

  it("are sent alone when the service refuses the batch, and fail together without an answer", async () => {
    const answers = [Response.json({ detail: "down" }, { status: 503 }), Response.json(1), Response.json(2)];
    const { server } = answering(() => answers.shift() ?? expect.fail("asked too often"));
    expect(await Promise.all([server.get("/a"), server.get("/b")])).toEqual([1, 2]);
    const lost = answering(() => Promise.reject(new TypeError("Failed to fetch")));
    const both = await Promise.allSettled([lost.server.get("/a"), lost.server.get("/b")]);
    expect(both).toMatchObject([{ reason: { status: 0 } }, { reason: { status: 0 } }]);
    expect(lost.sent).toHaveLength(1);
  });

  it("leave one by one, and the request is aborted with the last", async () => {
    const { server, sent } = answering(() => new Promise(() => undefined));
    const [one, other] = [new AbortController(), new AbortController()];
    const reads = [server.get("/a", { signal: one.signal }), server.get("/b", { signal: other.signal })];
    const ended = Promise.allSettled(reads);
    await expect.poll(() => sent.length).toBe(1);
    one.abort("left");
    expect(sent[0]?.options.signal?.aborted).toBe(false);
    other.abort("left");
    expect(sent[0]?.options.signal?.aborted).toBe(true);
    expect(await ended).toMatchObject([{ reason: "left" }, { reason: "left" }]);
  });
});

it("ends the session for a refused request that fetch did not send, such as an upload", () => {
  const { server, countEnds } = answering(() => expect.fail("nothing is sent"));
  const headers = new Headers({ "x-request-id": "r-7", "problem-field": "sha256" });
  const error = server.refuse({ status: 401, headers }, { detail: "sign in again" });
  expect(error).toMatchObject({ status: 401, message: "sign in again", requestId: "r-7", field: "sha256" });
  expect(countEnds()).toBe(1);
  server.refuse({ status: 409, headers }, {});
  expect(countEnds()).toBe(1);
});

describe("an answer that comes in pieces", () => {
  it("delivers a streamed response as it arrives, without queueing", async () => {
    const { server, sent } = answering(() => new Response("event: done\n\n"));
    const body = await server.open("/chat/stream", { body: { message: "what is new" } });
    expect(await new Response(body).text()).toBe("event: done\n\n");
    expect(sent[0]).toMatchObject({ path: "/api/v1/chat/stream", options: { method: "POST" } });
  });

  it("refuses a stream as any other request, and ends the session", async () => {
    const { server, countEnds } = answering(() => Response.json({ detail: "sign in" }, { status: 401 }));
    const error = await catchFailure(server.open("/chat/stream", { body: {} }));
    expect([error.status, error.message, countEnds()]).toEqual([401, "sign in", 1]);
  });
});
