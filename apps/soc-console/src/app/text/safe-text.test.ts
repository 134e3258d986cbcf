import { describe, expect, it } from "vitest";
import { safeText, splitSafeText } from "./safe-text.ts";

describe("a text from outside", () => {
  it.each([
    // Trojan Source, CVE-2021-42574: bidirectional controls.
    ...Array.from("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"),
    // Zero width and other format characters.
    ...Array.from("\u00ad\u200b\u200c\u200d\u2060\u2061\u2064\ufeff\u180e\ufff9"),
    // Control characters, including those of terminals.
    ...Array.from("\u0000\u0007\u0008\u001b\u007f\u0085\u009b\r"),
    // Separators and blanks that look like a space, or are invisible.
    ...Array.from("\u00a0\u2028\u2029\u2003\u3000\u202f\u115f\u3164\uffa0\u2800\u034f"),
    // Selectors without an emoji, tags, the end of the planes.
    ...Array.from("\ufe00\ufe0f\u{e0100}\u{e0001}\u{e0041}\u{e007f}\uffff\ud800"),
  ])("escapes %j by its code point", (sign) => {
    const number = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    expect(safeText(`a${sign}b`)).toBe(`a⟨U+${number}⟩b`);
  });

  it.each([
    "powershell.exe -nop -w hidden",
    "two\nlines\r\nand\ta tab",
    "تسجيل دخول فاشل",
    "日本語 ελληνικά עברית",
    "👩‍💻 ❤️ 👍🏽 1️⃣ 🏳️‍🌈",
    "\u0600\u06dd",
    "e\u0301",
    "",
  ])("leaves %j unchanged", (text) => {
    expect(safeText(text)).toBe(text);
  });

  it("marks escaped characters", () => {
    expect(splitSafeText("invoice\u202efdp.exe")).toEqual([
      { text: "invoice", isSign: false },
      { text: "⟨U+202E⟩", isSign: true },
      { text: "fdp.exe", isSign: false },
    ]);
  });

  it("reveals a message hidden in tags after a flag", () => {
    expect(safeText("🏴\u{e0067}")).toBe("🏴⟨U+E0067⟩");
  });
});
