import { expect, it } from "vitest";
import { sampleLog } from "../../testing/servers/log-engine.ts";
import type { LogEvent } from "../logs/search/log.ts";
import { createReading } from "./clickhouse-reading.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 15) + ms);
const WINDOW = { from: at(0), to: at(1000) };

/** A reading of five logs at each of ten instants, of which the store returns only some. */
function createTestReading(isReturned: (log: LogEvent) => boolean) {
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
    instantsIn: async (window, maxCount) => {
      const instants = [...new Set(within(window).map(({ ingested_at }) => ingested_at))];
      return instants.slice(0, maxCount).map((instant) => ({ at: Date.parse(instant), logs: 5 }));
    },
    recent: undefined,
    limits: { readLogs: 8, readInstants: 3 },
  });
}

async function readIds(reading: ReturnType<typeof createReading>): Promise<number[]> {
  const ids: number[] = [];
  for await (const page of reading(WINDOW)) ids.push(...page.map(({ id }) => Number(id)));
  return ids;
}

it("reads every log of a window once, in order, although one query answers only a few", async () => {
  expect(await readIds(createTestReading(() => true))).toEqual(Array.from({ length: 50 }, (_, n) => n));
});

it("fails if the store returns fewer logs than it has counted", async () => {
  await expect(readIds(createTestReading(({ id }) => id !== "42"))).rejects.toThrow(
    "the log store returned 4 of 5 logs",
  );
});
