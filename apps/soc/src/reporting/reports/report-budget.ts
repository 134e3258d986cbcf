import type { Block, ReportDocument } from "./report-document.ts";

// The layout cost of a row, independent of its content.
const ROW_COST = 40;

/** Drops rows above the character limit. Each list states its number of omitted rows. */
export function withinBudget(document: ReportDocument, characters: number): ReportDocument {
  let left = characters;
  const fitting = <Row>(rows: readonly Row[], lengthOf: (row: Row) => number): Row[] =>
    rows.filter((row) => {
      left -= ROW_COST + lengthOf(row);
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
