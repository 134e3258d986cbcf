import { findSigns, spellSign } from "../../design/invisible-characters.ts";

/** A part of an untrusted text: unchanged, or an invisible character escaped as `⟨U+202E⟩`. */
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

/** The text with every invisible character escaped, for places that accept only text: titles, labels, copies. */
export function safeText(text: string): string {
  return splitSafeText(text)
    .map((part) => part.text)
    .join("");
}
