const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a decimal number; any other text is not a number, not even with a space around the digits. */
export function parseNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Formats a number as the log store does: 1e21, where JavaScript writes 1e+21. */
export function spellNumber(value: number): string {
  return String(value).replace("e+", "e");
}
