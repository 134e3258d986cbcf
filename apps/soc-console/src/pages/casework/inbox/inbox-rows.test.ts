import { describe, expect, it } from "vitest";
import type { InboxItem } from "./inbox-client.ts";
import { holdRows, subjectPath } from "./inbox-rows.ts";

function item(id: string, minute: number, read_at: string | null = null): InboxItem {
  const at = `2026-11-17T20:${String(minute).padStart(2, "0")}:00.000Z`;
  return { id, kind: "assigned", subject_type: "alert", subject_id: id, title: id, actor: "yara", at, read_at };
}
const ids = (rows: readonly InboxItem[]) => rows.map(({ id }) => id).join("");

describe("the rows of the inbox", () => {
  const [a, b, c] = [item("a", 3), item("b", 2), item("c", 1)];

  it("keeps the rows in place and counts new items", () => {
    const held = holdRows([a, b], [item("n", 5), item("m", 4), a, b], true);
    expect([ids(held.rows), held.news]).toEqual(["ab", 2]);
  });

  it("changes rows in place", () => {
    const read = item("b", 2, "2026-11-17T20:10:00.000Z");
    expect(holdRows([a, b], [a, read], true).rows[1]?.read_at).not.toBeNull();
  });

  it("removes deleted rows, except beyond the reloaded page", () => {
    expect(ids(holdRows([a, b, c], [a, c], true).rows)).toBe("ac");
    expect(ids(holdRows([a, b, c], [a, b], false).rows)).toBe("abc");
  });

  it("shows new items at once in an empty list", () => {
    expect(holdRows([], [a, b], true)).toEqual({ rows: [a, b], news: 0 });
  });
});

it.each([
  ["alert", "/alerts/x%2F1"],
  ["case", "/cases/x%2F1"],
  ["approval", "/approvals/x%2F1"],
  ["execution", "/runs/x%2F1"],
  ["user", "/settings/me"],
])("opens a subject of type %s at %s", (subject_type, path) => {
  expect(subjectPath({ subject_type, subject_id: "x/1" })).toBe(path);
});
