const ARABIC_ZERO = 0x0660;

/** A typed number of degrees, with either kind of digits and decimal sign; undefined when it is none within the limit. */
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
