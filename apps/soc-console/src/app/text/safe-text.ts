/** A part of an outside text: as it is, or a sign that could not be seen, written as `⟨U+202E⟩`. */
export interface SafePart {
  text: string;
  isSign: boolean;
}

const PICTURE = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?`;
// A joiner between two pictures and the selector after one belong to an emoji; they are seen as the emoji.
const EMOJI = String.raw`${PICTURE}(?:\u200d${PICTURE})+|\p{Extended_Pictographic}[\ufe0e\ufe0f]|[\d#*]\ufe0f\u20e3`;
// Format characters that have a shape of their own: signs of Arabic, Syriac and Kaithi numbers.
const SEEN = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`;
// Controls, format characters, what Unicode calls ignorable (selectors, tags, fillers), separators other than the space,
// lone surrogates and the blank Braille pattern. Tab and line feed are kept: they are seen as space.
const UNSEEN = String.raw`\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|\p{Zs}|\p{Cs}|\p{Noncharacter_Code_Point}|\u2800`;
const SIGN = new RegExp(`(${EMOJI}|${SEEN}|[ \\t\\n]|\\r\\n)|(${UNSEEN})`, "gu");

export function splitSafeText(text: string): SafePart[] {
  const parts: SafePart[] = [];
  let start = 0;
  for (const match of text.matchAll(SIGN)) {
    const sign = match[2];
    if (sign === undefined) continue;
    if (match.index > start) parts.push({ text: text.slice(start, match.index), isSign: false });
    parts.push({ text: spellSign(sign), isSign: true });
    start = match.index + sign.length;
  }
  if (start < text.length) parts.push({ text: text.slice(start), isSign: false });
  return parts;
}

function spellSign(sign: string): string {
  return `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The text with every sign that cannot be seen written out, for places that take text only: titles, labels, copies. */
export function safeText(text: string): string {
  return splitSafeText(text)
    .map((part) => part.text)
    .join("");
}
