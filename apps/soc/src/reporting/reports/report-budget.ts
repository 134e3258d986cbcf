import type { Block, ReportDocument } from "./report-document.ts";

// A row is laid out, whatever is in it.
const ROW_COSTS = 40;

/** The document without the rows that go beyond so many characters. Each list says how many of its rows were left out. */
export function withinBudget(document: ReportDocument, characters: number): ReportDocument {
  let left = characters;
  const fitting = <Row>(rows: readonly Row[], lengthOf: (row: Row) => number): Row[] =>
    rows.filter((row) => {
      left -= ROW_COSTS + lengthOf(row);
      return left >= 0;
    });

  function fit(block: Block): Block {
    if (block.kind === "table") {
      const rows = fitting(block.rows, (row) => row.join("").length);
      return { ...block, rows, more: block.more + block.rows.length - rows.length };
    }
    if (block.kind !== "timeline") return block;
    const entries = fitting(block.entries, ({ actor, text }) => actor.length + text.length);
    return { ...block, entries, more: block.more + block.entries.length - entries.length };
  }

  return { ...document, blocks: document.blocks.map(fit) };
}
