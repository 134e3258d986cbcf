import { describe, expect, it } from "vitest";
import { type Order, pageInMemory, placeAfter, toPosition } from "./order.ts";
import { encodeCursor } from "./page.ts";

interface Row {
  id: string;
  level: "low" | "high";
  at: Date;
}

const toId = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`;
const buildRow = (digit: number, level: Row["level"], at: string): Row => ({
  id: toId(digit),
  level,
  at: new Date(at),
});
const ROWS = [
  buildRow(1, "low", "2026-01-01T00:00:00.000Z"),
  buildRow(2, "high", "2026-01-01T00:00:00.000Z"),
  buildRow(3, "low", "2026-01-02T00:00:00.000Z"),
  buildRow(4, "high", "2026-01-01T00:00:00.000Z"),
];
const order: Order<Row> = {
  name: "-level",
  direction: "desc",
  columns: [
    { name: "level", kind: ["low", "high"] },
    { name: "at", kind: "instant" },
    { name: "id", kind: "id" },
  ],
};
const PLACE = ["low", "2026-01-01T00:00:00.000Z", toId(1)];

describe("pageInMemory", () => {
  it("sorts by the meaning of each column and finally by id", () => {
    const page = pageInMemory(ROWS, order, {});
    expect(page.items.map(({ id }) => id)).toEqual([toId(4), toId(2), toId(3), toId(1)]);
    expect(page).toMatchObject({ total: 4, skip: 0, limit: 50, next_cursor: null });
  });

  it("continues after the cursor, even if its row was deleted", () => {
    const first = pageInMemory(ROWS, order, { limit: 2 });
    const rest = ROWS.filter(({ id }) => id !== toId(2));
    const second = pageInMemory(rest, order, { limit: 2, cursor: first.next_cursor ?? "" });
    expect(second.items.map(({ id }) => id)).toEqual([toId(3), toId(1)]);
    expect(second.next_cursor).toBeNull();
  });

  it("skips rows as the API document specifies", () => {
    const page = pageInMemory(ROWS, order, { skip: 1, limit: 2 });
    expect(page.items.map(({ id }) => id)).toEqual([toId(2), toId(3)]);
    expect(page).toMatchObject({ skip: 1, limit: 2, next_cursor: expect.any(String) });
  });
});

describe("a cursor", () => {
  it("decodes to the position that it encodes", () => {
    const [row] = ROWS;
    expect(row && toPosition(order, row)).toEqual(PLACE);
    expect(placeAfter(order, encodeCursor("-level", PLACE))).toEqual(PLACE);
  });

  it.each([
    ["of another order", encodeCursor("level", PLACE)],
    ["that is no JSON", "nonsense"],
    ["that is no list", Buffer.from("{}").toString("base64url")],
    ["with an unknown word", encodeCursor("-level", ["medium", ...PLACE.slice(1)])],
    ["with an impossible time", encodeCursor("-level", ["low", "2026-13-01T00:00:00.000Z", toId(1)])],
    ["with an id that is none", encodeCursor("-level", [...PLACE.slice(0, 2), "1"])],
    ["with a number for a text", encodeCursor("-level", ["low", 0, toId(1)])],
    ["that is too short", encodeCursor("-level", PLACE.slice(0, 2))],
    ["that is too long", encodeCursor("-level", [...PLACE, toId(1)])],
  ])("refuses a cursor if it is %s", (_, cursor) => {
    expect(() => placeAfter(order, cursor)).toThrow("cursor: must come from this list with the same order");
  });
});
