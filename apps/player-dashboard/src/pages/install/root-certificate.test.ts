import { expect, it } from "vitest";
import { readRoot } from "./root-certificate.ts";

const digest = (bytes: ArrayBuffer) => crypto.subtle.digest("SHA-256", bytes);

it("formats the fingerprint as phones show it", async () => {
  const root = await readRoot(async () => new Response("abc"), digest);
  // The digest of "abc" from FIPS 180-2, appendix B.1.
  const fingerprint = "BA 78 16 BF 8F 01 CF EA 41 41 40 DE 5D AE 22 23 B0 03 61 A3 96 17 7A 9C B4 10 FF 61 F2 00 15 AD";
  expect(root).toEqual({ state: "here", fingerprint });
});

it("offers the certificate even where no fingerprint can be computed", async () => {
  expect(await readRoot(async () => new Response("abc"), undefined)).toEqual({ state: "here", fingerprint: undefined });
});

it.each([
  [404, "none"],
  [429, "unknown"],
  [500, "unknown"],
])("treats a status of %i as %s", async (status, state) => {
  expect(await readRoot(async () => new Response("", { status }), digest)).toEqual({ state });
});

it("reports an unknown certificate when the device does not answer", async () => {
  expect(await readRoot(() => Promise.reject(new TypeError("Failed to fetch")), digest)).toEqual({ state: "unknown" });
});
