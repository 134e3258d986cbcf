import type { LogPlace, LogSearch, LogSelection } from "./log-store.ts";

export type CompareLogs = (a: LogPlace, b: LogPlace) => number;

const FIRST_SURROGATE = 0xd800;
const FIRST_ABOVE = 0xe000;
const SURROGATES = FIRST_ABOVE - FIRST_SURROGATE;
const ABOVE = 0x10000 - FIRST_ABOVE;

/** The order of a search, as the engine has it: by time, then by the bytes of the id. */
export function compareLogs(time: LogSelection["time"], order: LogSearch["order"]): CompareLogs {
  const sign = order === "oldest" ? 1 : -1;
  // Instants have the same length, so their text sorts as they do.
  return (a, b) => sign * (compareText(a[time], b[time]) || compareText(a.id, b.id));
}

/**
 * As the engine compares: by the bytes in UTF-8, and so by code points. JavaScript compares UTF-16 units, in which
 * characters beyond the first 65,536 come before some of these.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return toRank(left) - toRank(right);
  }
  return a.length - b.length;
}

/** Moves the surrogates, which stand for the characters beyond the first 65,536, above all other units. */
function toRank(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit;
  return unit < FIRST_ABOVE ? unit + ABOVE : unit - SURROGATES;
}
