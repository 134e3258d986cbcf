import type { LogPlace, LogSearch, LogSelection } from "./log-store.ts";

export type CompareLogs = (a: LogPlace, b: LogPlace) => number;

const FIRST_SURROGATE = 0xd800;
const FIRST_ABOVE = 0xe000;
const SURROGATES = FIRST_ABOVE - FIRST_SURROGATE;
const ABOVE = 0x10000 - FIRST_ABOVE;

/** The order of a search in the engine: by time, then by the bytes of the id. */
export function compareLogs(time: LogSelection["time"], order: LogSearch["order"]): CompareLogs {
  const sign = order === "oldest" ? 1 : -1;
  // Instants have a fixed length, so their texts sort in time order.
  return (a, b) => sign * (compareText(a[time], b[time]) || compareText(a.id, b.id));
}

/**
 * Compares as the engine does: by UTF-8 bytes, and so by code points. JavaScript compares UTF-16 units, which sort
 * characters above U+FFFF before some characters below it.
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

/** Moves surrogates, which encode the characters above U+FFFF, above all other units. */
function toRank(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit;
  return unit < FIRST_ABOVE ? unit + ABOVE : unit - SURROGATES;
}
