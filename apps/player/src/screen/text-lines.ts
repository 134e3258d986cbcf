export interface TextBox {
  width: number;
  maxLines: number;
  /** In pixels, from the preferred size down to the smallest readable one. */
  sizes: readonly [number, ...number[]];
}

export interface TextLines {
  size: number;
  lines: string[];
}

type Measure = (text: string, size: number) => number;

const ELLIPSIS = "…";
/** More does not fit on the screen, and measuring a whole page takes a second. */
const MAX_CHARACTERS = 200;

/** The largest size at which the text fits into its box; what does not fit at the smallest is cut with an ellipsis. */
export function fitText(text: string, { width, maxLines, sizes }: TextBox, measure: Measure): TextLines {
  const words = text.slice(0, MAX_CHARACTERS).trim().split(/\s+/);
  for (const size of sizes) {
    const lines = wrap(words, width, (line) => measure(line, size));
    const isWide = lines.some((line) => measure(line, size) > width);
    if (lines.length <= maxLines && !isWide) return { size, lines };
  }
  const size = sizes.at(-1) ?? sizes[0];
  const lines = wrap(words, width, (line) => measure(line, size));
  const kept = lines.slice(0, maxLines);
  if (lines.length > maxLines) kept.splice(-1, 1, lines.slice(maxLines - 1).join(" "));
  return { size, lines: kept.map((line) => cut(line, width, (part) => measure(part, size))) };
}

function wrap(words: readonly string[], width: number, widthOf: (line: string) => number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

function cut(line: string, width: number, widthOf: (part: string) => number): string {
  if (widthOf(line) <= width) return line;
  const letters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  let fits = 0;
  let tooMany = letters.length;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (widthOf(joinFirst(letters, middle)) <= width) fits = middle;
    else tooMany = middle;
  }
  return joinFirst(letters, fits);
}

function joinFirst(letters: readonly string[], count: number): string {
  return `${letters.slice(0, count).join("").trimEnd()}${ELLIPSIS}`;
}
