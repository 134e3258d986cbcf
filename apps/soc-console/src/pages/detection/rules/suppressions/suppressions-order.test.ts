import { expect, it } from "vitest";
import { sortByEnd, spellCriteria } from "./suppressions-order.ts";

it("lists the soonest expiry first, and expired suppressions last", () => {
  const items = [20, 10, 15, 5].map((day) => ({ expires_at: `2026-11-${String(day).padStart(2, "0")}T00:00:00Z` }));
  expect(sortByEnd(items, new Date("2026-11-12T00:00:00Z")).map(({ expires_at }) => expires_at.slice(8, 10))).toEqual([
    ...["15", "20", "10", "05"],
  ]);
});

it("formats every criterion", () => {
  expect(spellCriteria({ host: "kiosk-7", port: 22 })).toBe("host=kiosk-7 port=22");
});
