import { describe, expect, it } from "vitest";
import { computeCode, computeStep, findStep, formatUri, toBase32 } from "./totp.ts";

const SECRET = Buffer.from("12345678901234567890");

describe("a code", () => {
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
  ])("of counter %i is %s", (counter, code) => {
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
  ])("at %i seconds is %s", (seconds, code) => {
    expect(computeCode(SECRET, computeStep(new Date(seconds * 1000)), 8)).toBe(code);
  });
});

describe("the window", () => {
  const now = new Date(1_234_567_890_000);
  const step = computeStep(now);

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])("of a code %i steps off is open: %s", (off, isOpen) => {
    expect(findStep(SECRET, computeCode(SECRET, step + off), now, null)).toBe(isOpen ? step + off : undefined);
  });

  it("is closed for the step that was used and for those before it", () => {
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
])("writes %s as %s in base 32", (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded);
});

it("names the user and the secret to an app", () => {
  expect(formatUri("a+b@example.org", SECRET)).toBe(
    "otpauth://totp/Manara%20SOC:a%2Bb%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Manara%20SOC&algorithm=SHA1&digits=6&period=30",
  );
});
