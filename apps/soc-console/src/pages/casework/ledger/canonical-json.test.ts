import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

describe("canonical JSON (RFC 8785)", () => {
  it("writes the example of section 3.2.2 as section 3.2.3 does", () => {
    const example = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it.each([[Number.NaN], ["\ud800"], [undefined], [{ a: undefined }]])("refuses %s", (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});
