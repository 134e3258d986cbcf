import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { invalidField, Problem } from "@kit/problem";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { openDatabase } from "../storage/database.ts";
import { createTryWrite } from "../storage/try-write.ts";
import type { Target } from "../targets/target.schema.ts";
import { parseZone } from "../time/zone.ts";
import { schedulesRoutes } from "./schedules.routes.ts";
import { createSchedulesService } from "./schedules.service.ts";
import { createSchedulesStore } from "./schedules.store.ts";

// 2026-01-01T00:00:00Z is a Thursday.
const NEW_YEAR_S = 1_767_225_600;
const MINUTE_MS = 60_000;
const TARGET = { type: "surah", reciter: "Husary", surah: 18 };
const AT_ONE = { hour: 1, minute: 0, days: 127, target: TARGET };

interface Device {
  folder: string;
  clock: FakeClock;
  isValid: boolean;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "schedules-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function setUp({ folder, clock = createFakeClock(), isValid = true }: Partial<Device> = {}) {
  folder ??= await newFolder();
  const { database } = openDatabase(folder, clock);
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const ran: { target: Target; volume?: number | undefined; fadeInS?: number | undefined; atS: number }[] = [];
  const world = {
    isValid,
    aheadMs: 0,
    prayers: undefined as number[] | undefined,
    choices: 0,
    isSilent: false,
    tones: 0,
    isToneWhole: true,
    toneRefusal: undefined as Problem | undefined,
    stops: 0,
    computedDays: 0,
    refusal: undefined as Problem | undefined,
  };
  const listeners = new Set<() => void>();
  const now = () => clock.now().getTime() + world.aheadMs;
  const schedules = createSchedulesService({
    store: createSchedulesStore(database),
    time: {
      now,
      isValid: () => world.isValid,
      zone: () => parseZone("UTC0"),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    prayer: {
      epochsOn() {
        world.computedDays += 1;
        return world.prayers;
      },
      onChange: () => () => undefined,
    },
    targets: {
      check: async (field, target) => {
        if (target.type === "station") throw invalidField(`${field}.id`, `there is no station ${target.id}`);
      },
      run: async (target, { volume, fadeInS } = {}) => {
        if (world.refusal) throw world.refusal;
        world.choices += 1;
        ran.push({ target, volume, fadeInS, atS: Math.floor(now() / 1000) });
      },
    },
    playback: {
      choices: () => world.choices,
      isSilentStream: () => world.isSilent,
      async playTone() {
        if (world.toneRefusal) throw world.toneRefusal;
        world.tones += 1;
        return world.isToneWhole;
      },
      stopRecitation() {
        world.stops += 1;
      },
    },
    maxVolume: () => 60,
    tryWrite: createTryWrite({ events, clock, log: silentLog }),
    events,
    clock,
    log: silentLog,
  });
  const app = createTestFrame();
  await app.register(schedulesRoutes(schedules), { prefix: "/api" });
  schedules.start();
  onTestFinished(() => schedules.close());
  const url = "/api/schedules";
  const jump = (byMs: number) => {
    world.aheadMs += byMs;
    for (const listener of listeners) listener();
  };
  return {
    folder,
    database,
    clock,
    world,
    emitted,
    ran,
    jump,
    schedules,
    list: async () => (await app.inject(url)).json().schedules,
    add: (body: unknown) => app.inject({ method: "POST", url, payload: JSON.stringify(body) }),
    remove: (id: string) => app.inject({ method: "DELETE", url: `${url}/${id}` }),
    enable: (id: string, enabled: unknown) =>
      app.inject({ method: "POST", url: `${url}/${id}/enable`, payload: JSON.stringify({ enabled }) }),
  };
}

describe("a schedule", () => {
  it("a schedule is returned with all its fields and its next run", async () => {
    const { add, list, emitted } = await setUp();
    const added = (await add({ ...AT_ONE, name: "Night", volume: 40, fade_in_s: 30, duration_min: 20 })).json();
    const schedule = {
      id: 1,
      name: "Night",
      hour: 1,
      minute: 0,
      anchor: null,
      days: 127,
      target: TARGET,
      volume: 40,
      fade_in_s: 30,
      duration_min: 20,
      once: false,
      enabled: true,
      next_run: NEW_YEAR_S + 3600,
      last_run: null,
      last_result: "",
    };
    expect(added).toEqual({ success: true, ...schedule });
    expect(await list()).toEqual([schedule]);
    expect(emitted).toEqual([{ type: "schedules", data: { action: "added", id: 1, count: 1 } }]);
  });

  it("accepts a path or a URL as its target", async () => {
    const { add } = await setUp();
    expect((await add({ ...AT_ONE, target: "Husary/018.mp3" })).json().target).toEqual({
      type: "file",
      path: "Husary/018.mp3",
    });
    expect((await add({ ...AT_ONE, target: "https://radio.example/" })).json().target).toMatchObject({
      type: "stream",
    });
  });

  it.each([
    [{ ...AT_ONE, hour: 24 }, "hour: must be an integer from 0 to 23"],
    [{ ...AT_ONE, minute: 60 }, "minute: must be an integer from 0 to 59"],
    [{ ...AT_ONE, hour: "1" }, "hour: must be an integer from 0 to 23"],
    [{ ...AT_ONE, days: 0 }, "days: must be an integer from 1 to 127"],
    [{ ...AT_ONE, days: 128 }, "days: must be an integer from 1 to 127"],
    [{ ...AT_ONE, volume: 101 }, "volume: must be an integer from 0 to 100"],
    [{ ...AT_ONE, target: 5 }, "target: must be an object"],
    [{ ...AT_ONE, target: "" }, "target: must be an object"],
    [{ ...AT_ONE, target: { type: "station", id: 9 } }, "target.id: there is no station 9"],
    [{ ...AT_ONE, hour: undefined }, "hour: is required unless anchor is given"],
    [{ ...AT_ONE, minute: undefined }, "minute: is required unless anchor is given"],
    [{ ...AT_ONE, anchor: { prayer: 0, offset_min: 0 } }, "anchor: must not come together with hour and minute"],
    [
      { days: 1, target: TARGET, anchor: { prayer: 6, offset_min: 0 } },
      "anchor.prayer: must be an integer from 0 to 5",
    ],
    [
      { days: 1, target: TARGET, anchor: { prayer: 0, offset_min: 121 } },
      "anchor.offset_min: must be an integer from -120 to 120",
    ],
    [{ hour: 1, minute: 0, target: TARGET }, "days: is required"],
    [{ hour: 1, minute: 0, days: 1 }, "target: is required"],
    [{ ...AT_ONE, name: "a\nb" }, "name: must not contain control characters"],
  ])("a schedule is refused with %j", async (body, error) => {
    const { add, list } = await setUp();
    const refused = await add(body);
    expect([refused.statusCode, refused.json()]).toEqual([400, { error }]);
    expect(await list()).toEqual([]);
  });

  it("a schedule is limited to 64", async () => {
    const { add } = await setUp();
    for (let count = 0; count < 64; count += 1) await add(AT_ONE);
    expect((await add(AT_ONE)).json()).toEqual({ error: "schedules: there are 64 already, and no more can be kept" });
  });

  it("a schedule is removed and enabled by its id; an unknown id answers 404", async () => {
    const { add, list, remove, enable } = await setUp();
    await add(AT_ONE);
    expect((await enable("1", false)).json()).toMatchObject({ success: true, enabled: false, next_run: null });
    expect((await enable("1", "no")).json()).toEqual({ error: "enabled: must be true or false" });
    expect((await enable("2", true)).statusCode).toBe(404);
    for (const id of ["2", "0", "x"]) expect((await remove(id)).statusCode).toBe(404);
    expect((await remove("1")).json()).toEqual({ success: true });
    expect(await list()).toEqual([]);
  });
});

describe("the time of a schedule", () => {
  it("starts its target once, at its volume but not above the limit, and emits an event", async () => {
    const { add, clock, ran, emitted, list } = await setUp();
    await add({ ...AT_ONE, volume: 80, fade_in_s: 30 });
    await clock.advance(59 * MINUTE_MS + 59_000);
    expect(ran).toEqual([]);
    await clock.advance(1000);
    expect(ran).toEqual([{ target: TARGET, volume: 60, fadeInS: 30, atS: NEW_YEAR_S + 3600 }]);
    await clock.advance(10 * MINUTE_MS);
    expect(ran).toHaveLength(1);
    expect(emitted.at(-1)).toEqual({ type: "schedule_fired", data: { id: 1, name: "", result: "ok" } });
    expect(await list()).toMatchObject([
      { last_run: NEW_YEAR_S + 3600, last_result: "ok", next_run: NEW_YEAR_S + 3600 + 86_400 },
    ]);
  });

  it("the time of a schedule is not made up for when it passed before the schedule was created or enabled", async () => {
    const { add, enable, clock, ran } = await setUp();
    await clock.advance(61 * MINUTE_MS);
    await add(AT_ONE);
    await enable("1", false);
    await enable("1", true);
    await clock.advance(5 * MINUTE_MS);
    expect(ran).toEqual([]);
  });

  it.each([
    [120, 1, "ok"],
    [121, 0, "missed"],
  ])("runs after a clock jump of %i s %i times: %s", async (lateS, times, last_result) => {
    const { add, jump, ran, list } = await setUp();
    await add(AT_ONE);
    jump((3600 + lateS) * 1000);
    await Promise.resolve();
    await expect.poll(list).toMatchObject([{ last_result }]);
    expect(ran).toHaveLength(times);
  });

  it("the time of a schedule is kept when the schedules are planned again between it and its check", async () => {
    const { add, clock, world, ran, schedules } = await setUp();
    await add(AT_ONE);
    await clock.advance(59 * MINUTE_MS);
    // The process was busy: its minute has come, but its timer has not run yet.
    world.aheadMs = MINUTE_MS;
    schedules.reload();
    await clock.advance(10);
    expect(ran).toHaveLength(1);
  });

  it("the time of a schedule is not repeated when the clock is set back", async () => {
    const { add, clock, jump, ran } = await setUp();
    await add(AT_ONE);
    await clock.advance(61 * MINUTE_MS);
    jump(-30 * MINUTE_MS);
    await clock.advance(60 * MINUTE_MS);
    expect(ran).toHaveLength(1);
  });

  it("the time of a schedule has no effect without a valid clock", async () => {
    const { add, clock, world, jump, ran, list } = await setUp();
    world.isValid = false;
    jump(0);
    await add(AT_ONE);
    expect(await list()).toMatchObject([{ next_run: null }]);
    await clock.advance(120 * MINUTE_MS);
    expect(ran).toEqual([]);
  });

  it("follows its prayer", async () => {
    const { add, clock, world, ran } = await setUp();
    world.prayers = [NEW_YEAR_S + 18_000, 0, 0, 0, 0, 0];
    await add({ days: 127, target: TARGET, anchor: { prayer: 0, offset_min: -20 } });
    await clock.advance(280 * MINUTE_MS);
    expect(ran.map(({ atS }) => atS)).toEqual([NEW_YEAR_S + 18_000 - 1200]);
  });

  it("disables a schedule that runs once", async () => {
    const { add, clock, list } = await setUp();
    await add({ ...AT_ONE, once: true });
    await clock.advance(61 * MINUTE_MS);
    expect(await list()).toMatchObject([{ enabled: false, last_result: "ok" }]);
  });

  it("reports why a target could not start", async () => {
    const { add, clock, world, list } = await setUp();
    world.refusal = invalidField("path", "does not exist on the card");
    await add(AT_ONE);
    await clock.advance(61 * MINUTE_MS);
    expect(await list()).toMatchObject([{ last_result: "path: does not exist on the card" }]);
  });

  it("ends playback after its minutes, unless something else was chosen", async () => {
    const { add, clock, world } = await setUp();
    await add({ ...AT_ONE, duration_min: 5 });
    await clock.advance(66 * MINUTE_MS);
    expect(world.stops).toBe(1);
    await clock.advance(24 * 60 * MINUTE_MS - 5 * MINUTE_MS);
    world.choices += 1;
    await clock.advance(30 * MINUTE_MS);
    expect(world.stops).toBe(1);
  });

  describe("whose stream stays silent", () => {
    async function setUpSilence() {
      const bench = await setUp();
      bench.world.isSilent = true;
      await bench.add({ ...AT_ONE, target: "https://radio.example/" });
      return bench;
    }

    it("plays a tone again and again for two minutes", async () => {
      const { clock, world } = await setUpSilence();
      await clock.advance(60 * MINUTE_MS + 14_000);
      expect(world.tones).toBe(0);
      await clock.advance(1000);
      expect(world.tones).toBe(1);
      await clock.advance(30_000);
      expect(world.tones).toBe(3);
      await clock.advance(10 * MINUTE_MS);
      expect(world.tones).toBe(8);
    });

    it.each([
      ["the stream plays", { isSilent: false }, 1],
      ["something else is chosen", { choices: 7 }, 1],
      ["a person ends the second one", { isToneWhole: false }, 2],
    ])("plays no further tone when %s", async (_what, change, tones) => {
      const { clock, world } = await setUpSilence();
      await clock.advance(60 * MINUTE_MS + 15_000);
      Object.assign(world, change);
      await clock.advance(10 * MINUTE_MS);
      expect(world.tones).toBe(tones);
    });

    it("reports a tone that cannot be played", async () => {
      const { clock, world, emitted } = await setUpSilence();
      world.toneRefusal = new Problem("failed", "audio: no device");
      await clock.advance(61 * MINUTE_MS);
      expect(emitted.at(-1)).toEqual({ type: "error", data: { code: "audio", message: "audio: no device" } });
    });
  });

  it.each([
    [TARGET, 1],
    [{ type: "command", command: "next" }, 0],
  ])("plays a tone when %j cannot start: %i", async (target, tones) => {
    const { add, clock, world } = await setUp();
    world.refusal = invalidField("target", "is not on the card");
    await add({ ...AT_ONE, target });
    await clock.advance(61 * MINUTE_MS);
    expect(world.tones).toBe(tones);
  });

  it("disables a schedule that runs once and was missed", async () => {
    const { add, jump, list } = await setUp();
    await add({ ...AT_ONE, once: true });
    jump(120 * MINUTE_MS);
    expect(await list()).toMatchObject([{ enabled: false, last_result: "missed" }]);
  });

  it("the time of a schedule is computed once per date for all anchored schedules of an answer", async () => {
    const { add, list, world } = await setUp();
    world.prayers = [NEW_YEAR_S + 18_000, 0, 0, 0, 0, 0];
    for (let count = 0; count < 64; count += 1)
      await add({ days: 127, target: TARGET, anchor: { prayer: 0, offset_min: -20 } });
    world.computedDays = 0;
    expect(await list()).toHaveLength(64);
    expect(world.computedDays).toBeLessThan(15);
  });
});

describe("a time that passed before its schedule existed is not missed after a restart", () => {
  it("when it was created without a valid clock", async () => {
    const clock = createFakeClock();
    await clock.advance(120 * MINUTE_MS);
    const { folder, add, world, jump, list } = await setUp({ clock, isValid: false });
    await add(AT_ONE);
    world.isValid = true;
    jump(0);
    expect(await list()).toMatchObject([{ last_result: "", next_run: NEW_YEAR_S + 3600 + 86_400 }]);
    const again = await setUp({ folder, clock });
    expect(await again.list()).toMatchObject([{ last_result: "" }]);
  });

  it("when it follows a prayer whose place was set later", async () => {
    const clock = createFakeClock();
    await clock.advance(120 * MINUTE_MS);
    const { folder, add } = await setUp({ clock });
    await add({ days: 127, target: TARGET, anchor: { prayer: 0, offset_min: 0 } });
    await clock.advance(MINUTE_MS);
    const again = await setUp({ folder, clock });
    again.world.prayers = [NEW_YEAR_S + 3600, 0, 0, 0, 0, 0];
    again.jump(0);
    expect(await again.list()).toMatchObject([{ last_result: "" }]);
  });
});

describe("a storage that cannot be written", () => {
  const refuseWrites = ({ database }: Awaited<ReturnType<typeof setUp>>, refuse: boolean) =>
    database.command(`PRAGMA query_only = ${refuse ? "ON" : "OFF"}`)();

  it("stops no schedule, repeats none, and gets what was handled when it can be written", async () => {
    const bench = await setUp();
    const { add, clock, jump, ran, list, emitted, folder } = bench;
    await add(AT_ONE);
    await add({ ...AT_ONE, hour: 2, once: true });
    refuseWrites(bench, true);
    await clock.advance(61 * MINUTE_MS);
    expect(ran).toHaveLength(1);
    jump(-30 * MINUTE_MS);
    await clock.advance(100 * MINUTE_MS);
    expect(ran).toHaveLength(2);
    expect(await list()).toMatchObject([
      { last_result: "ok", enabled: true },
      { last_result: "ok", enabled: false },
    ]);
    expect(emitted.filter(({ type }) => type === "error")).toEqual([
      { type: "error", data: { code: "storage", message: "storage: the device's storage is read-only" } },
    ]);
    refuseWrites(bench, false);
    await clock.advance(MINUTE_MS);
    const again = await setUp({ folder, clock });
    expect(await again.list()).toEqual(await list());
    await clock.advance(MINUTE_MS);
    expect(again.ran).toEqual([]);
  });

  it("stops no schedule that was missed", async () => {
    const bench = await setUp();
    const { add, jump, clock, ran, list } = bench;
    await add(AT_ONE);
    await add({ ...AT_ONE, hour: 3 });
    refuseWrites(bench, true);
    jump(120 * MINUTE_MS);
    expect(await list()).toMatchObject([{ last_result: "missed" }, { last_result: "" }]);
    await clock.advance(61 * MINUTE_MS);
    expect(ran).toHaveLength(1);
  });

  it("refuses what the owner changes, and changes nothing", async () => {
    const bench = await setUp();
    const { add, enable, remove, list } = bench;
    await add(AT_ONE);
    const before = await list();
    refuseWrites(bench, true);
    for (const refused of [await add(AT_ONE), await enable("1", false), await remove("1")]) {
      expect([refused.statusCode, refused.json()]).toEqual([
        500,
        { error: "storage: the device's storage is read-only" },
      ]);
    }
    expect(await list()).toEqual(before);
  });
});

it("keeps a schedule that this version does not understand, and runs the others", async () => {
  const { folder, add, database, clock } = await setUp();
  await add(AT_ONE);
  await add(AT_ONE);
  database.command(`UPDATE schedules SET target = '{"type":"verse","from":1}' WHERE id = 1`)();
  const again = await setUp({ folder, clock });
  expect(await again.list()).toMatchObject([{ id: 2 }]);
  await clock.advance(61 * MINUTE_MS);
  expect(again.ran).toHaveLength(1);
  expect(again.database.failures()).toEqual([
    { component: "storage", error: "schedules: 1 not readable by this version, left out" },
  ]);
  expect((await again.add(AT_ONE)).json()).toMatchObject({ id: 3 });
});
