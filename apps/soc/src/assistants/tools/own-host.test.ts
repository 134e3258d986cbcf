import { expect, it } from "vitest";
import { createOwnHost } from "./own-host.ts";

const local = createOwnHost({ publicUrl: undefined, hostname: "soc-box" });
const open = createOwnHost({ publicUrl: "https://soc.example.org/", hostname: "soc-box" });

it.each([
  ["127.0.0.1:8080", undefined],
  ["[::1]:8080", undefined],
  ["192.0.2.7", undefined],
  ["localhost:8080", "http://localhost:8080"],
  ["soc-box:8080", undefined],
])("accepts Host %s and Origin %s", (host, origin) => {
  expect(() => local.require({ protocol: "http", headers: { host, origin } })).not.toThrow();
});

it.each([
  ["evil.example", undefined, /^Host: /],
  ["localhost.evil.example:8080", undefined, /^Host: /],
  ["127.0.0.1.evil.example", undefined, /^Host: /],
  ["user@localhost", "http://localhost:1", /^Origin: /],
  [undefined, undefined, /^Host: /],
  ["", undefined, /^Host: /],
  ["localhost:8080", "http://localhost:9090", /^Origin: /],
  ["localhost:8080", "null", /^Origin: /],
  ["localhost:8080", "https://evil.example", /^Origin: /],
])("refuses Host %s and Origin %s", (host, origin, why) => {
  expect(() => local.require({ protocol: "http", headers: { host, origin } })).toThrow(why);
});

it.each(["cross-site", "same-site", "other"])("refuses a page of another site without Origin: %s", (site) => {
  const headers = { host: "localhost:8080", "sec-fetch-site": site };
  expect(() => local.require({ protocol: "http", headers })).toThrow(/^Origin: /);
});

it.each(["none", "same-origin"])("accepts a request without Origin from its own pages: %s", (site) => {
  const headers = { host: "localhost:8080", "sec-fetch-site": site };
  expect(() => local.require({ protocol: "http", headers })).not.toThrow();
});

it("accepts the public name and its pages, even behind a proxy that sets another Host", () => {
  const origin = "https://soc.example.org";
  expect(() => open.require({ protocol: "http", headers: { host: "soc.example.org", origin } })).not.toThrow();
  expect(() => open.require({ protocol: "http", headers: { host: "127.0.0.1:8080", origin } })).not.toThrow();
  expect(open.findBaseUrl({ protocol: "http", headers: { host: "127.0.0.1:8080" } })).toBe(origin);
  expect(local.findBaseUrl({ protocol: "http", headers: { host: "127.0.0.1:8080" } })).toBe("http://127.0.0.1:8080");
});
