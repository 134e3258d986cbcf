import { describe, expect, it } from "vitest";
import { ApiError, createApiClient, isRecord } from "./api-client.ts";

const isPong = (body: unknown): body is { pong: true } => isRecord(body) && body.pong === true;

function answering(answer: () => Response | Promise<Response>, token?: string) {
  const sent: { path: string; options: RequestInit }[] = [];
  const api = createApiClient({
    fetch: async (path, options) => {
      sent.push({ path, options });
      return answer();
    },
    deadline: () => new AbortController().signal,
    token: () => token,
  });
  return { api, sent };
}

async function catchFailure(request: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await request.then(
    () => expect.fail("the request succeeded"),
    (cause: unknown) => cause,
  );
  if (!(error instanceof ApiError)) throw error;
  return error;
}

describe("the API client", () => {
  it("sends JSON with the token, below /api/v1 and without cookies", async () => {
    const { api, sent } = answering(() => Response.json({ pong: true }), "t");
    expect(await api.post("/ping", { ping: true }, isPong)).toEqual({ pong: true });
    expect(sent[0]?.path).toBe("/api/v1/ping");
    expect(sent[0]?.options).toMatchObject({
      method: "POST",
      body: '{"ping":true}',
      credentials: "omit",
      headers: { authorization: "Bearer t", "content-type": "application/json" },
    });
  });

  it("sends no authorization before sign-in", async () => {
    const { api, sent } = answering(() => Response.json({ pong: true }));
    await api.get("/ping", isPong);
    expect(sent[0]?.options.headers).toEqual({});
  });

  it.each([
    [
      "a detail",
      () => Response.json({ detail: "username or password is wrong" }, { status: 401 }),
      { status: 401, message: "username or password is wrong" },
    ],
    ["no body", () => new Response(null, { status: 502 }), { status: 502, message: "HTTP 502" }],
    ["another body", () => Response.json({ message: "no" }, { status: 403 }), { status: 403, message: "HTTP 403" }],
  ])("throws the service's own words when a refusal has %s", async (_what, answer, error) => {
    const { api } = answering(answer);
    expect(await catchFailure(api.get("/ping", isPong))).toMatchObject({ ...error, retryAfterSeconds: undefined });
  });

  it.each([
    ["90", 90],
    ["0", 0],
    ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    ["-5", undefined],
    ["", undefined],
  ])("reads Retry-After '%s' as %s seconds", async (header, retryAfterSeconds) => {
    const { api } = answering(() =>
      Response.json({ detail: "too many sign-ins" }, { status: 429, headers: { "retry-after": header } }),
    );
    expect(await catchFailure(api.get("/ping", isPong))).toMatchObject({ status: 429, retryAfterSeconds });
  });

  it.each([
    ["the connection is lost", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["a proxy answers with a page", () => new Response("<h1>Gateway</h1>")],
    ["a proxy refuses with a page", () => new Response("<h1>Gateway</h1>", { status: 502 })],
    ["the body has another shape", () => Response.json({ ping: true })],
  ])("reports status 0 when %s", async (_what, answer) => {
    const { api } = answering(answer);
    expect(await catchFailure(api.get("/ping", isPong))).toMatchObject({ status: 0 });
  });
});
