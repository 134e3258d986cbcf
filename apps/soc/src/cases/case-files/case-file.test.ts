import { describe, expect, it } from "vitest";
import { formatDisposition, requireFileName } from "./case-file.ts";

describe("the name of a file", () => {
  it.each(["lsass.dmp", "تقرير.pdf", "a b (1).txt", "naïve – copy.log", ".bashrc", "a;b='c'.txt", "👩‍💻.png"])(
    "may be %j",
    (name) => {
      expect(() => requireFileName(name)).not.toThrow();
    },
  );

  it.each([
    "../../etc/passwd",
    "a/b",
    "C:\\b",
    "a\r\nSet-Cookie: x",
    "a\0.txt",
    "a\u007f",
    "invoice\u202efdp.exe",
    "a\u2066b",
    "a\u200fb",
    "a\u2028b",
    "\ud800",
    ".",
    "..",
    "  ",
  ])("must not be %j", (name) => {
    expect(() => requireFileName(name)).toThrow(/^name: must/);
  });
});

describe("the header of a download", () => {
  // RFC 8187, section 3.2.3, has this text as an example.
  it("carries any name, and a harmless one for old clients", () => {
    expect(formatDisposition("£ and € rates")).toBe(
      `attachment; filename="_ and _ rates"; filename*=UTF-8''%C2%A3%20and%20%E2%82%AC%20rates`,
    );
  });

  it("cannot be left by quotes or by characters that have a meaning in it", () => {
    expect(formatDisposition(`a"; filename=b.exe'*()%`)).toBe(
      `attachment; filename="a__ filename_b.exe_____"; filename*=UTF-8''a%22%3B%20filename%3Db.exe%27%2A%28%29%25`,
    );
  });
});
