import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lacksPublicData } from "../fixtures/public-data.ts";
import { buildFormerRelease } from "../servers/former-release.ts";
import { type EventRate, measureRate, warmUp } from "./event-rate.ts";
import { print } from "./figures.ts";
import { prepareWorlds } from "./growth-world.ts";
import { publicRuleTexts } from "./public-rules.ts";

const { BENCH_BOX_EVENTS = "20000", BENCH_SIGMA_RULES = "40", BENCH_TURNS = "1" } = process.env;
const events = Number(BENCH_BOX_EVENTS);
const isFull = events >= 100_000;
const SETTLE_MS = 5000;
/** The maximum cost of multi-host support for a single host. */
const MAX_COST = 1.05;
const HOUR = 60 * 60_000;

type Release = "former" | "this";
const isSkipped = lacksPublicData("sigma-rules.tar.gz");
let worlds: Record<Release, Awaited<ReturnType<typeof prepareWorlds>>>;

beforeAll(async () => {
  if (isSkipped) return;
  const rules = publicRuleTexts().slice(0, Number(BENCH_SIGMA_RULES));
  worlds = { former: await prepareWorlds(rules, await buildFormerRelease()), this: await prepareWorlds(rules) };
}, HOUR);

afterAll(async () => {
  if (isSkipped) return;
  await worlds.former.close();
  await worlds.this.close();
});

async function measure(release: Release): Promise<EventRate> {
  const world = await worlds[release].open(undefined);
  try {
    await warmUp(world, events / 10, SETTLE_MS);
    return await measureRate(world, `one box, ${release} release`, events);
  } finally {
    await world.stop();
  }
}

it.skipIf(isSkipped)(
  "stores and evaluates on a single machine as cheaply as the previous release",
  { timeout: HOUR },
  async () => {
    const found: Record<Release, EventRate[]> = { former: [], this: [] };
    // Alternate, so that other load on the machine affects both sides.
    for (let turn = 0; turn < Number(BENCH_TURNS); turn += 1) {
      for (const release of ["former", "this"] as const) found[release].push(await measure(release));
    }
    const least = (release: Release) => Math.min(...found[release].map(({ micros }) => micros));
    const most = (release: Release) => Math.max(...found[release].map(({ perSecond }) => perSecond));
    const cost = least("this") / least("former");
    print(
      `one box: ${cost.toFixed(3)} of the former release's processor time an event, ` +
        `${(most("this") / most("former")).toFixed(3)} of its rate`,
    );
    expect(cost).toBeGreaterThan(0);
    if (isFull) expect(cost).toBeLessThanOrEqual(MAX_COST);
  },
);
