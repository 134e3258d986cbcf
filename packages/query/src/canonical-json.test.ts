import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

describe("canonical JSON (RFC 8785)", () => {
  it("reproduces the example of section 3.2.2", () => {
    const value = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("orders names by UTF-16 code units as in section 3.2.3", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect(Object.values(JSON.parse(`[${canonicalJson(value).slice(1, -1).replaceAll('":"', '","')}]`))).toEqual([
      ...["\r", "Carriage Return", "1", "One", "\u0080", "Control"],
      ...["\u00f6", "Latin Small Letter O With Diaeresis", "\u20ac", "Euro Sign"],
      ...["\ud83d\ude00", "Emoji: Grinning Face", "\ufb33", "Hebrew Letter Dalet With Dagesh"],
    ]);
  });

  // Appendix B: the bits of an IEEE 754 double, and how it is written.
  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555554", "333333333.33333325"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("formats the number with the bits %s as %s", (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, "hex").readDoubleBE())).toBe(text);
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], ["\ud800"], [{ "\udc00": 1 }], [[undefined]], [1n], [() => 1]])(
    "refuses %o",
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    },
  );

  it("formats a time as its ISO text and omits undefined values", () => {
    expect(canonicalJson({ at: new Date("2026-01-01T00:00:00.5Z"), gone: undefined })).toBe(
      '{"at":"2026-01-01T00:00:00.500Z"}',
    );
  });

  it("produces the same text after a round trip through JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(text);
      }),
      { numRuns: 30 },
    );
  });
});
