import { expect, test } from "vitest";
import { formatComponents, formatPcrs, isHash, parseComponents, parsePcrs } from "./firmware-text.ts";

const VALUE = "9c".repeat(32);

test("reads PCRs one on each line, as tools print them", () => {
  expect(parsePcrs(`0 ${VALUE}\n\n PCR 04: ${VALUE.toUpperCase()}\n7=${VALUE}`)).toEqual({
    value: { "0": VALUE, "4": VALUE, "7": VALUE },
  });
});

test.each([["4 9c"], [`24 ${VALUE}`], [VALUE]])("names the line that is no PCR: %s", (line) => {
  expect(parsePcrs(`0 ${VALUE}\n${line}`)).toEqual({ wrong: line });
});

test("takes no PCR twice", () => {
  expect(parsePcrs(`4 ${VALUE}\n04 ${VALUE}`)).toEqual({ wrong: `04 ${VALUE}` });
});

test("reads components with names of several words", () => {
  expect(parseComponents("linux 6.12.48\nGNU C library 2.41")).toEqual({
    value: [
      { name: "linux", version: "6.12.48" },
      { name: "GNU C library", version: "2.41" },
    ],
  });
  expect(parseComponents("linux")).toEqual({ wrong: "linux" });
});

test("writes what it reads", () => {
  expect(formatPcrs({ "10": VALUE, "4": VALUE })).toBe(`4 ${VALUE}\n10 ${VALUE}`);
  expect(formatComponents([{ name: "mpv", version: "0.35.1" }])).toBe("mpv 0.35.1");
});

test("a hash is 64 small hex digits", () => {
  expect([isHash(VALUE), isHash(VALUE.toUpperCase()), isHash("9c")]).toEqual([true, false, false]);
});
