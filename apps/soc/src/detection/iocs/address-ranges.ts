export interface AddressRange<Value extends number | bigint> {
  id: string;
  first: Value;
  last: Value;
}

/**
 * CIDR networks, which are either nested or disjoint, sorted so that one binary search finds all that contain an
 * address.
 */
export function createAddressRanges<Value extends number | bigint>(ranges: readonly AddressRange<Value>[]) {
  const sorted = ranges.toSorted((a, b) => compare(a.first, b.first) || compare(b.last, a.last));
  // For each network the next larger one around it, to walk from the innermost outwards.
  const around: number[] = [];
  for (const [place, { first }] of sorted.entries()) {
    let outer = place - 1;
    while (outer >= 0 && (sorted[outer]?.last ?? first) < first) outer = around[outer] ?? -1;
    around.push(outer);
  }

  function lastBeginningBefore(address: Value): number {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle]?.first ?? address) <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  return {
    size: sorted.length,
    find(address: Value, found: (id: string) => void): void {
      for (let place = lastBeginningBefore(address); place >= 0; place = around[place] ?? -1) {
        const range = sorted[place];
        if (range && range.last >= address) found(range.id);
      }
    },
  };
}

function compare(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : Number(a > b);
}

const DOT = 0x2e;
const ZERO = 0x30;

/** Parses an IPv4 address to a number; undefined for any other text. Optimised, because it runs for every event. */
export function parseIpv4(text: string): number | undefined {
  let [value, part, digits, dots] = [0, 0, 0, 0];
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === DOT) {
      if (digits === 0) return undefined;
      value = value * 256 + part;
      [part, digits] = [0, 0];
      dots += 1;
    } else {
      const digit = code - ZERO;
      part = part * 10 + digit;
      digits += 1;
      if (digit < 0 || digit > 9 || part > 255) return undefined;
    }
  }
  return dots === 3 && digits > 0 ? value * 256 + part : undefined;
}
