import { expect, it } from "vitest";
import { phoneClockWords } from "./phone-clock.ts";

const words = {
  phoneSame: "same",
  phoneAhead: { one: "# ahead", other: "# ahead" },
  phoneBehind: { one: "# behind", other: "# behind" },
  phoneFar: "far",
};

it.each([
  [0, "same"],
  [-1400, "same"],
  [2000, "2 ahead"],
  [-61_000, "61 behind"],
  [3_600_000, "3,600 ahead"],
  [3_601_000, "far"],
  [-90_000_000, "far"],
])("describes a phone that is %i ms ahead: %s", (aheadMs, said) => {
  expect(phoneClockWords(aheadMs, words, "en")).toBe(said);
});
