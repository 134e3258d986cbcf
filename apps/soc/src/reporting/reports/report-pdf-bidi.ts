/**
 * The direction class of a character: left, right, a number, a mark of the previous character, a separator inside
 * numbers, or neutral.
 */
type Kind = "L" | "R" | "number" | "mark" | "separator" | "neutral";

interface Part {
  level: number;
  text: string;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const ARABIC_NUMBER = /[\u0660-\u0669\u06f0-\u06f9]/u;
const MIRRORED: ReadonlyMap<string, string> = new Map(
  ["()", "[]", "{}", "<>", "«»", "‹›"].flatMap(([open = "", close = ""]) => [
    [open, close],
    [close, open],
  ]),
);
/** Separates parts, because the layout reverses each part in a right-to-left script as a whole. */
const APART = "\u200b";

export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** Decides by the first letter, like browsers. */
export function isFromRight(text: string): boolean {
  const first = Array.from(text, kindOf).find((kind) => kind === "L" || kind === "R");
  return first === "R";
}

/**
 * Puts a line into visual order, from left to right, by the Unicode Bidirectional Algorithm (UAX #9) without explicit
 * marks and bracket pairs. A hyphen between digits belongs to the number, so that dates stay readable. Letters of a
 * right-to-left script keep their logical order, because the PDF layout reverses each group of them.
 */
export function toVisualOrder(line: string, fromRight: boolean): string {
  const characters = Array.from(line);
  const levels = findLevels(characters, fromRight ? 1 : 0);
  const parts: Part[] = [];
  for (const [at, character] of characters.entries()) {
    const level = levels[at] ?? 0;
    const last = parts.at(-1);
    if (last?.level === level) last.text += character;
    else parts.push({ level, text: character });
  }
  return reorder(parts)
    .map(({ level, text }) => (level % 2 === 1 ? turnAround(text) : keepApart(text)))
    .join("");
}

function kindOf(character: string): Kind {
  if (ARABIC_NUMBER.test(character) || /\d/.test(character)) return "number";
  if (/[.,:/+\-\u060c\u066b\u066c]/u.test(character)) return "separator";
  if (/\p{M}/u.test(character)) return "mark";
  if (/\p{L}|\u061f|\u061b/u.test(character)) return RIGHT_TO_LEFT.test(character) ? "R" : "L";
  return "neutral";
}

/** Applies rules W1 to I2. */
function findLevels(characters: readonly string[], base: 0 | 1): number[] {
  const kinds = resolveNeutral(resolveNumbers(joinKinds(characters.map(kindOf)), base), base);
  const levels = kinds.map((kind) => {
    if (kind === "R") return 1;
    return kind === "number" ? 2 : 2 * base;
  });
  // Rule L1: trailing spaces have the level of the paragraph.
  for (let at = characters.length - 1; at >= 0 && characters[at] === " "; at -= 1) levels[at] = base;
  return levels;
}

/** A mark joins the previous character, and a separator the digits on both sides. */
function joinKinds(given: readonly Kind[]): Kind[] {
  const kinds: Kind[] = [];
  for (const [at, kind] of given.entries()) {
    const before = kinds[at - 1] ?? "neutral";
    const isInNumber = before === "number" && given[at + 1] === "number";
    if (kind === "mark") kinds.push(before);
    else if (kind === "separator") kinds.push(isInNumber ? "number" : "neutral");
    else kinds.push(kind);
  }
  return kinds;
}

/** Rule W7: a number after a left-to-right word belongs to it. */
function resolveNumbers(given: readonly Kind[], base: 0 | 1): Kind[] {
  let strong: Kind = base === 1 ? "R" : "L";
  return given.map((kind) => {
    if (kind === "L" || kind === "R") strong = kind;
    return kind === "number" && strong === "L" ? "L" : kind;
  });
}

/**
 * Rules N1 and N2: a neutral between two characters of one direction takes this direction, any other that of the
 * paragraph.
 */
function resolveNeutral(given: readonly Kind[], base: 0 | 1): Kind[] {
  const paragraph: Kind = base === 1 ? "R" : "L";
  const sideOf = (kind: Kind | undefined) => (kind === "number" ? "R" : (kind ?? paragraph));
  const kinds = [...given];
  for (let at = 0; at < kinds.length; at += 1) {
    if (kinds[at] !== "neutral") continue;
    let end = at;
    while (kinds[end] === "neutral") end += 1;
    const [before, after] = [sideOf(kinds[at - 1]), sideOf(kinds[end])];
    kinds.fill(before === after ? before : paragraph, at, end);
    at = end;
  }
  return kinds;
}

/** Rule L2: from the highest level down, reverses every sequence of parts with at least this level. */
function reorder(given: readonly Part[]): Part[] {
  let parts = [...given];
  for (const lowest of [2, 1]) {
    const turned: Part[] = [];
    let sequence: Part[] = [];
    for (const part of parts) {
      if (part.level >= lowest) sequence.unshift(part);
      else {
        turned.push(...sequence, part);
        sequence = [];
      }
    }
    parts = [...turned, ...sequence];
  }
  return parts;
}

/** Keeps the letters and reverses their groups and what is between them. */
function turnAround(text: string): string {
  const groups = text.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+|./gsu) ?? [];
  return groups
    .toReversed()
    .map((group) => MIRRORED.get(group) ?? group)
    .join("");
}

/** The layout reverses Arabic digits, too. */
function keepApart(text: string): string {
  return text.replaceAll(/[\u0660-\u0669]+|[\u06f0-\u06f9]+/gu, (digits) => {
    return `${APART}${Array.from(digits).toReversed().join("")}${APART}`;
  });
}
