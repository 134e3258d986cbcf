import fc from "fast-check";
import { expect, it } from "vitest";
import { EMPTY_LOG, type LogEvent } from "../../ports/log-event.ts";
import { compareLogs } from "../../ports/log-order.ts";
import { mergeStreams } from "./merge-logs.ts";

const OLDEST = compareLogs("timestamp", "oldest");

const makeLog = (second: number, id: string): LogEvent => ({
  ...EMPTY_LOG,
  id,
  timestamp: new Date(Date.UTC(2026, 10, 18) + second * 1000).toISOString(),
});

/** A stream that records how many blocks were read and whether it has ended. */
function makeStream(blocks: readonly (readonly LogEvent[])[]) {
  const seen = { read: 0, hasEnded: false };
  async function* open() {
    try {
      for (const block of blocks) {
        seen.read += 1;
        yield block;
      }
    } finally {
      seen.hasEnded = true;
    }
  }
  return { seen, open };
}

async function collect(blocks: AsyncIterable<readonly LogEvent[]>): Promise<LogEvent[]> {
  const logs: LogEvent[] = [];
  for await (const block of blocks) logs.push(...block);
  return logs;
}

it("merges streams with any block sizes as if all logs were sorted", async () => {
  const stream = fc.array(fc.array(fc.tuple(fc.nat(5), fc.nat(99)), { maxLength: 4 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.array(stream, { maxLength: 5 }), async (streams) => {
      const sorted = streams.map((blocks) => {
        const logs = blocks
          .flat()
          .map(([second, id]) => makeLog(second, String(id)))
          .toSorted(OLDEST);
        return blocks.map((block) => logs.splice(0, block.length));
      });
      const merged = await collect(mergeStreams(() => sorted.map((blocks) => makeStream(blocks).open()), OLDEST));
      expect(merged).toEqual(sorted.flat(2).toSorted(OLDEST));
    }),
    { numRuns: 200 },
  );
});

it("reads the next block of a stream only when its last one is exhausted", async () => {
  const early = makeStream([[makeLog(1, "a")], [makeLog(2, "b")], [makeLog(9, "c")]]);
  const late = makeStream([[makeLog(5, "d")], [makeLog(6, "e")]]);
  const merged = mergeStreams(() => [early.open(), late.open()], OLDEST);
  await merged.next();
  expect([early.seen.read, late.seen.read]).toEqual([1, 1]);
  await merged.next();
  expect([early.seen.read, late.seen.read]).toEqual([2, 1]);
  await merged.return();
  expect([early.seen.hasEnded, late.seen.hasEnded]).toEqual([true, true]);
});

it("ends all streams and aborts their reads if one fails", async () => {
  const healthy = makeStream([[makeLog(1, "a")], [makeLog(2, "b")]]);
  let signal: AbortSignal | undefined;
  async function* failing(): AsyncGenerator<LogEvent[]> {
    yield [makeLog(0, "z")];
    throw new Error("lost");
  }
  const merged = mergeStreams((until) => {
    signal = until;
    return [healthy.open(), failing()];
  }, OLDEST);
  await expect(collect(merged)).rejects.toThrow("lost");
  expect([healthy.seen.hasEnded, signal?.aborted]).toEqual([true, true]);
});

it("rejects with the reader's reason when it aborts, even after the last block was read", async () => {
  const gone = new AbortController();
  const streams = [makeStream([[makeLog(1, "a")]]), makeStream([[makeLog(2, "b")]])];
  const merged = mergeStreams(() => streams.map(({ open }) => open()), OLDEST, gone.signal);
  await merged.next();
  gone.abort(new Error("left"));
  await expect(merged.next()).rejects.toThrow("left");
  expect(streams.map(({ seen }) => seen.hasEnded)).toEqual([true, true]);
});
