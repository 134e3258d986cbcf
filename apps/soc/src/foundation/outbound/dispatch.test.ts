import { expect, it } from "vitest";
import { buildFacts, type Dispatch } from "./dispatch.ts";

const DISPATCH: Dispatch = {
  kind: "effect",
  destination: "edr",
  purpose: "isolate an endpoint",
  method: "POST",
  url: "https://edr.example.org:8443/api/isolate?token=s3cret#s3cret",
  headers: { authorization: "Bearer s3cret" },
  body: "hello",
  timeoutMs: 1000,
};

it("records what identifies a dispatch, but no headers, body or query", () => {
  expect(buildFacts(DISPATCH, "dry_run")).toEqual({
    mode: "dry_run",
    kind: "effect",
    destination: "edr",
    purpose: "isolate an endpoint",
    method: "POST",
    host: "edr.example.org:8443",
    path: "/api/isolate",
    body_sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    body_bytes: 5,
  });
});

it("counts bytes, not characters, and 0 without a body", () => {
  const { body: _, ...bodiless } = DISPATCH;
  expect(buildFacts({ ...DISPATCH, body: "é€" }, "real").body_bytes).toBe(5);
  expect(buildFacts({ ...DISPATCH, body: Buffer.from("hello") }, "real")).toEqual(buildFacts(DISPATCH, "real"));
  expect(buildFacts(bodiless, "real")).toMatchObject({
    body_sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    body_bytes: 0,
  });
});

it.each([
  ["/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "/services/T00000000/B00000000/…"],
  ["/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11/sendMessage", "/…/sendMessage"],
  ["/endpoints/0197f000-0000-7000-8000-000000000001/scan", "/endpoints/0197f000-0000-7000-8000-000000000001/scan"],
  ["", "/"],
])("records the path %s as %s", (path, written) => {
  expect(buildFacts({ ...DISPATCH, url: `https://example.org${path}` }, "real").path).toBe(written);
});

it("does not record a password in the URL", () => {
  const facts = buildFacts({ ...DISPATCH, url: "https://sara:s3cret@example.org/" }, "real");
  expect(JSON.stringify(facts)).not.toContain("s3cret");
});

it("refuses an invalid URL", () => {
  expect(() => buildFacts({ ...DISPATCH, url: "edr.example.org" }, "real")).toThrow("edr: must be a valid URL");
});
