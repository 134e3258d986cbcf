import type { Pattern } from "@kit/query/condition";

type Piece = Pattern[number];

const ANY: Piece = { wildcard: "any" };
const ONE: Piece = { wildcard: "one" };

/** Parses Sigma text: * and ? are wildcards; a backslash escapes a wildcard or another backslash. */
export function parsePattern(text: string): Pattern {
  const pieces: Piece[] = [];
  let plain = "";
  const put = (piece: Piece) => {
    if (plain !== "") pieces.push({ text: plain });
    plain = "";
    // Consecutive "any" wildcards are equivalent to one.
    if (piece !== ANY || pieces.at(-1) !== ANY) pieces.push(piece);
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === "\\" && next !== "" && "*?\\".includes(next)) {
      plain += next;
      at += 1;
    } else if (character === "*") put(ANY);
    else if (character === "?") put(ONE);
    else plain += character;
  }
  return plain === "" ? pieces : [...pieces, { text: plain }];
}

export function withAnyAround(pattern: Pattern, before: boolean, after: boolean): Pattern {
  const isOpenBefore = pattern[0] === ANY;
  const isOpenAfter = pattern.at(-1) === ANY;
  return [...(before && !isOpenBefore ? [ANY] : []), ...pattern, ...(after && !isOpenAfter ? [ANY] : [])];
}

const DASHES = ["-", "/", "\u2013", "\u2014", "\u2015"];
const DASH = /\B[-/]\b/g;
const MAX_DASHES = 3;

/**
 * Windows programs accept any of these characters as an option prefix. Undefined if there are too many combinations.
 */
export function withEachDash(text: string): string[] | undefined {
  const places = [...text.matchAll(DASH)].map(({ index }) => index);
  if (places.length > MAX_DASHES) return undefined;
  let texts = [text];
  for (const place of places) {
    texts = texts.flatMap((each) => DASHES.map((dash) => each.slice(0, place) + dash + each.slice(place + 1)));
  }
  return texts;
}

const START_OFFSETS = [0, 2, 3];
const END_OFFSETS = [undefined, -3, -2];

/** The base64 forms of the bytes inside a longer text, one for each of the three possible alignments. */
export function base64Offsets(bytes: Buffer): string[] {
  return START_OFFSETS.map((start, offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset, " "), bytes]);
    return shifted.toString("base64").slice(start, END_OFFSETS[shifted.length % 3]);
  });
}
