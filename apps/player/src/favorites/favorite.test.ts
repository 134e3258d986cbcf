import { describe, expect, it } from "vitest";
import { parseFavorite } from "./favorite.ts";

const SURAH = { type: "surah", reciter: "Husary", surah: 2 } as const;
const STREAM = { type: "stream", url: "http://radio.example/live", name: "Radio" } as const;

describe("a favorite", () => {
  it("reads the fields of its own type and ignores the others, valid or not", () => {
    expect(parseFavorite({ ...SURAH, url: "", name: 5 })).toEqual(SURAH);
    expect(parseFavorite({ ...STREAM, reciter: "", surah: 0 })).toEqual(STREAM);
  });

  it("a favorite may be in any script and have the maximum length", () => {
    const arabic = { ...SURAH, reciter: "محمود خليل الحصري", surah: 114 };
    expect(parseFavorite(arabic)).toEqual(arabic);
    const longest = { ...STREAM, url: "http://radio.example/".padEnd(1024, "x"), name: "x".repeat(100) };
    expect(parseFavorite(longest)).toEqual(longest);
  });

  it.each([
    ["reciter: is required", { type: "surah", surah: 2 }],
    ["surah: is required", { type: "surah", reciter: "Husary" }],
    ["surah: must be an integer from 1 to 114", { ...SURAH, surah: 115 }],
    ["surah: must be an integer from 1 to 114", { ...SURAH, surah: 0 }],
    ["surah: must be an integer from 1 to 114", { ...SURAH, surah: "2" }],
    ["surah: must be an integer from 1 to 114", { ...SURAH, surah: 2.5 }],
    ["reciter: must be a text of 1 to 200 characters", { ...SURAH, reciter: "" }],
    ["reciter: must be a text of 1 to 200 characters", { ...SURAH, reciter: "x".repeat(201) }],
    ["reciter: must not contain control characters", { ...SURAH, reciter: "Hus\u0000ary" }],
    ["url: is required", { type: "stream", name: "Radio" }],
    ["url: must be a text of 1 to 1024 characters", { ...STREAM, url: "http://radio.example/".padEnd(1025, "x") }],
    ["url: must not contain control characters", { ...STREAM, url: "http://radio.example/\r\nHost: x" }],
    ["name: is required", { type: "stream", url: "http://radio.example/" }],
    ["name: must be a text of 1 to 100 characters", { ...STREAM, name: null }],
    ["name: must be a text of 1 to 100 characters", { ...STREAM, name: "x".repeat(101) }],
    ["name: must not contain control characters", { ...STREAM, name: "Ra\u009bdio" }],
  ] as const)("a favorite is refused with '%s'", (message, request) => {
    expect(() => parseFavorite(request)).toThrow(expect.objectContaining({ kind: "invalid", message }));
  });
});
