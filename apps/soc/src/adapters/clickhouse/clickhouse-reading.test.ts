import { expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { createReading } from "./clickhouse-reading.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 15) + ms);
const WINDOW = { from: at(0), to: at(1000) };

/** Reads a store with five logs at each of ten instants that returns only some of them. */
function createTestReading(isReturned: (log: LogEvent) => boolean, readInstants = 10, counted: number[] = []) {
  const logs = Array.from({ length: 50 }, (_, n) =>
    sampleLog({ id: String(n).padStart(2, "0"), ingested_at: at(Math.floor(n / 5) * 100).toISOString() }),
  );
  const within = ({ from, to }: typeof WINDOW) =>
    logs.filter(({ ingested_at }) => ingested_at >= from.toISOString() && ingested_at < to.toISOString());
  return createReading({
    store: {
      search: async ({ after, limit, ...window }) =>
        within(window)
          .filter((log) => isReturned(log) && (!after || log.id > after.id))
          .slice(0, limit),
    },
    countIntervals: async (window, widthMs) => {
      const counts = new Map<number, number>();
      for (const { ingested_at } of within(window)) {
        const begin = Math.floor(Date.parse(ingested_at) / widthMs) * widthMs;
        counts.set(begin, (counts.get(begin) ?? 0) + 1);
      }
      counted.push(counts.size);
      return [...counts].map(([begin, count]) => ({ at: begin, logs: count }));
    },
    recent: undefined,
    limits: { readLogs: 8, readInstants },
  });
}

async function readIds(reading: ReturnType<typeof createReading>, window = WINDOW): Promise<number[]> {
  const ids: number[] = [];
  for await (const page of reading(window)) ids.push(...page.map(({ id }) => Number(id)));
  return ids;
}

it("reads every log of a window once, in order, although one query returns only a few", async () => {
  expect(await readIds(createTestReading(() => true))).toEqual(Array.from({ length: 50 }, (_, n) => n));
});

it.each([3, 7, 10, 300, 5000])(
  "reads a window with arbitrary bounds, counting %d instants at once",
  async (readInstants) => {
    const reading = createTestReading(() => true, readInstants);
    const window = { from: at(100), to: at(801) };
    expect(await readIds(reading, window)).toEqual(Array.from({ length: 40 }, (_, n) => n + 5));
  },
);

it("counts the instants of a long window in slices", async () => {
  const counted: number[] = [];
  await readIds(createTestReading(() => true, 10, counted));
  // The ten intervals of the window, and then two instants of five logs each.
  expect(counted).toEqual([10, 2, 2, 2, 2, 2]);
});

it("fails if the store returns fewer logs than it counted", async () => {
  await expect(readIds(createTestReading(({ id }) => id !== "42"))).rejects.toThrow(
    "the log store returned 4 of 5 logs",
  );
});
