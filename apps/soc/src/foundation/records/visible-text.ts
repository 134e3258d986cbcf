/** Invisible characters that change the appearance of a text: control characters and direction marks. */
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** Makes every invisible character visible except line breaks. */
export function makeVisible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(INVISIBLE, (character) =>
      character === "\n" ? character : character === "\t" ? " " : formatCodePoint(character),
    )
    .replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

function formatCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}
