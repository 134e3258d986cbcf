import { gunzipSync } from "node:zlib";
import fastify from "fastify";
import { expect, it } from "vitest";
import { acceptsGzip, compressJson } from "./compression.ts";

const LARGE = { items: Array.from({ length: 500 }, (_, id) => ({ id, title: "a title" })) };

function createApp() {
  const app = fastify();
  compressJson(app);
  app.get("/large", async () => LARGE);
  app.get("/small", async () => ({ ok: true }));
  app.get("/lines", async (_, reply) => reply.type("application/x-ndjson").send("{}\n".repeat(5000)));
  app.post("/secret", async () => LARGE);
  app.post("/batch", { config: { isCompressed: true } }, async () => LARGE);
  return app;
}

const ask = (url: string, encoding?: string, method: "GET" | "POST" = "GET") =>
  createApp().inject({ method, url, headers: encoding === undefined ? {} : { "accept-encoding": encoding } });

it("compresses a large answer", async () => {
  const { headers, rawPayload } = await ask("/large", "gzip, deflate, br");
  expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
  expect(Number(headers["content-length"])).toBe(rawPayload.length);
  expect(rawPayload.length).toBeLessThan(JSON.stringify(LARGE).length / 3);
  expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(LARGE);
});

it("does not compress small answers, other types, answers without accepted encoding or with possible secrets", async () => {
  const answers = [
    await ask("/small", "gzip"),
    await ask("/lines", "gzip"),
    await ask("/large"),
    await ask("/large", "deflate"),
    await ask("/secret", "gzip", "POST"),
  ];
  expect(answers.map(({ headers }) => headers["content-encoding"])).toEqual(answers.map(() => undefined));
  // A cache must not hand the plain answer to every client.
  expect(answers[2]?.headers.vary).toBe("accept-encoding");
  expect((await ask("/batch", "gzip", "POST")).headers["content-encoding"]).toBe("gzip");
});

it.each([
  ["br, gzip", true],
  ["gzip;q=0.0", false],
  ["GZIP;q=0.5", true],
  ["gzip;q=0.05", true],
  ["br, gzippy", false],
  ["", false],
  [undefined, false],
])("parses Accept-Encoding %s: %s", (accepted, expected) => {
  expect(acceptsGzip(accepted)).toBe(expected);
});
