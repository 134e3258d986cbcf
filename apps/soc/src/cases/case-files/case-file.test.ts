import { describe, expect, it } from "vitest";
import { formatDisposition, requireFileName } from "./case-file.ts";

describe("names of case files", () => {
  it.each(["lsass.dmp", "تقرير.pdf", "a b (1).txt", "naïve – copy.log", ".bashrc", "a;b='c'.txt", "👩‍💻.png"])(
    "accepts the file name %j",
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
  ])("refuses the file name %j", (name) => {
    expect(() => requireFileName(name)).toThrow(/^name: must/);
  });
});

describe("Content-Disposition of a download", () => {
  // The text is an example of RFC 8187, section 3.2.3.
  it("carries any name, and an ASCII name for old clients", () => {
    expect(formatDisposition("£ and € rates")).toBe(
      `attachment; filename="_ and _ rates"; filename*=UTF-8''%C2%A3%20and%20%E2%82%AC%20rates`,
    );
  });

  it("escapes quotes and special characters of the file name", () => {
    expect(formatDisposition(`a"; filename=b.exe'*()%`)).toBe(
      `attachment; filename="a__ filename_b.exe_____"; filename*=UTF-8''a%22%3B%20filename%3Db.exe%27%2A%28%29%25`,
    );
  });
});
