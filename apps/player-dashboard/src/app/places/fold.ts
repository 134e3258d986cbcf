/** Vowel signs, the stretching stroke, and the accents that `NFD` sets apart. */
const SIGNS = /[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
/** Letters with more than one common spelling. */
const ALIKE: Readonly<Record<string, string>> = {
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ئ: "ي",
  ؤ: "و",
  ة: "ه",
  ک: "ك",
  ı: "i",
  ø: "o",
  ß: "ss",
};

/** Normalizes a name for comparison: removes accents, vowel signs, case and punctuation. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[أإآٱىیئؤةکıøß]/g, (letter) => ALIKE[letter] ?? letter)
    .normalize("NFD")
    .replace(SIGNS, "")
    .replace(/[^\p{Letter}\p{Number}]+/gu, " ")
    .trim();
}
