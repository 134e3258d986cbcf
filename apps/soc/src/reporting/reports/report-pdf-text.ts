import { hasRightToLeft, isFromRight, toVisualOrder } from "./report-pdf-bidi.ts";

/** A part of a text in one font. */
export interface Run {
  text: string;
  font: "Roboto" | "DejaVu";
  wordBreak?: "break-all";
}

export interface SetText {
  text: Run[];
  alignment?: "right";
}

type Ranges = readonly (readonly [first: number, last: number])[];

// The characters that each font can draw. Roboto looks better, DejaVu covers more.
// biome-ignore format: a list of numbers
const ROBOTO: Ranges = [
  [0xa, 0xa], [0x20, 0x7e], [0xa0, 0x17f], [0x384, 0x38a], [0x38e, 0x3a1], [0x3a3, 0x3ce], [0x400, 0x486],
  [0x1ea0, 0x1ef9], [0x200b, 0x200b], [0x2010, 0x2010], [0x2011, 0x2011], [0x2013, 0x2015], [0x2018, 0x201e], [0x2020, 0x2022],
  [0x2026, 0x2026], [0x2030, 0x2030], [0x2039, 0x2039], [0x203a, 0x203a], [0x20ac, 0x20ac], [0x2122, 0x2122],
];
// biome-ignore format: a list of numbers
const DEJAVU: Ranges = [
  [0x180, 0x24f], [0x259, 0x259], [0x2c6, 0x2dd], [0x300, 0x34f], [0x370, 0x377], [0x384, 0x525], [0x531, 0x556],
  [0x559, 0x55f], [0x561, 0x587], [0x5b0, 0x5c3], [0x5d0, 0x5ea], [0x5f0, 0x5f4], [0x60c, 0x60c], [0x61b, 0x61b],
  [0x61f, 0x61f], [0x621, 0x63a], [0x640, 0x655], [0x660, 0x670], [0x674, 0x674], [0x679, 0x6bf], [0x6c6, 0x6c8],
  [0x6cb, 0x6cb], [0x6cc, 0x6cc], [0x6d5, 0x6d5], [0x6f0, 0x6f9], [0x10d0, 0x10fc], [0x1e00, 0x1efb],
  [0x2000, 0x200a], [0x2010, 0x2027], [0x2030, 0x2064], [0x2070, 0x2070], [0x2074, 0x208e], [0x20a0, 0x20b5],
  [0x2100, 0x2109], [0x2150, 0x2185], [0x2190, 0x2311], [0x2500, 0x269c], [0x2701, 0x2704], [0x2706, 0x2709],
  [0x270c, 0x2727], [0x2794, 0x2794], [0x2798, 0x27af], [0x2800, 0x28ff], [0xfb1d, 0xfb36], [0xfe70, 0xfe74],
  [0xfe76, 0xfefc], [0x1f600, 0x1f623], [0x1f625, 0x1f62b], [0x1f62d, 0x1f640],
];
// A long text without glyphs is not readable as code points either.
const MAX_CODE_POINTS = 8;
// A word up to this length may break anywhere and is still copied as one word; longer words get explicit break points.
const MAX_BREAKABLE_LENGTH = 200;
// They only change the appearance of the previous character.
const JOINERS = /\u200c|\u200d|[\ufe00-\ufe0f]/gu;

/** Counts the characters that neither font can draw. */
export function undrawable(text: string): number {
  return Array.from(text.replaceAll(JOINERS, "")).filter((character) => !isDrawn(character)).length;
}

/**
 * Splits the text into runs of fonts, for a column of that width. Right-to-left lines are wrapped and reordered here,
 * because the PDF layout only supports left-to-right.
 */
export function setText(text: string, width: number, fontSize: number): SetText {
  const drawn = replaceUndrawable(text);
  const perLine = Math.max(4, Math.floor(width / (fontSize * 0.58)));
  if (!hasRightToLeft(drawn)) return { text: splitRuns(drawn, perLine) };
  const lines = drawn
    .split("\n")
    .flatMap((line) => wrap(line, perLine).map((part) => toVisualOrder(part, isFromRight(line))));
  return { text: splitRuns(lines.join("\n"), perLine), ...(isFromRight(drawn) && { alignment: "right" }) };
}

/** Prepares a chart label: one line, in one font. */
export function setLabel(text: string): string {
  const drawn = replaceUndrawable(text);
  return hasRightToLeft(drawn) ? toVisualOrder(drawn, isFromRight(drawn)) : drawn;
}

/** Replaces characters without a glyph by their code points: 漢字 becomes [U+6F22 U+5B57]. */
function replaceUndrawable(text: string): string {
  let shown = "";
  let missing: string[] = [];
  for (const each of [...Array.from(text.replaceAll(JOINERS, "")), ""]) {
    if (each !== "" && !isDrawn(each)) missing.push(each);
    else {
      shown += formatCodePoints(missing) + each;
      missing = [];
    }
  }
  return shown;
}

function formatCodePoints(characters: readonly string[]): string {
  if (characters.length === 0) return "";
  const codes = characters
    .slice(0, MAX_CODE_POINTS)
    .map((each) => `U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
  const more = characters.length - codes.length;
  return `[${codes.join(" ")}${more > 0 ? ` and ${more} more` : ""}]`;
}

function isDrawn(character: string): boolean {
  return isIn(ROBOTO, character) || isIn(DEJAVU, character);
}

function isIn(ranges: Ranges, character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return ranges.some(([first, last]) => code >= first && code <= last);
}

function wrap(line: string, perLine: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/ +/)) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (longer.length > perLine && current !== "") {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}

function splitRuns(text: string, perLine: number): Run[] {
  const runs: Run[] = [];
  for (const word of text.split(/(?<=\s)/)) {
    const isBroken = word.length > perLine && word.length <= MAX_BREAKABLE_LENGTH;
    const parts = fontParts(word.length > MAX_BREAKABLE_LENGTH ? withBreaks(word) : word);
    for (const part of parts) add(runs, { ...part, ...(isBroken && { wordBreak: "break-all" }) });
  }
  return runs;
}

/** Adds break points. A break at every character would take longer than the rest of the report. */
function withBreaks(word: string): string {
  return Array.from(word, (character, at) => (at > 0 && at % 12 === 0 ? `\u200b${character}` : character)).join("");
}

function add(runs: Run[], next: Run): void {
  const last = runs.at(-1);
  if (last && last.font === next.font && last.wordBreak === next.wordBreak) last.text += next.text;
  else runs.push(next);
}

function fontParts(word: string): Run[] {
  const parts: Run[] = [];
  for (const character of word) add(parts, { text: character, font: isIn(ROBOTO, character) ? "Roboto" : "DejaVu" });
  return parts;
}
