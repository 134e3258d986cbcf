import { describe, expect, it } from "vitest";
import { bytesWords } from "./bytes.ts";

describe("a size", () => {
  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [1023, "1,023 bytes"],
    [1024, "1 kilobyte"],
    [1536, "1.5 kilobytes"],
    [20_480, "20 kilobytes"],
    [1_048_575, "1 megabyte"],
    [249_561_088, "238 megabytes"],
    [1_288_490_189, "1.2 gigabytes"],
    [5_497_558_138_880, "5,120 gigabytes"],
  ])("formats %i bytes in English as %s", (size, words) => {
    expect(bytesWords(size, "en")).toBe(words);
  });

  it.each([
    [2, "٢ بايت"],
    [1536, "١٫٥ كيلوبايت"],
    [249_561_088, "٢٣٨ ميغابايت"],
  ])("formats %i bytes in Arabic as %s", (size, words) => {
    expect(bytesWords(size, "ar")).toBe(words);
  });
});
