import { describe, expect, it } from "vitest";
import { fill, isolated } from "./language-context.tsx";

describe("a phrase", () => {
  it("replaces placeholders with texts and numbers", () => {
    expect(fill("{count} alerts on {host}", { count: 1284, host: "fin-ws-014" })).toBe("1,284 alerts on fin-ws-014");
  });

  it("keeps placeholders without a value, and does not expand placeholders inside values", () => {
    expect(fill("{a} {b}", { a: "{b}" })).toBe("{b} {b}");
  });

  it("isolates untrusted text between U+2068 and U+2069", () => {
    expect(isolated("host")).toBe("\u2068host\u2069");
    expect(isolated("a\u2069b\u202e")).toBe("\u2068a⟨U+2069⟩b⟨U+202E⟩\u2069");
  });
});
