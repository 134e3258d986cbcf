import type { Pattern } from "../../logs/query/condition.ts";

type Piece = Pattern[number];

const ANY: Piece = { wildcard: "any" };
const ONE: Piece = { wildcard: "one" };

/** Sigma's text: * and ? are wildcards, a backslash before one of them or before a backslash makes it plain. */
export function parsePattern(text: string): Pattern {
  const pieces: Piece[] = [];
  let plain = "";
  const put = (piece: Piece) => {
    if (plain !== "") pieces.push({ text: plain });
    plain = "";
    // Two in a row say no more than one.
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

/** Windows programs take any of these as the sign of an option. Undefined when there are too many to spell out. */
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

/** What the bytes look like inside a longer base64 text, at each of the three places where they can begin. */
export function base64Offsets(bytes: Buffer): string[] {
  return START_OFFSETS.map((start, offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset, " "), bytes]);
    return shifted.toString("base64").slice(start, END_OFFSETS[shifted.length % 3]);
  });
}
