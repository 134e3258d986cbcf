/** Limits the text to one line without characters that cannot be stored; undefined if nothing is left. */
export function oneLine(text: string, maxLength: number): string | undefined {
  return shortened(wellFormed(text).replaceAll(/[\s\p{Cc}]+/gu, " "), maxLength);
}

/** Limits the text and removes characters that cannot be stored; undefined if nothing is left. */
export function paragraphs(text: string, maxLength: number): string | undefined {
  return shortened(wellFormed(text).replaceAll("\0", " "), maxLength);
}

function shortened(text: string, maxLength: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (trimmed.length <= maxLength) return trimmed;
  return `${wellFormed(trimmed.slice(0, maxLength - 1))}…`;
}

/** Replaces unpaired surrogates by U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
