import { describe, expect, it } from "vitest";
import { chooseSign, surahOnFace } from "./card-sign.ts";
import { spacedUid } from "./uid.ts";

const SURAH = { type: "surah", reciter: "Husary", surah: 18 } as const;
const STOP = { type: "command", command: "stop" } as const;
const NIGHT = { type: "sequence", steps: [STOP, SURAH] } as const;

describe("the face of a card", () => {
  it("shows the surah of the last step", () => {
    expect(surahOnFace(SURAH, undefined)).toBe(18);
    expect(surahOnFace({ ...NIGHT, steps: [...NIGHT.steps] }, undefined)).toBe(18);
    expect(surahOnFace({ type: "favorite", id: 2 }, [{ id: 2, surah: 36 }])).toBe(36);
  });

  it("shows no surah for other targets", () => {
    expect(surahOnFace(STOP, [])).toBe(0);
    expect(surahOnFace({ type: "favorite", id: 2 }, [{ id: 2, surah: 0 }])).toBe(0);
    expect(surahOnFace({ type: "favorite", id: 2 }, undefined)).toBe(0);
  });

  it("chooses an icon for each target", () => {
    expect(chooseSign(STOP)).toBe("stop");
    expect(chooseSign({ type: "station", id: 1 })).toBe("radio");
    expect(chooseSign({ ...NIGHT, steps: [...NIGHT.steps] })).toBe("book");
  });
});

it.each([
  ["04A1B2C3", "04 A1 B2 C3"],
  ["", ""],
])("writes the number %s as %s", (uid, written) => {
  expect(spacedUid(uid)).toBe(written);
});
