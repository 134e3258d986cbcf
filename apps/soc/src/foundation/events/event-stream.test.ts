import fc from "fast-check";
import { expect, it } from "vitest";
import { parseStreamEvents, type StreamEvent, splitIntoPieces } from "./event-stream.ts";

const LIMITS = { events: 100, bytes: 10_000 };
const event = (id: string, text = ""): StreamEvent => ({
  id,
  at: "2026-11-15T10:00:00.000Z",
  type: "t",
  subject_id: "s",
  data: { text },
});
const eventsIn = (text: string) => parseStreamEvents(JSON.parse(text)) ?? [];

it("splits events into pieces within the limits and keeps their order", () => {
  const events = fc.array(fc.record({ id: fc.uuid(), text: fc.string({ maxLength: 4000 }) }), { maxLength: 350 });
  fc.assert(
    fc.property(events, (given) => {
      const all = given.map(({ id, text }) => event(id, text));
      const pieces = splitIntoPieces(all, LIMITS);
      expect(pieces.flatMap(({ text }) => eventsIn(text))).toEqual(all);
      for (const { text } of pieces) {
        const { length } = eventsIn(text);
        expect(length).toBeGreaterThan(0);
        expect(length).toBeLessThanOrEqual(100);
        // Brackets and commas are not counted.
        expect(length === 1 || Buffer.byteLength(text) <= 10_000 + 101).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

it("gives a piece the same id for the same events, and another id for other events", () => {
  const [first] = splitIntoPieces([event("a"), event("b", "one")], LIMITS);
  const [again] = splitIntoPieces([event("a"), event("b", "two")], LIMITS);
  const others = [[event("b"), event("a")], [event("a")], [event('a","b')]].map(
    (events) => splitIntoPieces(events, LIMITS)[0]?.id,
  );
  expect(again?.id).toBe(first?.id);
  expect(new Set([first?.id, ...others]).size).toBe(4);
});

it("returns no pieces for an empty list", () => {
  expect(splitIntoPieces([], LIMITS)).toEqual([]);
});

it.each([[{}], [null], [[1]], [[{ ...event("a"), data: "text" }]], [[{ ...event("a"), id: 1 }]], ["[]"]])(
  "refuses %j as events",
  (piece) => {
    expect(parseStreamEvents(piece)).toBeUndefined();
  },
);
