const PICTURE = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?`;
// A joiner between two pictographs and a selector after one belong to an emoji, which is visible.
const EMOJI = String.raw`${PICTURE}(?:\u200d${PICTURE})+|\p{Extended_Pictographic}[\ufe0e\ufe0f]|[\d#*]\ufe0f\u20e3`;
// Visible format characters: number signs of Arabic, Syriac and Kaithi.
const SEEN = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`;
// Controls, format characters, Unicode's default ignorables (selectors, tags, fillers), separators other than the
// space, lone surrogates and the blank Braille pattern. Tab and line feed are allowed: they are visible as space.
const UNSEEN = String.raw`\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|\p{Zs}|\p{Cs}|\p{Noncharacter_Code_Point}|\u2800`;
const SIGN = new RegExp(`(${EMOJI}|${SEEN}|[ \\t\\n]|\\r\\n)|(${UNSEEN})`, "gu");

/** The invisible characters of a text, with their positions. */
export function findSigns(text: string): { sign: string; index: number }[] {
  return [...text.matchAll(SIGN)].flatMap(({ 2: sign, index }) => (sign === undefined ? [] : { sign, index }));
}

export function spellSign(sign: string): string {
  return `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
