import fc from "fast-check";
import { expect, it } from "vitest";
import { compareText } from "./log-order.ts";

it("orders texts by their UTF-8 bytes, as the log engine does", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "B", "\u0000", "é", "\u{d7ff}", "\u{e000}", "\u{ffff}", "😀", "\u{10ffff}"),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 2000 },
  );
});
