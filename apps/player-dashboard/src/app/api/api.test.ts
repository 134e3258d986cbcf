import { describe, expect, it } from "vitest";
import { createApi } from "./api.ts";

function answering(answer: () => Response | Promise<Response>, token?: string) {
  const asked: { path: string; options: RequestInit }[] = [];
  const api = createApi({
    fetch: async (path, options) => {
      asked.push({ path, options });
      return answer();
    },
    deadline: () => new AbortController().signal,
    token: () => token,
  });
  return { api, asked };
}

async function refusalOf(asking: Promise<unknown>): Promise<unknown> {
  return asking.then(
    () => expect.fail("it was answered"),
    (error: unknown) => error,
  );
}

describe("api", () => {
  it("sends JSON with the token, below /api", async () => {
    const { api, asked } = answering(() => Response.json({ success: true }), "t");
    await api.post("/playback/volume", { volume: 3 });
    expect(asked[0]?.path).toBe("/api/playback/volume");
    expect(asked[0]?.options).toMatchObject({
      method: "POST",
      body: '{"volume":3}',
      headers: { authorization: "Bearer t", "content-type": "application/json" },
    });
  });

  it("sends a file as it is, and no token when there is none", async () => {
    const { api, asked } = answering(() => Response.json({ success: true }));
    const body = new Blob(["firmware"]);
    await api.ask({ method: "POST", path: "/ota/upload", body });
    expect(asked[0]?.options.body).toBe(body);
    expect(asked[0]?.options.headers).toEqual({});
  });

  it("says what the device refused", async () => {
    const { api } = answering(() => Response.json({ error: "volume: at most 100" }, { status: 400 }));
    expect(await refusalOf(api.get("/x"))).toMatchObject({ status: 400, message: "volume: at most 100" });
  });

  it("says how long to wait", async () => {
    const { api } = answering(() => Response.json({ error: "" }, { status: 429, headers: { "retry-after": "7" } }));
    expect(await refusalOf(api.get("/x"))).toMatchObject({ status: 429, retryAfterSeconds: 7 });
  });

  it.each([
    ["no answer", () => Promise.reject(new TypeError("Failed to fetch")), 0],
    ["an answer that is no JSON", () => new Response("<html>", { status: 502 }), 502],
    ["a success that is no object", () => Response.json("yes"), 200],
  ])("takes %s for a failure", async (_what, answer, status) => {
    const { api } = answering(answer);
    expect(await refusalOf(api.get("/x"))).toMatchObject({ status });
  });
});
