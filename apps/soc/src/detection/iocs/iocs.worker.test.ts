import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import type { LogSearch } from "../../ports/log-store.ts";
import { createIocsWorker } from "./iocs.worker.ts";

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
const ioc = { id: "ioc-1", type: "md5", value: "d41d8cd98f00b204e9800998ecf8427e" } as const;

/** Searches once for one indicator; `search` decides the outcome of a query over a number of days. */
async function lookOnce(search: (days: number, clock: ReturnType<typeof createFakeClock>) => Promise<void>) {
  const clock = createFakeClock();
  const end = clock.now().getTime() + HOUR_MS;
  const asked: { from: number; to: number }[] = [];
  let claims = 0;
  let finished = 0;
  const worker = createIocsWorker({
    searches: {
      claim: async () => (claims++ === 0 ? [ioc] : []),
      keep: async () => undefined,
      finish: async () => {
        finished += 1;
      },
    },
    hits: { record: async () => undefined },
    logs: {
      search: async ({ where, from, to }: LogSearch) => {
        if (!where.sql.includes("raw")) return [];
        await search((to.getTime() - from.getTime()) / DAY_MS, clock);
        asked.push({ from: (end - from.getTime()) / DAY_MS, to: (end - to.getTime()) / DAY_MS });
        return [];
      },
    },
    isAllowed: async () => true,
    clock,
    log: silentLog,
  });
  worker.start();
  await expect.poll(() => finished + Number(claims > 1)).toBeGreaterThan(0);
  await worker.close();
  return { asked, finished };
}

const THE_LAST = 30 + HOUR_MS / DAY_MS;

it("doubles the number of days in each step back, from the newest to the thirtieth", async () => {
  const { asked, finished } = await lookOnce(async () => undefined);
  expect(asked).toEqual([
    { to: 0, from: 1 },
    { to: 1, from: 3 },
    { to: 3, from: 7 },
    { to: 7, from: 15 },
    { to: 15, from: THE_LAST },
  ]);
  expect(finished).toBe(1);
});

it("continues day by day if a query over several days fails", async () => {
  let refusals = 0;
  const { asked, finished } = await lookOnce(async (days) => {
    if (days <= 1) return;
    refusals += 1;
    throw new Problem("unavailable", "the log store took too long");
  });
  expect(refusals).toBe(1);
  expect(asked).toHaveLength(31);
  expect(asked.every(({ to }, place) => to === (asked[place - 1]?.from ?? 0))).toBe(true);
  expect(asked.at(-1)?.from).toBe(THE_LAST);
  expect(finished).toBe(1);
});

it("continues day by day if one day takes long", async () => {
  const { asked, finished } = await lookOnce((_, clock) => clock.advance(5000));
  expect(asked).toHaveLength(31);
  expect(finished).toBe(1);
});
