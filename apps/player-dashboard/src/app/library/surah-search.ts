import { SURAH_NAMES, SURAH_NAMES_AR } from "@player/service/contract/surah-names";

/** Alternative names of surahs. */
const OTHER_NAMES: Readonly<Record<number, readonly string[]>> = {
  9: ["Baraah", "براءة"],
  17: ["Bani Israil", "بني إسرائيل"],
  35: ["Al-Malaikah", "الملائكة"],
  40: ["Al-Mumin", "المؤمن"],
  41: ["Ha Mim Sajdah", "حم السجدة"],
  45: ["Ash-Shariah", "الشريعة"],
  47: ["Al-Qital", "القتال"],
  68: ["Nun", "ن والقلم"],
  76: ["Ad-Dahr", "الدهر"],
  78: ["Amma", "عم يتساءلون"],
  94: ["Al-Inshirah", "الانشراح"],
  96: ["Iqra", "اقرأ"],
  106: ["Quraish"],
  111: ["Al-Lahab", "Tabbat", "اللهب", "تبت"],
};

/** The assimilated forms of the article are written before a separator only: Ash-Shams, but not "Ashams". */
const LATIN_ARTICLE = /^(?:al|a[dnrstz]|ash|adh|ath)[-\s'’]+/;
const PREFIX = /^(?:surah|surat|sura|سورة|سوره)\s+/;

/** The numbers, 1..114, of the matching surahs; all of them when nothing is typed. */
export function findSurahs(typed: string): number[] {
  const all = SURAH_NAMES.map((_, at) => at + 1);
  const digits = latinDigits(typed.trim());
  if (/^\d+$/.test(digits)) return all.filter((surah) => String(surah).startsWith(String(Number(digits))));
  const wanted = [...new Set(buildSearchKeys(typed))].filter((key) => key !== "");
  if (wanted.length === 0) return all;
  return all.filter((surah) => listNames(surah).some((name) => wanted.some((key) => toSearchKey(name).includes(key))));
}

/** The surah that the text names as a whole; undefined when it names none. */
export function findSurahByName(text: string): number | undefined {
  const wanted = buildSearchKeys(text).filter((key) => key !== "");
  const isNamed = (surah: number) =>
    listNames(surah).some((name) => buildSearchKeys(name).some((key) => wanted.includes(key)));
  const at = SURAH_NAMES.findIndex((_, index) => isNamed(index + 1));
  return at < 0 ? undefined : at + 1;
}

function listNames(surah: number): string[] {
  const at = surah - 1;
  return [SURAH_NAMES[at] ?? "", SURAH_NAMES_AR[at] ?? "", ...(OTHER_NAMES[surah] ?? [])];
}

/** With the article as it was typed, and without: "al nisa" is An-Nisa. */
function buildSearchKeys(typed: string): string[] {
  const text = typed.trim().toLowerCase().replace(PREFIX, "");
  const bare = text.replace(LATIN_ARTICLE, "");
  return [toSearchKey(text), toSearchKey(bare), toSearchKey(bare.replace(/^al(?=\p{Script=Latin}{3})/u, ""))];
}

/** Maps all spellings of a name to the same key. */
function toSearchKey(name: string): string {
  return (
    name
      .normalize("NFKD")
      .toLowerCase()
      .replace(/ٱ/g, "ا")
      .replace(/ى/g, "ي")
      .replace(/ة/g, "ه")
      .replace(/ء/g, "")
      // Dashes, apostrophes, spaces, letters that only modify (ʿ, the tatweel), and marks: vowel signs, and after the
      // decomposition also a hamza or madda upon a letter.
      .replace(/[^\p{Ll}\p{Lo}\p{N}]/gu, "")
      .replace(/ee/g, "i")
      .replace(/oo|ou/g, "u")
      .replace(/([a-z])\1+/g, "$1")
      .replace(/ah$/, "a")
  );
}

const ZEROS = ["٠", "۰"].map((zero) => zero.charCodeAt(0));

export function latinDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? 0));
  });
}
