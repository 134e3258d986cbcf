/** A range of characters, from the first to the last code point, both included. */
export type Range = readonly [number, number];

const LAST_CHARACTER = 0x10ffff;

/** Sorts and joins ranges, so that they neither overlap nor touch. */
export function normalRanges(ranges: readonly Range[]): Range[] {
  const normal: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const previous = normal.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else normal.push([first, last]);
  }
  return normal;
}

export function otherThan(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 0;
  for (const [first, last] of normalRanges(ranges)) {
    if (first > next) others.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST_CHARACTER) others.push([next, LAST_CHARACTER]);
  return others;
}

const DIGITS: readonly Range[] = [[0x30, 0x39]];
export const WORD_CHARACTERS: readonly Range[] = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const SPACES: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];

/** The character classes that an escape names; ASCII only, in every engine. */
export const NAMED_RANGES: ReadonlyMap<string, readonly Range[]> = new Map([
  ["d", DIGITS],
  ["w", WORD_CHARACTERS],
  ["s", SPACES],
  ["D", otherThan(DIGITS)],
  ["W", otherThan(WORD_CHARACTERS)],
  ["S", otherThan(SPACES)],
]);

/** The same characters in both cases: for a single character its other cases, for a range only ASCII letters. */
export function bothCases(ranges: readonly Range[]): Range[] {
  return normalRanges(
    ranges.flatMap((range) => [range, ...(range[0] === range[1] ? toOtherCases(range[0]) : toAsciiCases(range))]),
  );
}

function toOtherCases(code: number): Range[] {
  const character = String.fromCodePoint(code);
  return [character.toLowerCase(), character.toUpperCase()].flatMap((other): Range[] => {
    const otherCode = other.codePointAt(0) ?? code;
    return String.fromCodePoint(otherCode) === other ? [[otherCode, otherCode]] : [];
  });
}

function toAsciiCases(range: Range): Range[] {
  return [...shifted(range, [0x41, 0x5a], 0x20), ...shifted(range, [0x61, 0x7a], -0x20)];
}

function shifted([first, last]: Range, [from, to]: Range, by: number): Range[] {
  const start = Math.max(first, from);
  const end = Math.min(last, to);
  return start <= end ? [[start + by, end + by]] : [];
}
