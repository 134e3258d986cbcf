import { findSurahByName, latinDigits } from "../../app/library/surah-search.ts";
import { fold } from "../../app/places/fold.ts";

/** What a file probably is, judging by its name. The user confirms it. */
export interface Guess {
  kind: "recitation" | "adhan";
  /** Empty if unknown. */
  reciter: string;
  /** 0 if unknown. */
  surah: number;
  /** Name of an adhan. */
  name: string;
}

const ADHAN = /\b(?:adhan|azan|athan|ezan|adzan|azaan)\b|(?:^|\s)(?:ال)?(?:اذان|أذان)(?:\s|$)/i;
const SEPARATORS = /\s*(?:[_|,;·–—~()[\]]|\s-\s|--)\s*/;
/** Words that do not identify a reciter. */
const FILLERS = /\b(?:surah|surat|sura|quran|track|audio|recitation|by|mp3|\d+\s?kbps)\b|سورة|سوره|القارئ|الشيخ/giu;
/** Surahs with the names of people: alone among other words they are part of a reciter's name. */
const PEOPLE = new Set([10, 11, 12, 14, 19, 31, 47, 71]);
const MAX_WORDS = 3;

/** `reciters` are those on the card: a part of a name is enough to find one. */
export function guessName(fileName: string, reciters: readonly string[]): Guess {
  const folders = fileName.split("/");
  const bare = (folders.pop() ?? "").replace(/\.[a-z0-9]{2,4}$/i, "").normalize("NFC");
  if (ADHAN.test(bare.replace(/[_-]/g, " "))) return { kind: "adhan", reciter: "", surah: 0, name: tidy(bare) };
  const numbered = takeNumber(latinDigits(bare));
  const named = takeSurahName(numbered.rest, numbered.surah);
  const rest = tidy(named.rest.replace(FILLERS, " "));
  // "002 long" says nothing about a reciter; "Husary 002", "002 - Husary" and "002 Saad Al-Ghamdi" do.
  const isRemark = /^\P{Letter}+[^\s]+$/u.test(bare) && !SEPARATORS.test(bare);
  const said = /\p{Letter}/u.test(rest) && !isRemark ? rest : "";
  return {
    kind: "recitation",
    reciter:
      findReciter(said, reciters) ?? findReciter(folders.at(-1) ?? "", reciters) ?? (said || (folders.at(-1) ?? "")),
    surah: numbered.surah || named.surah,
    name: tidy(bare),
  };
}

interface SurahPrefix {
  surah: number;
  rest: string;
}

/** A number of a surah: with leading zeros, at the beginning, or the only one. Verses have six digits. */
function takeNumber(text: string): SurahPrefix {
  const found = [...text.matchAll(/(?<![\d.])\d{1,3}(?!\d|\s?kbps)/gi)].filter(({ 0: digits, index }) => {
    const isOfJuz = /(?:juz|para|part|hizb|جزء|حزب)\W*$/i.test(text.slice(0, index));
    return !isOfJuz && Number(digits) >= 1 && Number(digits) <= 114;
  });
  const chosen =
    found.find(({ 0: digits }) => /^0\d+$/.test(digits) || digits.length === 3) ??
    found.find(({ index }) => /^\W*(?:sura[ht]?\W*)?$/i.test(text.slice(0, index))) ??
    (found.length === 1 ? found[0] : undefined);
  if (!chosen) return { surah: 0, rest: text };
  const { 0: digits, index } = chosen;
  return { surah: Number(digits), rest: `${text.slice(0, index)} - ${text.slice(index + digits.length)}` };
}

/** A part between separators that is a surah's name as a whole, or else some words of it. */
function takeSurahName(text: string, expected: number): SurahPrefix {
  const parts = text.split(SEPARATORS).filter((part) => part.trim() !== "");
  for (const [at, part] of parts.entries()) {
    const surah = findSurahByName(part.replace(FILLERS, " "));
    if (surah !== undefined && isName(surah, expected, parts.length > 1))
      return { surah, rest: parts.toSpliced(at, 1).join(" - ") };
  }
  return takeWords(parts.join(" - "), expected);
}

/** With a number in the name, only the name of that surah counts: "002 Saad" is not Sad. */
function isName(surah: number, expected: number, isAlone: boolean): boolean {
  return expected === 0 ? isAlone || !PEOPLE.has(surah) : surah === expected;
}

function takeWords(text: string, expected: number): SurahPrefix {
  const words = text.split(/\s+/).filter(Boolean);
  for (let count = Math.min(MAX_WORDS, words.length); count > 0; count -= 1) {
    for (let at = 0; at + count <= words.length; at += 1) {
      const surah = findSurahByName(words.slice(at, at + count).join(" "));
      if (surah !== undefined && isName(surah, expected, words.length === 1))
        return { surah, rest: words.toSpliced(at, count).join(" ") };
    }
  }
  return { surah: 0, rest: text };
}

function findReciter(said: string, reciters: readonly string[]): string | undefined {
  const wanted = fold(said);
  if (wanted.length < 3) return undefined;
  return reciters.find((reciter) => {
    const known = fold(reciter);
    return known.includes(wanted) || wanted.includes(known);
  });
}

/** Formatted as a person would write it. */
function tidy(text: string): string {
  return text
    .replace(/[_]+/g, " ")
    .replace(/["*/:<>?\\|]/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s.\-–—]+|[\s.\-–—]+$/g, "");
}
