import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutbox, type Frame } from "./outbox.ts";

const LIMIT = 262_144;

function buildFrame(type: string, seq: number, sizeBytes = 100): Frame {
  return { type, seq, bytes: Buffer.alloc(sizeBytes) };
}

const listSeqs = (frames: readonly Frame[]) => frames.map(({ seq }) => seq);

describe("the outbox", () => {
  it("releases everything immediately up to 256 KiB", () => {
    const outbox = createOutbox();
    expect(listSeqs(outbox.push(buildFrame("volume", 1), 0))).toEqual([1]);
    expect(listSeqs(outbox.push(buildFrame("volume", 2), 100))).toEqual([2]);
    expect(listSeqs(outbox.push(buildFrame("position", 3), LIMIT))).toEqual([3]);
    expect(outbox.flush(0)).toEqual([]);
  });

  it("keeps the newest of each type beyond that, drops positions, and sends the rest in the order of seq", () => {
    const outbox = createOutbox();
    const types = ["playback", "volume", "position", "playback", "error", "volume", "position"];
    for (const [at, type] of types.entries()) expect(outbox.push(buildFrame(type, at + 1), LIMIT + 1)).toEqual([]);
    expect(outbox.flush(LIMIT + 1)).toEqual([]);
    expect(listSeqs(outbox.flush(LIMIT))).toEqual([4]);
    expect(listSeqs(outbox.flush(0))).toEqual([5, 6]);
    expect(outbox.flush(0)).toEqual([]);
  });

  it("never sends a new frame before one that was held back", () => {
    const outbox = createOutbox();
    outbox.push(buildFrame("settings", 1), LIMIT + 1);
    expect(listSeqs(outbox.push(buildFrame("position", 2), 0))).toEqual([1, 2]);
  });

  it("drops a position when earlier frames leave no room for it", () => {
    const outbox = createOutbox();
    outbox.push(buildFrame("settings", 1, 1000), LIMIT + 1);
    expect(listSeqs(outbox.push(buildFrame("position", 2), LIMIT))).toEqual([1]);
    expect(outbox.flush(0)).toEqual([]);
  });
});

const TYPES = ["playback", "position", "volume", "settings", "error"] as const;
const MAX_FRAME_BYTES = 100_000;
const step = fc.oneof(
  fc.record({ type: fc.constantFrom(...TYPES), sizeBytes: fc.integer({ min: 1, max: MAX_FRAME_BYTES }) }),
  fc.record({ readBytes: fc.integer({ min: 1, max: LIMIT }) }),
);

it("keeps its guarantees for any client", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const outbox = createOutbox();
      const sent: Frame[] = [];
      const newest = new Map<string, number>();
      let buffered = 0;
      const send = (frames: readonly Frame[]) => {
        sent.push(...frames);
        for (const { bytes } of frames) buffered += bytes.length;
      };
      for (const [at, given] of steps.entries()) {
        if ("readBytes" in given) {
          buffered = Math.max(0, buffered - given.readBytes);
          send(outbox.flush(buffered));
        } else {
          newest.set(given.type, at);
          send(outbox.push(buildFrame(given.type, at, given.sizeBytes), buffered));
        }
        expect(buffered).toBeLessThanOrEqual(LIMIT + MAX_FRAME_BYTES);
      }
      let late = 0;
      for (let rest = outbox.flush(0); rest.length > 0; rest = outbox.flush(0)) {
        late += rest.length;
        send(rest);
      }
      expect(late).toBeLessThan(TYPES.length);
      expect(listSeqs(sent)).toEqual([...new Set(listSeqs(sent))].toSorted((a, b) => a - b));
      newest.delete("position");
      expect(listSeqs(sent)).toEqual(expect.arrayContaining([...newest.values()]));
    }),
  );
});
