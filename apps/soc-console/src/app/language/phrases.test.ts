import { describe, expect, it } from "vitest";
import { fill, isolated } from "./phrases.ts";

describe("a phrase", () => {
  it("takes texts and numbers at their names", () => {
    expect(fill("{count} alerts on {host}", { count: 1284, host: "fin-ws-014" })).toBe("1,284 alerts on fin-ws-014");
  });

  it("keeps a name that has no value, and fills no name that a value brings", () => {
    expect(fill("{a} {b}", { a: "{b}" })).toBe("{b} {b}");
  });

  it("isolates an outside text between U+2068 and U+2069", () => {
    expect(isolated("host")).toBe("\u2068host\u2069");
    expect(isolated("a\u2069b\u202e")).toBe("\u2068a⟨U+2069⟩b⟨U+202E⟩\u2069");
  });
});
