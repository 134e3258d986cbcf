import { describe, expect, it } from "vitest";
import { CASE_STATUSES, type Case, type CaseStatus } from "../cases-client.ts";
import { type Column, findCard, moveInColumn, moveToColumn, nextStatus, placeCard } from "./board.ts";

function buildCase(id: string, status: CaseStatus): Case {
  return {
    id,
    status,
    title: id,
    description: "",
    severity: "low",
    assignee: null,
    requires_human_approval: false,
    due_at: null,
    mitre_techniques: [],
    tags: [],
    template_id: null,
    merged_into: null,
    closed_at: null,
    created_at: "2026-11-17T19:00:00.000Z",
    updated_at: "2026-11-17T19:00:00.000Z",
  };
}

/** a, b and c are open, d is contained. */
const board: Column[] = CASE_STATUSES.map((status) => {
  const ids = { open: ["a", "b", "c"], contained: ["d"] }[String(status)] ?? [];
  return { status, items: ids.map((id) => buildCase(id, status)), total: ids.length };
});
const idsIn = (columns: readonly Column[], status: CaseStatus) =>
  columns.find((column) => column.status === status)?.items.map(({ id }) => id);

describe("the board", () => {
  it("moves the cursor within its column and stops at the ends", () => {
    expect([moveInColumn(board, undefined, 1), moveInColumn(board, "a", 1), moveInColumn(board, "c", 1)]).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(moveInColumn(board, "a", -1)).toBe("a");
  });

  it("moves the cursor over empty columns to the same row, or to the last card", () => {
    expect([moveToColumn(board, "c", 1), moveToColumn(board, "d", -1), moveToColumn(board, "d", 1)]).toEqual([
      "d",
      "a",
      "d",
    ]);
  });

  it("moves a changed card to the top of its new column", () => {
    const moved = placeCard(board, buildCase("b", "contained"));
    expect([idsIn(moved, "open"), idsIn(moved, "contained")]).toEqual([
      ["a", "c"],
      ["b", "d"],
    ]);
    expect(moved.map(({ total }) => total)).toEqual([2, 0, 0, 2, 0, 0]);
    expect(findCard(moved, "b")).toEqual({ column: 3, row: 0 });
  });

  it("finds the previous and next status", () => {
    expect([nextStatus("open", 1), nextStatus("open", -1), nextStatus("closed", 1)]).toEqual([
      "investigating",
      undefined,
      undefined,
    ]);
  });
});
