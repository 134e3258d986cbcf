import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../testing/feature-app.ts";
import { createIntake } from "../../testing/shippers-intake.ts";
import { readJsonEvents } from "./json-events.ts";
import { createSourcesService } from "./sources.service.ts";
import { createSourcesStore } from "./sources.store.ts";
import { createWritersStore } from "./writers.store.ts";

let platform: TestPlatform;
const origin = { format: "json", sender: "key:edge" } as const;

beforeAll(async () => {
  platform = await testPlatform("real");
  await platform.runtime.truth();
});

afterAll(() => platform.close());

it("counts what each source brought, what was stored, refused and late, and each once", async () => {
  const logStore = { insert: async () => undefined, count: async () => 0 };
  const { intake, sources, worker } = createIntake({ db: platform.db, logStore, limits: { groupMs: 1 } });
  const old = `{"message":"old","timestamp":"2020-01-01T00:00:00Z"}`;
  await intake.accept(readJsonEvents(`{"id":"1","message":"x"}\n${old}\n{broken`), { ...origin, source: "counted" });
  await intake.accept(readJsonEvents('{"id":"1","message":"x"}'), { ...origin, source: "counted" });
  await sources.flush();
  const state = (await sources.states()).find(({ source }) => source === "counted");
  expect(state).toMatchObject({ received: 4, stored: 2, rejected: 1, late: 1, silent_since: null });
  await intake.close();
  await worker.close();
});

const MINUTE = 60_000;

function watch(everyMs: number[], checkMs: number) {
  const clock = createFakeClock();
  const told: { source: string; at: number }[] = [];
  const name = `every-${everyMs.at(-1)}`;
  const store = createSourcesStore(platform.db);
  const onSilence = async (source: string) => {
    told.push({ source, at: clock.now().getTime() });
  };
  const service = createSourcesService({ store, clock, log: silentLog, onSilence });
  async function arrive(): Promise<void> {
    await store.add([{ source: name, received: 1, stored: 1, rejected: 0, late: 0, last_seen: clock.now() }]);
  }
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= checkMs) {
      await clock.advance(Math.min(checkMs, left));
      await service.listen();
    }
  }
  return { clock, told, arrive, pass, mine: () => told.filter(({ source }) => source === name), service, name };
}

it.each([
  ["each minute", [MINUTE], 2 * MINUTE],
  ["in bursts", [...Array(11).fill(1000), 10 * MINUTE], 20 * MINUTE],
])(
  "tells within two of its usual intervals that a source that came %s is silent, once",
  async (_what, pattern, withinMs) => {
    const { clock, arrive, pass, mine, service, name } = watch(pattern, 5000);
    await arrive();
    for (let turn = 0; turn < 48; turn += 1) {
      await pass(pattern[turn % pattern.length] ?? 0);
      await arrive();
    }
    // Learned by then: the gap of the bursts from the fourth on.
    const firstHalf = mine().length;
    for (let turn = 0; turn < 24; turn += 1) {
      await pass(pattern[turn % pattern.length] ?? 0);
      await arrive();
    }
    expect(mine()).toHaveLength(firstHalf);
    const lastMs = clock.now().getTime();
    await pass(3 * withinMs);
    const [silence, ...more] = mine().slice(firstHalf);
    expect(more).toEqual([]);
    expect((silence?.at ?? Number.POSITIVE_INFINITY) - lastMs).toBeLessThanOrEqual(withinMs);
    const stateOf = async () => (await service.states()).find(({ source }) => source === name);
    expect((await stateOf())?.silent_since).toEqual(new Date(lastMs));
    await arrive();
    expect((await stateOf())?.silent_since).toBeNull();
  },
);

it("says nothing about a source that it does not know yet", async () => {
  const { arrive, pass, mine } = watch([7], 1000);
  await arrive();
  await pass(MINUTE);
  expect(mine()).toEqual([]);
});

it("tells the lowest watermark of the writers that live, which never falls", async () => {
  const writers = createWritersStore(platform.db);
  const [early, late] = [new Date("2026-11-15T10:00:00Z"), new Date("2026-11-15T10:00:05Z")];
  await writers.publish("a", late);
  await writers.publish("b", early);
  expect(await writers.lowest(90)).toEqual(early);
  await writers.publish("a", early);
  expect(await writers.find("a")).toEqual(late);
  await writers.retire("b");
  expect(await writers.lowest(90)).toEqual(late);
  expect(await writers.find("b")).toEqual(early);
});

it("publishes how far it is while it lives, and no log is stamped below that", async () => {
  const stamps: string[] = [];
  const logStore = {
    insert: async (batch: readonly { ingested_at: string }[]) => void stamps.push(batch[0]?.ingested_at ?? ""),
    count: async () => 0,
  };
  const { intake, worker, writers, clock } = createIntake({
    db: platform.db,
    logStore,
    name: "alive",
    limits: { groupMs: 1 },
  });
  const ahead = new Date(clock.now().getTime() + MINUTE);
  await writers.publish("alive", ahead);
  worker.start();
  await intake.accept(readJsonEvents("{}"), origin);
  expect(stamps[0] && stamps[0] >= ahead.toISOString()).toBe(true);
  await intake.close();
  await worker.close();
  expect(((await writers.find("alive")) ?? new Date(0)).toISOString() > (stamps[0] ?? "")).toBe(true);
});
