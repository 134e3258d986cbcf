import { expect, test } from "vitest";
import { formatComponents, formatPcrs, isHash, parseComponents, parsePcrs } from "./firmware-text.ts";

const VALUE = "9c".repeat(32);

test("reads one PCR per line, as tools print them", () => {
  expect(parsePcrs(`0 ${VALUE}\n\n PCR 04: ${VALUE.toUpperCase()}\n7=${VALUE}`)).toEqual({
    value: { "0": VALUE, "4": VALUE, "7": VALUE },
  });
});

test.each([["4 9c"], [`24 ${VALUE}`], [VALUE]])("reports the line that is not a PCR: %s", (line) => {
  expect(parsePcrs(`0 ${VALUE}\n${line}`)).toEqual({ wrong: line });
});

test("rejects a duplicate PCR", () => {
  expect(parsePcrs(`4 ${VALUE}\n04 ${VALUE}`)).toEqual({ wrong: `04 ${VALUE}` });
});

test("reads component names of several words", () => {
  expect(parseComponents("linux 6.12.48\nGNU C library 2.41")).toEqual({
    value: [
      { name: "linux", version: "6.12.48" },
      { name: "GNU C library", version: "2.41" },
    ],
  });
  expect(parseComponents("linux")).toEqual({ wrong: "linux" });
});

test("formats text that parses back to the same value", () => {
  expect(formatPcrs({ "10": VALUE, "4": VALUE })).toBe(`4 ${VALUE}\n10 ${VALUE}`);
  expect(formatComponents([{ name: "mpv", version: "0.35.1" }])).toBe("mpv 0.35.1");
});

test("accepts only 64 lower-case hex digits as a hash", () => {
  expect([isHash(VALUE), isHash(VALUE.toUpperCase()), isHash("9c")]).toEqual([true, false, false]);
});
