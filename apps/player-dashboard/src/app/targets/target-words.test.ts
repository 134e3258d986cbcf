import type { Target } from "@player/service/contract/target";
import { describe, expect, it } from "vitest";
import { targetWords } from "./target-words.ts";

const LISTS = {
  stations: [{ id: 7, name: "Cairo" }],
  favorites: [
    { id: 1, type: "surah", reciter: "Husary", surah: 36, name: "", url: "" },
    { id: 2, type: "stream", reciter: "", surah: 0, name: "Makkah", url: "https://radio.example/" },
  ],
} as const;

/** Without the signs that keep a name together. */
function plain(words: string): string {
  return words.replace(/[\u2068\u2069]/g, "");
}

const SURAH = { type: "surah", reciter: "Mishary Alafasy", surah: 18 } as const;

describe("a target in words", () => {
  it.each<[Target, string, string]>([
    [SURAH, "Al-Kahf, Mishary Alafasy", "الكهف، Mishary Alafasy"],
    [{ type: "station", id: 7 }, "Cairo", "Cairo"],
    [{ type: "station", id: 8 }, "A station that was removed", "إذاعة لم تعد محفوظة"],
    [{ type: "favorite", id: 1 }, "Ya-Sin, Husary", "يس، Husary"],
    [{ type: "favorite", id: 2 }, "Makkah", "Makkah"],
    [{ type: "favorite", id: 3 }, "A favorite that was removed", "عنصر لم يعد في المفضلة"],
    [{ type: "stream", url: "https://radio.example/", name: "" }, "https://radio.example/", "https://radio.example/"],
    [{ type: "file", path: "Lectures/Friday.mp3" }, "Friday.mp3", "Friday.mp3"],
    [{ type: "file", path: "Husary/036.mp3" }, "Ya-Sin, Husary", "يس، Husary"],
    [{ type: "file", path: "Husary/001001.mp3" }, "001001.mp3", "001001.mp3"],
    [{ type: "file", path: "Husary/115.mp3" }, "115.mp3", "115.mp3"],
    [{ type: "resume" }, "Resume last playback", "متابعة من حيث توقّف"],
    [{ type: "command", command: "stop" }, "Stop", "إيقاف"],
    [{ type: "command", command: "volume", value: 30 }, "Volume 30", "مستوى الصوت ٣٠"],
    [{ type: "command", command: "sleep_timer", value: 1 }, "Stop after 1 minute", "إيقاف بعد دقيقة"],
    [{ type: "command", command: "sleep_timer", value: 3 }, "Stop after 3 minutes", "إيقاف بعد ٣ دقائق"],
    [{ type: "command", command: "sleep_timer", value: 0 }, "Sleep timer off", "إلغاء مؤقّت النوم"],
    [
      { type: "command", command: "mode", value: { mode: "repeat_one" } },
      "Repeat the same surah",
      "تكرار السورة نفسها",
    ],
  ])("describes %j as %s, or %s", (target, english, arabic) => {
    expect(plain(targetWords(target, LISTS, "en"))).toBe(english);
    expect(plain(targetWords(target, LISTS, "ar"))).toBe(arabic);
  });

  it.each<[Target, string]>([
    [{ ...SURAH, volume: 40 }, "Al-Kahf, Mishary Alafasy, volume 40"],
    [{ ...SURAH, volume: 0, mode: { mode: "off" } }, "Al-Kahf, Mishary Alafasy, volume 0, play once, then stop"],
    [{ ...SURAH, mode: { mode: "hifz_repeat" } }, "Al-Kahf, Mishary Alafasy, hifz: endlessly"],
    [
      { ...SURAH, mode: { mode: "hifz_repeat", repeat: 3, pause_s: 5 } },
      "Al-Kahf, Mishary Alafasy, hifz: 3 times, 5 seconds to recite",
    ],
    [
      { ...SURAH, mode: { mode: "hifz_ab", ab: { from: 112, to: 114 } } },
      "Al-Kahf, Mishary Alafasy, hifz: Al-Ikhlas to An-Nas, 1 time",
    ],
  ])("describes how %j is played", (target, words) => {
    expect(plain(targetWords(target, LISTS, "en"))).toBe(words);
  });

  it("joins the steps of a sequence", () => {
    const steps = [
      { type: "command", command: "volume", value: 15 },
      { type: "command", command: "stop" },
      SURAH,
    ] as const;
    expect(plain(targetWords({ type: "sequence", steps: [...steps] }, LISTS, "en"))).toBe(
      "Volume 15, then stop, then Al-Kahf, Mishary Alafasy",
    );
  });

  it("does not report anything as removed while the lists are loading", () => {
    const unknown = { stations: undefined, favorites: undefined };
    expect(targetWords({ type: "station", id: 7 }, unknown, "en")).toBe("A station");
    expect(targetWords({ type: "favorite", id: 7 }, unknown, "en")).toBe("A favorite");
  });

  it("isolates a name, whichever direction it is written in", () => {
    expect(targetWords({ ...SURAH, reciter: "عبد الباسط" }, LISTS, "en")).toBe("Al-Kahf, \u2068عبد الباسط\u2069");
  });
});
