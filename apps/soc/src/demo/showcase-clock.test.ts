import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { createSampleKey } from "../../testing/fixtures/sample-ledger.ts";
import { createLedgerService } from "../cases/ledger/ledger.service.ts";
import { createShowcaseLedgerStore } from "../cases/ledger/ledger.showcase.ts";
import { verifyBundle } from "../cases/ledger/verify.ts";
import { sha256, verifyEd25519 } from "../foundation/records/digest.ts";
import { createShowcaseClock } from "../foundation/showcase/showcase-clock.ts";
import { buildShowcase } from "./showcase.ts";
import { CASE_IDS } from "./story.ts";

const HOUR = 3_600_000;

/** Creates a clock at a quarter past an hour. */
async function createClock() {
  const clock = createFakeClock();
  await clock.advance(HOUR - (clock.now().getTime() % HOUR) + HOUR / 4);
  return clock;
}

it("moves its times with the clock, hour by hour, and keeps its ids", async () => {
  const clock = await createClock();
  const alertsNow = createShowcaseClock(clock, buildShowcase)(({ alerts }) => alerts);
  const before = alertsNow();
  await clock.advance(HOUR / 2);
  expect(alertsNow()).toBe(before);
  await clock.advance(HOUR / 2);
  const after = alertsNow();
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after.map(({ created_at }) => created_at.getTime() - HOUR)).toEqual(
    before.map(({ created_at }) => created_at.getTime()),
  );
});

it("contains no time a day old or in the future, however long the process runs", async () => {
  const clock = await createClock();
  const newest = createShowcaseClock(
    clock,
    buildShowcase,
  )(({ alerts }) => Math.max(...alerts.map(({ last_seen }) => last_seen.getTime())));
  for (let hours = 0; hours < 100; hours += 7) {
    const age = clock.now().getTime() - newest();
    expect(age).toBeGreaterThan(0);
    expect(age).toBeLessThan(24 * HOUR);
    await clock.advance(7 * HOUR);
  }
});

it("is consistent in all parts and in every process at the same time", async () => {
  const clock = await createClock();
  const fromShowcase = createShowcaseClock(clock, buildShowcase);
  const [cases, ledger] = [fromShowcase((showcase) => showcase.cases), fromShowcase((showcase) => showcase.ledger)];
  const elsewhere = createShowcaseClock(clock, buildShowcase)((showcase) => showcase.ledger);
  for (let hours = 0; hours < 3; hours += 1) {
    const registered = cases().flatMap(({ evidence }) => evidence.map(({ created_at }) => created_at.toISOString()));
    const entries = ledger().filter(({ kind }) => kind === "evidence.registered");
    expect(entries.map(({ at }) => at).toSorted()).toEqual(registered.toSorted());
    expect(elsewhere()).toEqual(ledger());
    await clock.advance(HOUR);
  }
});

it("has a genuine ledger at any time", async () => {
  const clock = await createClock();
  const key = createSampleKey();
  const storeNow = createShowcaseClock(
    clock,
    buildShowcase,
  )((showcase) => createShowcaseLedgerStore(showcase.ledger, key));
  const runtime = { choose: async <Source>(sources: { showcase: Source }) => sources.showcase };
  const stores = {
    get database() {
      return storeNow();
    },
    get showcase() {
      return storeNow();
    },
  };
  const ledger = createLedgerService({ runtime, stores, key, clock });
  const first = await ledger.bundle(CASE_IDS.takeover);
  await clock.advance(HOUR);
  const second = await ledger.bundle(CASE_IDS.takeover);
  expect(second.chain.head_hash).not.toBe(first.chain.head_hash);
  for (const bundle of [first, second]) {
    expect(await verifyBundle(JSON.parse(JSON.stringify(bundle)), { sha256, verifyEd25519 })).toMatchObject({
      isGenuine: true,
    });
  }
});
