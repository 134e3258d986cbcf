import { describe, expect, it } from "vitest";
import { computeCode, computeStep, findStep, formatUri, toBase32 } from "./totp.ts";

const SECRET = Buffer.from("12345678901234567890");

describe("TOTP codes", () => {
  // RFC 4226, appendix D.
  it.each([
    [0, "755224"],
    [1, "287082"],
    [2, "359152"],
    [3, "969429"],
    [4, "338314"],
    [5, "254676"],
    [6, "287922"],
    [7, "162583"],
    [8, "399871"],
    [9, "520489"],
  ])("computes the code for counter %i: %s", (counter, code) => {
    expect(computeCode(SECRET, counter)).toBe(code);
  });

  // RFC 6238, appendix B, SHA-1.
  it.each([
    [59, "94287082"],
    [1_111_111_109, "07081804"],
    [1_111_111_111, "14050471"],
    [1_234_567_890, "89005924"],
    [2_000_000_000, "69279037"],
    [20_000_000_000, "65353130"],
  ])("computes the code at %i seconds: %s", (seconds, code) => {
    expect(computeCode(SECRET, computeStep(new Date(seconds * 1000)), 8)).toBe(code);
  });
});

describe("findStep", () => {
  const now = new Date(1_234_567_890_000);
  const step = computeStep(now);

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])("with a code %i steps off accepts it: %s", (off, isOpen) => {
    expect(findStep(SECRET, computeCode(SECRET, step + off), now, null)).toBe(isOpen ? step + off : undefined);
  });

  it("refuses the used step and earlier ones", () => {
    expect(findStep(SECRET, computeCode(SECRET, step), now, step)).toBeUndefined();
    expect(findStep(SECRET, computeCode(SECRET, step - 1), now, step)).toBeUndefined();
    expect(findStep(SECRET, computeCode(SECRET, step + 1), now, step)).toBe(step + 1);
  });
});

// RFC 4648, section 10, without padding.
it.each([
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("encodes %s as %s in base 32", (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded);
});

it("formats the URI that gives an app the user and the secret", () => {
  expect(formatUri("a+b@example.org", SECRET)).toBe(
    "otpauth://totp/Manara%20SOC:a%2Bb%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Manara%20SOC&algorithm=SHA1&digits=6&period=30",
  );
});
