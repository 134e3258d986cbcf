import { createFakeClock } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { sampleLog } from "../../../../testing/servers/log-engine.ts";
import { createInserts } from "./inserts.ts";

it("gives up within half a minute if the log store hangs, because the insert holds back the watermark", async () => {
  const clock = createFakeClock();
  let tries = 0;
  const logStore = {
    async insert() {
      tries += 1;
      await clock.sleep(25_000);
      throw new Problem("unavailable", "the log store does not answer");
    },
  };
  const ended = createInserts({ logStore, clock })
    .insert([sampleLog({ id: "1" })])
    .catch(() => clock.monotonicMs());
  for (let second = 0; second < 60; second += 1) await clock.advance(1000);
  expect([await ended, tries]).toEqual([25_000, 1]);
});

it("retries during a short outage with the same token", async () => {
  const clock = createFakeClock();
  const tokens: string[] = [];
  const logStore = {
    async insert(_batch: unknown, { token }: { token: string }) {
      tokens.push(token);
      if (tokens.length < 6) throw new Problem("unavailable", "the log store does not answer");
    },
  };
  const ended = createInserts({ logStore, clock }).insert([sampleLog({ id: "1" })]);
  for (let step = 0; step < 100; step += 1) await clock.advance(100);
  await ended;
  expect(tokens).toHaveLength(6);
  expect(new Set(tokens).size).toBe(1);
});
