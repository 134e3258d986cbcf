import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeIds } from "@kit/clock/fake";
import { beforeAll, expect, it } from "vitest";
import { createFrame, type Frame } from "./frame.ts";

let app: Frame;

beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), "pages-"));
  const folder = join(parent, "dist");
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(parent, "secret.txt"), "the secret");
  await writeFile(join(folder, "index.html"), "<title>start page</title>");
  await writeFile(join(folder, "assets/main-abc123.js"), "main()");
  const errorBody = (detail: string) => ({ detail });
  app = createFrame({ errorBody, ids: createFakeIds(), bodyBytes: 9, bodyDepth: 9, pages: { folder, api: "/api" } });
});

it.each(["/", "/cases/42", "/index.html", "/?x=1"])(
  "answers %s with the start page, never cached blindly",
  async (url) => {
    const page = await app.inject(url);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("start page");
    expect(page.headers["content-type"]).toMatch(/^text\/html/);
    expect(page.headers["cache-control"]).toBe("no-cache");
    expect(page.headers["content-security-policy"]).not.toContain("unsafe");
  },
);

it("lets a browser keep a file whose name carries its hash", async () => {
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
  ["GET", "/../secret.txt"],
  ["GET", "/..%2fsecret.txt"],
  ["GET", "/%2e%2e/secret.txt"],
  ["GET", "/assets/..%5c..%5c..%5csecret.txt"],
])("refuses %s %s with 404 in the error body", async (method, url) => {
  const refused = await app.inject({ method: method as "GET", url });
  expect(refused.statusCode).toBe(404);
  expect(Object.keys(refused.json())).toEqual(["detail"]);
});
