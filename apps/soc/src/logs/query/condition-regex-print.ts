import type { Edge, Regex } from "./condition-regex.ts";
import type { Range } from "./condition-regex-set.ts";

const EDGES: Readonly<Record<Edge, string>> = {
  start: String.raw`\A`,
  end: String.raw`\z`,
  "line start": "(?m:^)",
  "line end": "(?m:$)",
  word: String.raw`\b`,
};

/** The expression in RE2 syntax, without flags. */
export function toRe2(regex: Regex): string {
  switch (regex.kind) {
    case "set":
      return setText(regex.ranges);
    case "sequence":
      return regex.of.map(toRe2).join("");
    case "choice":
      return `(?:${regex.of.map(toRe2).join("|")})`;
    case "repeat":
      return `(?:${toRe2(regex.of)})${countText(regex)}`;
    case "edge":
      return EDGES[regex.edge];
    default:
      return regex satisfies never;
  }
}

function countText({ min, max }: { min: number; max: number | undefined }): string {
  if (max === undefined) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  return min === 0 && max === 1 ? "?" : `{${min},${max}}`;
}

function setText(ranges: readonly Range[]): string {
  const [first] = ranges;
  if (!first) return String.raw`[^\x{0}-\x{10FFFF}]`;
  if (ranges.length === 1 && first[0] === first[1] && first[0] >= 0x20) return literalText(first[0]);
  const other = ranges[1];
  if (ranges.length === 2 && first[0] === first[1] && other && other[0] === other[1] && OTHER_CASES.has(first[0])) {
    return `(?:${literalText(first[0])}|${literalText(other[0])})`;
  }
  return `[${ranges.map(([from, to]) => `${codeText(from)}-${codeText(to)}`).join("")}]`;
}

// RE2 reads [Kk] and [Ss] as a case-insensitive letter, and these two letters have a third form outside ASCII.
const OTHER_CASES: ReadonlySet<number> = new Set([0x4b, 0x53]);

// Outside a class, a character is written literally: ClickHouse searches the text for the literal parts of an
// expression and would treat the digits of \x{61} as such a part.
function literalText(code: number): string {
  const character = String.fromCodePoint(code);
  return /[\\^$.*+?()[\]{}|]/.test(character) ? `\\${character}` : character;
}

function codeText(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
