import { describe, expect, it } from "vitest";
import { defang, refang } from "./defang.ts";

describe("an address that must not be followed", () => {
  it.each([
    ["cdn-update.example", "cdn-update[.]example"],
    ["https://cdn-update.example/a.js?x=1.2", "hxxps://cdn-update[.]example/a.js?x=1.2"],
    ["HTTP://a.b.example:8080", "hxxp://a[.]b[.]example:8080"],
    ["ftp://files.example/x", "fxp://files[.]example/x"],
    ["203.0.113.44", "203[.]0[.]113[.]44"],
    ["2001:db8::1", "2001[:]db8[:][:]1"],
    ["layla@corp.example", "layla[@]corp[.]example"],
    ["d41d8cd98f00b204e9800998ecf8427e", "d41d8cd98f00b204e9800998ecf8427e"],
    ["cdn-update[.]example", "cdn-update[.]example"],
  ])("defangs %s as %s, and back", (plain, defanged) => {
    expect(defang(plain)).toBe(defanged);
    expect(refang(defanged).toLowerCase()).toBe(refang(plain).toLowerCase());
  });

  it.each([
    ["hxxp://a[.]example", "http://a.example"],
    ["hxxps[:]//a(dot)example", "https://a.example"],
    ["a{.}b[dot]example", "a.b.example"],
    ["layla[at]corp[.]example", "layla@corp.example"],
  ])("refangs %s as %s", (written, plain) => {
    expect(refang(written)).toBe(plain);
  });
});
