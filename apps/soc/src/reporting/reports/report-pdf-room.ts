import { draw } from "./report-chart.ts";
import type { Block, Table } from "./report-document.ts";

// Upper bounds of the average character width and the line height, in units of the font size.
const CHARACTER_WIDTH = 0.58;
const LINE_HEIGHT = 1.6;
const HEADING = 36;
const TABLE_HEAD = 20;
const PADDING = 8;
const TWO_LINES = 32;
// A first row higher than half a page may be separated from its heading.
const MAX_ROOM = 370;

interface Cell {
  text: string;
  width: number;
  fontSize: number;
}

/** Estimates the space for a heading and the first row of the next block on one page, rounded up. */
export function estimateRoom(next: Block | undefined, width: number): number {
  return HEADING + Math.min(estimateStart(next, width), MAX_ROOM);
}

function estimateStart(block: Block | undefined, width: number): number {
  if (!block) return TWO_LINES;
  switch (block.kind) {
    case "table":
      return estimateTable(block, width);
    case "timeline": {
      const [first] = block.entries;
      if (!first) return TWO_LINES;
      return estimateRow([
        { text: first.actor, width: 92, fontSize: 8 },
        { text: first.text, width: width - 198, fontSize: 9.5 },
      ]);
    }
    case "facts":
      return estimateRow(
        block.facts.slice(0, 1).map(({ value }) => ({ text: value, width: width - 146, fontSize: 9.5 })),
      );
    case "chart":
      return TABLE_HEAD + draw(block).height;
    case "heading":
    case "paragraph":
      return TWO_LINES;
    default:
      return block satisfies never;
  }
}

function estimateTable({ columns, rows: [first = []] }: Table, width: number): number {
  const weights = columns.reduce((sum, { weight }) => sum + weight, 0);
  const cells = first.map((text, at) => {
    const share = (columns[at]?.weight ?? 1) / weights;
    return { text, width: Math.max(share * width - 12, 1), fontSize: 8.5 };
  });
  return TABLE_HEAD + estimateRow(cells);
}

function estimateRow(cells: readonly Cell[]): number {
  const heights = cells.map(({ text, width, fontSize }) => {
    const perLine = Math.max(4, Math.floor(width / (fontSize * CHARACTER_WIDTH)));
    const lines = text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
    return lines * fontSize * LINE_HEIGHT;
  });
  return PADDING + Math.max(0, ...heights);
}
