import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { createFakeIds } from "@kit/clock/fake";
import { beforeAll, describe, expect, it } from "vitest";
import { createFrame, type Frame } from "./frame.ts";

let app: Frame;

beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), "pages-"));
  const folder = join(parent, "dist");
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(parent, "secret.txt"), "the secret");
  await writeFile(join(folder, "index.html"), "<title>start page</title>");
  await writeFile(join(folder, "assets/main-abc123.js"), "main()");
  await writeFile(join(folder, "index.html.br"), brotliCompressSync("<title>start page</title>"));
  await writeFile(join(folder, "index.html.gz"), gzipSync("<title>start page</title>"));
  await writeFile(join(folder, "sw.js"), "serviceWorker()");
  await writeFile(join(folder, "sw.js.br"), brotliCompressSync("serviceWorker()"));
  await writeFile(join(folder, "manifest.webmanifest"), "{}");
  await writeFile(join(folder, "icon-192.png"), "not really");
  const errorBody = (detail: string) => ({ detail });
  app = createFrame({ errorBody, ids: createFakeIds(), bodyBytes: 9, bodyDepth: 9, pages: { folder, api: "/api" } });
});

it.each(["/", "/cases/42", "/index.html", "/?x=1"])(
  "answers %s with the start page and requires revalidation",
  async (url) => {
    const page = await app.inject(url);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("start page");
    expect(page.headers["content-type"]).toMatch(/^text\/html/);
    expect(page.headers["cache-control"]).toBe("no-cache");
    expect(page.headers["content-security-policy"]).not.toContain("unsafe");
  },
);

it.each([
  ["/_license", "application/json"],
  ["/cases/42", "application/vnd.elasticsearch+json;compatible-with=8"],
])("refuses the unknown address %s for a program that asks for %s", async (url, accept) => {
  const refused = await app.inject({ url, headers: { accept } });
  expect([refused.statusCode, refused.json().detail]).toEqual([404, "path: there is nothing at this address"]);
});

it.each(["text/html,application/xhtml+xml,application/json;q=0.9", "*/*"])(
  "answers a client that accepts %s with the start page",
  async (accept) => {
    expect((await app.inject({ url: "/cases/42", headers: { accept } })).body).toContain("start page");
  },
);

it("answers a navigation to a path with a dot with the start page, and a missing asset with 404", async () => {
  const url = "/entity/ip/192.0.2.1";
  const visited = await app.inject({ url, headers: { accept: "text/html,*/*;q=0.8" } });
  expect([visited.statusCode, visited.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  const part = await app.inject({ url, headers: { accept: "*/*" } });
  expect(part.statusCode).toBe(404);
});

it("lets a browser cache a file whose name contains its hash", async () => {
  const script = await app.inject("/assets/main-abc123.js");
  expect(script.body).toBe("main()");
  expect(script.headers["cache-control"]).toContain("immutable");
});

it("answers HEAD without a body", async () => {
  const head = await app.inject({ method: "HEAD", url: "/" });
  expect(head.statusCode).toBe(200);
  expect(head.body).toBe("");
});

it.each([
  ["GET", "/api/nowhere"],
  ["GET", "/api"],
  ["GET", "/%61pi/nowhere"],
  ["POST", "/"],
  ["PROPFIND", "/"],
  ["GET", "/assets/gone.js"],
  ["GET", "/index.html.br"],
  ["GET", "/index.html.gz"],
  ["GET", "/../secret.txt"],
  ["GET", "/..%2fsecret.txt"],
  ["GET", "/%2e%2e/secret.txt"],
  ["GET", "/assets/..%5c..%5c..%5csecret.txt"],
])("refuses %s %s with 404 in the error body", async (method, url) => {
  const refused = await app.inject({ method: method as "GET", url });
  expect(refused.statusCode).toBe(404);
  expect(refused.json()).toEqual({ detail: "path: there is nothing at this address" });
});

it.each([
  ["/sw.js", /^(text|application)\/javascript/],
  ["/manifest.webmanifest", /^application\/manifest\+json/],
  ["/icon-192.png", /^image\/png$/],
])("serves %s with its type and requires revalidation", async (url, type) => {
  const answered = await app.inject({ url, headers: { "accept-encoding": "gzip, deflate, br" } });
  expect(answered.statusCode).toBe(200);
  expect(answered.headers["content-type"]).toMatch(type);
  expect(answered.headers["cache-control"]).toBe("no-cache");
});

describe("precompressed files", () => {
  const get = (accepted: string | undefined, headers: Record<string, string> = {}) =>
    app.inject({ url: "/", headers: { ...(accepted !== undefined && { "accept-encoding": accepted }), ...headers } });

  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["GZIP;q=0.1", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["identity", undefined],
    ["zstd", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("are sent to a browser that accepts %j as %s", async (accepted, encoding) => {
    const page = await get(accepted);
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-encoding"]).toBe(encoding);
    expect(page.headers["content-type"]).toMatch(/^text\/html/);
    expect(page.headers.vary).toBe("accept-encoding");
    expect(page.headers["content-length"]).toBe(String(page.rawPayload.length));
    expect(readAs(encoding, page.rawPayload)).toBe("<title>start page</title>");
  });

  it("sends a precompressed file in the form that exists", async () => {
    const worker = await app.inject({ url: "/sw.js", headers: { "accept-encoding": "gzip" } });
    expect([worker.headers["content-encoding"], worker.body]).toEqual([undefined, "serviceWorker()"]);
  });

  it("answers HEAD for a precompressed file with the same headers and without a body", async () => {
    const [page, head] = await Promise.all([
      get("br"),
      app.inject({ method: "HEAD", url: "/", headers: { "accept-encoding": "br" } }),
    ]);
    for (const name of ["content-encoding", "content-type", "content-length", "etag", "vary"]) {
      expect([name, head.headers[name]]).toEqual([name, page.headers[name]]);
    }
    expect(head.rawPayload).toHaveLength(0);
  });

  it("does not send a precompressed file again to a browser that has the same form", async () => {
    const tag = String((await get("br")).headers.etag);
    const known = await get("br", { "if-none-match": tag });
    expect([known.statusCode, known.body, known.headers.vary]).toEqual([304, "", "accept-encoding"]);
    expect(known.headers["content-security-policy"]).toContain("default-src 'self'");
    expect((await get("gzip", { "if-none-match": tag })).statusCode).toBe(200);
  });
});

function readAs(encoding: string | undefined, bytes: Buffer): string {
  if (encoding === "br") return brotliDecompressSync(bytes).toString();
  return (encoding === "gzip" ? gunzipSync(bytes) : bytes).toString();
}
