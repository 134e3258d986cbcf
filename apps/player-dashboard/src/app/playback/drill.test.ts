import { expect, it } from "vitest";
import { statusWith } from "../../../testing/playback-status.ts";
import { endsDrill } from "./drill.ts";

const hifz = { repeat_done: 0, repeat_target: 3, pause_s: 0, waiting: false };
const one = statusWith({ advance_mode: "hifz_repeat", hifz, reciter: "Husary", surah_number: 112 });
const range = statusWith({
  advance_mode: "hifz_ab",
  hifz: { ...hifz, ab_start: 110, ab_end: 112 },
  reciter: "Husary",
  surah_number: 111,
});

it.each([
  ["another surah ends the drill of one", one, { reciter: "Husary", surah_number: 107 }, true],
  ["the same surah goes on with it", one, { reciter: "Husary", surah_number: 112 }, false],
  ["the same surah of another reciter ends it", one, { reciter: "Alafasy", surah_number: 112 }, true],
  ["a surah of the range goes on with it", range, { reciter: "Husary", surah_number: 110 }, false],
  ["a surah outside the range ends it", range, { reciter: "Husary", surah_number: 107 }, true],
  [
    "no drill is ended by repeating",
    statusWith({ advance_mode: "repeat_one" }),
    { reciter: "", surah_number: 1 },
    false,
  ],
])("%s", (_, status, chosen, isEnded) => {
  expect(endsDrill(status, chosen)).toBe(isEnded);
});
