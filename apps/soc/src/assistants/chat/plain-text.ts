// Control and format characters such as bidirectional overrides, with which a text could disguise itself.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** Returns one line without invisible characters. */
export function toLine(text: string): string {
  return text.replaceAll(INVISIBLE, " ").replaceAll(/\s+/g, " ").trim();
}

/** Normalises for comparison: removes accents, vowel marks and hamzas and uses European digits, but keeps case. */
export function toPlain(text: string): string {
  return toLine(text)
    .normalize("NFKD")
    .replaceAll(/[\p{M}\u0640]/gu, "")
    .replaceAll(ARABIC_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replaceAll("’", "'");
}

/** Quotes and shortens a text of a record, so that it cannot close the quotation marks. */
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
