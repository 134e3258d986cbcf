import { expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { boundEvents, boundText, measureBytes, toBounded } from "./recording-limits.ts";

it("keeps a value that fits", () => {
  const value = { a: [1, "two", null, { three: true }], "": "" };
  expect(toBounded(value, 1000)).toEqual({ value, isCut: false });
});

it.each([
  ["a long text", { text: "ü".repeat(100_000) }],
  ["many items", Array.from({ length: 50_000 }, (_, at) => ({ at }))],
  ["many keys", Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key-${at}`, at]))],
  ["deep objects", JSON.parse(`${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`)],
])("truncates %s and marks it", (_, value) => {
  const bounded = toBounded(value, 16_384);
  expect(bounded.isCut).toBe(true);
  expect(measureBytes(bounded.value)).toBeLessThanOrEqual(16_384);
});

it("replaces what PostgreSQL cannot store and keeps unusual keys as data", () => {
  expect(boundText("a\0b\ud800", 100)).toBe("a\uFFFDb\uFFFD");
  const { value } = toBounded(JSON.parse('{"__proto__": {"polluted": true}, "constructor": "\\u0000"}'), 1000);
  expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"constructor":"\uFFFD"}');
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

it("truncates a text to a number of bytes", () => {
  for (const text of ["x".repeat(10_000), "ü".repeat(10_000), "😀".repeat(10_000)]) {
    expect(Buffer.byteLength(boundText(text, 1000))).toBeLessThanOrEqual(1000);
  }
});

it("limits each event and all events together", () => {
  const log = sampleLog({ id: "log-1", raw: "x".repeat(500_000), message: "y".repeat(100_000) });
  const { value, isCut } = boundEvents([log, log, log], 40_000);
  expect(isCut).toBe(true);
  expect(value.length).toBeGreaterThan(0);
  expect(measureBytes(value)).toBeLessThanOrEqual(40_000);
  expect(value[0]).toMatchObject({ id: log.id, raw: "" });
});
