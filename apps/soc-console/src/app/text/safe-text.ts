import { findSigns, spellSign } from "../../design/unseen-signs.ts";

/** A part of an outside text: as it is, or a sign that could not be seen, written as `⟨U+202E⟩`. */
export interface SafePart {
  text: string;
  isSign: boolean;
}

export function splitSafeText(text: string): SafePart[] {
  const parts: SafePart[] = [];
  let start = 0;
  for (const { sign, index } of findSigns(text)) {
    if (index > start) parts.push({ text: text.slice(start, index), isSign: false });
    parts.push({ text: spellSign(sign), isSign: true });
    start = index + sign.length;
  }
  if (start < text.length) parts.push({ text: text.slice(start), isSign: false });
  return parts;
}

/** The text with every sign that cannot be seen written out, for places that take text only: titles, labels, copies. */
export function safeText(text: string): string {
  return splitSafeText(text)
    .map((part) => part.text)
    .join("");
}
