import { describe, expect, it } from "vitest";
import { findIndicators } from "./find-indicators.ts";

const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const MD5 = "5d41402abc4b2a76b9719d911017c592";

describe("indicators in a text", () => {
  it("extracts each indicator of a report once", () => {
    const report = `The loader (setup.exe, MD5: ${MD5}) called hxxps://cdn-update[.]example/a.js?x=1.
      It then resolved evil[.]test, EVIL.test and contacted 203[.]0[.]113[.]44:8443; mail came from "a.b[@]evil[.]test".`;
    expect(findIndicators(report)).toEqual([
      MD5,
      "https://cdn-update.example/a.js?x=1",
      "evil.test",
      "203.0.113.44",
      "a.b@evil.test",
    ]);
  });

  it.each([
    [`sha256:${SHA256}`, [SHA256]],
    ["C2=evil.test", ["evil.test"]],
    ["[evil.test]", ["evil.test"]],
    ["fxp://files[.]test/x", ["ftp://files.test/x"]],
    ["hxxp[://]a[.]test/", ["http://a.test/"]],
    ["198.51.100.0/24", ["198.51.100.0/24"]],
    ["2001:db8::1", ["2001:db8::1"]],
    ["مثال.شبكة", ["مثال.شبكة"]],
    ["evil.test,evil.test|other.test", ["evil.test", "other.test"]],
  ])("extracts the indicators of %s", (text, expected) => expect(findIndicators(text)).toEqual(expected));

  it("ignores file names, times, versions and words", () => {
    expect(findIndicators("invoice.pdf 19:41:08 1.2.3 e.g. localhost 999.1.1.1 :: abc")).toEqual([]);
  });

  it("accepts a defanged domain even if it ends like a file name", () => {
    expect(findIndicators("archive[.]zip archive.zip")).toEqual(["archive.zip"]);
  });
});
