import { describe, expect, it } from "vitest";
import { guessName } from "./guess-name.ts";

const ON_CARD = ["Mahmoud Khalil Al-Husary", "Mishary Alafasy", "محمد صديق المنشاوي"];

describe("the guess by a file's name", () => {
  it.each([
    ["036.mp3", 36, ""],
    ["36.mp3", 36, ""],
    ["surah_036.m4a", 36, ""],
    ["٠٣٦.mp3", 36, ""],
    ["036 - Ya-Sin.mp3", 36, ""],
    ["Ya-Sin - Husary.mp3", 36, "Mahmoud Khalil Al-Husary"],
    ["Husary - Ya-Sin.mp3", 36, "Mahmoud Khalil Al-Husary"],
    ["Surah Yaseen.mp3", 36, ""],
    ["Al-Kahf (Mishary Alafasy).flac", 18, "Mishary Alafasy"],
    ["Mishary_Alafasy_018.mp3", 18, "Mishary Alafasy"],
    ["alafasy 128kbps 018.mp3", 18, "Mishary Alafasy"],
    ["سورة الكهف - المنشاوي.mp3", 18, "محمد صديق المنشاوي"],
    ["Muhammad Ayyub - 002.mp3", 2, "Muhammad Ayyub"],
    ["Muhammad Ayyub - Al-Baqarah.ogg", 2, "Muhammad Ayyub"],
    ["Yusuf Islam.mp3", 0, "Yusuf Islam"],
    ["Yusuf - Husary.mp3", 12, "Mahmoud Khalil Al-Husary"],
    ["Saad Al Ghamdi/067.mp3", 67, "Saad Al Ghamdi"],
    ["Husary/067.mp3", 67, "Mahmoud Khalil Al-Husary"],
    ["115.mp3", 0, ""],
    ["001001.mp3", 0, ""],
    ["002 long.mp3", 2, ""],
    ["002 Saad Al-Ghamdi.mp3", 2, "Saad Al-Ghamdi"],
    ["Ghamdi 002.mp3", 2, "Ghamdi"],
    ["002 - Ghamdi.mp3", 2, "Ghamdi"],
    ["036 Ya-Sin.mp3", 36, ""],
    ["Juz 30.mp3", 0, "Juz 30"],
    ["recording.mp3", 0, "recording"],
  ])("guesses %s to be surah %i of '%s'", (file, surah, reciter) => {
    expect(guessName(file, ON_CARD)).toMatchObject({ kind: "recitation", surah, reciter });
  });

  it.each([
    ["Adhan Makkah.mp3", "Adhan Makkah"],
    ["azan_fajr.ogg", "azan fajr"],
    ["أذان الفجر.mp3", "أذان الفجر"],
    ["Adhan 1.mp3", "Adhan 1"],
  ])("guesses %s to be an adhan", (file, name) => {
    expect(guessName(file, ON_CARD)).toMatchObject({ kind: "adhan", name });
  });
});
