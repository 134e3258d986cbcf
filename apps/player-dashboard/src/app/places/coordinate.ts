const ARABIC_ZERO = 0x0660;

/** Parses typed degrees, with Latin or Arabic digits; undefined when invalid or out of range. */
export function readCoordinate(typed: string, limit: number): number | undefined {
  const plain = typed
    .trim()
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO))
    .replace(/[,٫]/, ".")
    .replace(/^[−–]/, "-");
  if (!/^[+-]?\d+(?:\.\d+)?°?$/.test(plain)) return undefined;
  const degrees = Number.parseFloat(plain);
  return Math.abs(degrees) <= limit ? degrees : undefined;
}
