import { describe, expect, it } from "vitest";
import { bytesWords } from "./bytes.ts";

describe("a size", () => {
  it.each([
    [0, "0 B"],
    [1023, "1,023 B"],
    [1024, "1 KiB"],
    [1536, "1.5 KiB"],
    [1_048_575, "1 MiB"],
    [249_561_088, "238 MiB"],
    [5_497_558_138_880, "5 TiB"],
  ])("formats %i bytes in English as %s", (size, words) => {
    expect(bytesWords(size, "en")).toBe(words);
  });

  it("uses the same digits in Arabic", () => {
    expect(bytesWords(1536, "ar")).toBe("1.5 كيبيبايت");
  });
});
