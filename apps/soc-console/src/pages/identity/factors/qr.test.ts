import { describe, expect, it } from "vitest";
import { buildFormat, buildVersion, correct, countCodewords, encodeQr } from "./qr.ts";

// The values are those of ISO/IEC 18004 and of its worked examples.
describe("a QR code", () => {
  it("corrects errors by Reed-Solomon as in the worked example of version 1-M", () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
    expect(correct(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
  });

  it("names level M and the mask in 15 bits", () => {
    const table = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => buildFormat(mask).toString(2).padStart(15, "0"));
    expect(table).toEqual([
      "101010000010010",
      "101000100100101",
      "101111001111100",
      "101101101001011",
      "100010111111001",
      "100000011001110",
      "100111110010111",
      "100101010100000",
    ]);
  });

  it("names versions from 7 in 18 bits", () => {
    expect(buildVersion(7).toString(2).padStart(18, "0")).toBe("000111110010010100");
  });

  it.each([
    [1, 26],
    [2, 44],
    [7, 196],
    [10, 346],
    [13, 532],
  ])("of version %i has %i codewords", (version, codewords) => {
    expect(countCodewords(version)).toBe(codewords);
  });

  it.each([
    [14, 21],
    [15, 25],
    [213, 57],
    [214, 61],
    [331, 69],
  ])("of %i bytes has %i modules a side", (bytes, side) => {
    expect(encodeQr("a".repeat(bytes))).toHaveLength(side);
  });

  it("has its three finders and refuses what does not fit", () => {
    const modules = encodeQr("otpauth://totp/Manara");
    const finder = modules.slice(0, 7).map((line) => line.slice(0, 7).map(Number).join(""));
    expect(finder).toEqual(["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]);
    expect(modules.slice(0, 7).map((line) => line.slice(-7).map(Number).join(""))).toEqual(finder);
    expect(modules.slice(-7).map((line) => line.slice(0, 7).map(Number).join(""))).toEqual(finder);
    expect(() => encodeQr("a".repeat(332))).toThrow(RangeError);
  });
});
