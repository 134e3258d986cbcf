// Controls, and format characters such as bidirectional overrides, which would let a text disguise itself.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** One line without invisible characters. */
export function toLine(text: string): string {
  return text.replaceAll(INVISIBLE, " ").replaceAll(/\s+/g, " ").trim();
}

/** For comparison: without accents, vowel marks and hamzas, with European digits. Letters keep their case. */
export function toPlain(text: string): string {
  return toLine(text)
    .normalize("NFKD")
    .replaceAll(/[\p{M}\u0640]/gu, "")
    .replaceAll(ARABIC_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replaceAll("’", "'");
}

/** A text of a record: data, so it is shown within quotation marks, which it cannot close, and shortened. */
export function quote(text: string, maxLength = 160): string {
  const characters = Array.from(toLine(text).replaceAll(/[“”]/g, '"'));
  const shown = characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}…` : characters.join("");
  return `“${shown}”`;
}

export function formatTime(at: Date | string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function formatClock(at: Date | string): string {
  return new Date(at).toISOString().slice(11, 19);
}

export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
