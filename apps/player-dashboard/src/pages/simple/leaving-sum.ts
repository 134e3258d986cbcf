export interface Sum {
  first: number;
  second: number;
}

/** A small sum that an adult solves immediately; `seed` is any varying number. */
export function createSum(seed: number): Sum {
  const whole = Math.abs(Math.trunc(seed));
  return { first: 5 + (whole % 5), second: 6 + (Math.floor(whole / 5) % 4) };
}

/** Parses a typed number in Latin or Arabic digits; undefined when it is not a number. */
export function readNumber(typed: string): number | undefined {
  const plain = typed
    .trim()
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
  return /^\d{1,4}$/.test(plain) ? Number(plain) : undefined;
}

export function isSolved({ first, second }: Sum, typed: string): boolean {
  return readNumber(typed) === first + second;
}
