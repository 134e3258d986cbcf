const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that a text spells in decimals; nothing else is a number, not even with a space beside it. */
export function parseNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** As the log store spells it: 1e21, where JavaScript has 1e+21. */
export function spellNumber(value: number): string {
  return String(value).replace("e+", "e");
}
