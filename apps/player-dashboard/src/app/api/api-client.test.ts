import { describe, expect, it } from "vitest";
import { createApiClient } from "./api-client.ts";

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

async function catchFailure(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => expect.fail("the request succeeded"),
    (error: unknown) => error,
  );
}

describe("the API client", () => {
  it("sends JSON with the token, below /api", async () => {
    const { api, sent } = answering(() => Response.json({ success: true }), "t");
    await api.post("/playback/volume", { volume: 3 });
    expect(sent[0]?.path).toBe("/api/playback/volume");
    expect(sent[0]?.options).toMatchObject({
      method: "POST",
      body: '{"volume":3}',
      headers: { authorization: "Bearer t", "content-type": "application/json" },
    });
  });

  it("sends a file unchanged, and no authorization without a token", async () => {
    const { api, sent } = answering(() => Response.json({ success: true }));
    const body = new Blob(["firmware"]);
    await api.send({ method: "POST", path: "/ota/upload", body });
    expect(sent[0]?.options.body).toBe(body);
    expect(sent[0]?.options.headers).toEqual({});
  });

  it("throws the device's message when it refuses", async () => {
    const { api } = answering(() => Response.json({ error: "volume: at most 100" }, { status: 400 }));
    expect(await catchFailure(api.get("/x"))).toMatchObject({
      status: 400,
      message: "volume: at most 100",
      retryAfterSeconds: undefined,
    });
  });

  it("throws the refused field and the code of the reason", async () => {
    const headers = { "problem-field": "target.url", "problem-code": "scheme_forbidden" };
    const { api } = answering(() => Response.json({ error: "" }, { status: 400, headers }));
    expect(await catchFailure(api.get("/x"))).toMatchObject({ field: "target.url", code: "scheme_forbidden" });
  });

  it("throws the retry delay when the device is busy", async () => {
    const { api } = answering(() => Response.json({ error: "" }, { status: 429, headers: { "retry-after": "7" } }));
    expect(await catchFailure(api.get("/x"))).toMatchObject({ status: 429, retryAfterSeconds: 7 });
  });

  it.each([
    ["no answer", () => Promise.reject(new TypeError("Failed to fetch")), 0],
    ["an answer that is no JSON", () => new Response("<html>", { status: 502 }), 502],
    ["a success that is no JSON", () => new Response("<html>"), 200],
    ["a success that is no object", () => Response.json("yes"), 200],
  ])("throws an error for %s", async (_what, answer, status) => {
    const { api } = answering(answer);
    expect(await catchFailure(api.get("/x"))).toMatchObject({ status });
  });
});
