import { describe, expect, it } from "vitest";
import { countTones } from "../../testing/count-tones.ts";
import { codeWav, listToneStarts } from "./code-sound.ts";

describe("the sound of a code", () => {
  it.each([
    ["123456", [1, 2, 3, 4, 5, 6]],
    ["000000", [10, 10, 10, 10, 10, 10]],
    ["907811", [9, 10, 7, 8, 1, 1]],
  ])("plays %s as this many tones: %j", (code, tones) => {
    expect(countTones(codeWav(code))).toEqual(tones);
  });

  it("lasts half a minute at most", () => {
    expect(listToneStarts("000000").at(-1)).toBeLessThan(30);
  });
});
