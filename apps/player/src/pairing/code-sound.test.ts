import { describe, expect, it } from "vitest";
import { codeWav, listToneStarts } from "./code-sound.ts";

/** Counts the tones of a WAV file, in groups that a pause of a second divides. */
function countTones(wav: Buffer): number[] {
  const rate = wav.readUInt32LE(24);
  const groups: number[] = [];
  let lastLoud = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < (wav.length - 44) / 2; index += 1) {
    if (Math.abs(wav.readInt16LE(44 + index * 2)) < 3000) continue;
    const quietS = (index - lastLoud) / rate;
    if (quietS > 1) groups.push(1);
    else if (quietS > 0.1) groups.push((groups.pop() ?? 0) + 1);
    lastLoud = index;
  }
  return groups;
}

describe("the sound of a code", () => {
  it.each([
    ["123456", [1, 2, 3, 4, 5, 6]],
    ["000000", [10, 10, 10, 10, 10, 10]],
    ["907811", [9, 10, 7, 8, 1, 1]],
  ])("has for %s so many tones: %j", (code, tones) => {
    expect(countTones(codeWav(code))).toEqual(tones);
  });

  it("lasts half a minute at most", () => {
    expect(listToneStarts("000000").at(-1)).toBeLessThan(30);
  });
});
