import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ADHAN, type ContractDevice, MINUTE_MS, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

const MAKKAH = { lat: 21.4225, lng: 39.8262 };
const PLAIN = { ...MAKKAH, method: 0, asr_hanafi: false, offsets_min: [0, 0, 0, 0, 0, 0] };
const QUIET = { enabled: false, prayer_mask: 0b111101, volume: 0, path: ADHAN };
const PRAYERS = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"] as const;
const START = new Date("2026-02-18T00:00:00Z");
const HOUR_MS = 60 * MINUTE_MS;

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice({ start: START });
  await device.post("/settings/timezone", { timezone: "<+03>-3" });
});
afterAll(() => device.close());
beforeEach(async () => {
  await device.calm();
  await configure({ ...PLAIN, adhan: QUIET });
});

const configure = (body: object) => device.post("/prayer/config", body);
const read = async () => (await device.get("/prayer")).body;
const epochs = async (): Promise<number[]> => (await read()).epochs;
const isPlaying = async (path: string) => {
  const { state, track } = await device.status();
  return state !== "stopped" && track === path;
};

describe(quote("| GET | /prayer | no | nothing | times, next prayer, Hijri date, config echo |"), () => {
  it("has six times of today, in their order", async () => {
    const times = await epochs();
    expect(times).toHaveLength(6);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it(`${quote("GET /prayer returns today's times, the next prayer with a countdown, the Hijri date and an echo of the configuration.")}`, async () => {
    const body = await read();
    expect(Object.keys(body.times)).toEqual([...PRAYERS]);
    expect(body).toMatchObject({
      date: "2026-02-18",
      hijri: expect.any(Object),
      config: expect.objectContaining(PLAIN),
    });
  });

  it("counts down to the next prayer", async () => {
    const { next, epochs: times } = await read();
    const now = device.clock.now().getTime() / 1000;
    expect(next.epoch).toBe(times.find((time: number) => time > now));
    expect(next.countdown_s).toBe(next.epoch - now);
    await device.clock.advance(MINUTE_MS);
    expect((await read()).next.countdown_s).toBe(next.countdown_s - 60);
  });

  it("needs no token", async () => {
    expect((await device.get("/prayer", { token: undefined })).status).toBe(200);
  });
});

const CHANGES: readonly (readonly [field: string, body: object])[] = [
  ["lat and lng", { lat: -33.8688, lng: 151.2093 }],
  ["method", { method: 4 }],
  ["asr_hanafi", { asr_hanafi: true }],
  ["offsets_min", { offsets_min: [1, -2, 3, -4, 5, 120] }],
  ["adhan.enabled", { adhan: { ...QUIET, enabled: true } }],
  ["adhan.prayer_mask", { adhan: { ...QUIET, prayer_mask: 0b100001 } }],
  ["adhan.volume", { adhan: { ...QUIET, volume: 70 } }],
  ["adhan.path", { adhan: { ...QUIET, path: "Adhan/another.mp3" } }],
];

describe(quote("| POST | /prayer/config | yes | prayer configuration | result object |"), () => {
  it.each(CHANGES)("stores %s, and GET /prayer echoes it", async (_field, body) => {
    expect(await configure(body)).toMatchObject({ status: 200, body: { success: true } });
    expect((await read()).config).toMatchObject(body);
  });
});

describe("the place and the method", () => {
  it("other places have other times", async () => {
    const before = await epochs();
    await configure({ lat: 30.0444, lng: 31.2357 });
    const after = await epochs();
    // Cairo lies 8.6 degrees west of Makkah: the sun is there half an hour later.
    expect((after[2] ?? 0) - (before[2] ?? 0)).toBeGreaterThan(30 * 60);
    expect((after[2] ?? 0) - (before[2] ?? 0)).toBeLessThan(40 * 60);
  });

  const timesBy = async (method: number) => {
    await configure({ method });
    return epochs();
  };
  /** Names, and the published angles of the sun below the horizon: a larger one is earlier at Fajr and later at Isha. */
  const ANGLES = [
    ["0 MWL", 0, 18],
    ["1 ISNA", 1, 15],
    ["2 Egyptian", 2, 19.5],
    ["3 Umm al-Qura", 3, 18.5],
    ["4 Karachi", 4, 18],
  ] as const;

  it.each(ANGLES)("%s has its Fajr angle among the others", async (_name, method, angle) => {
    const [fajr = 0] = await timesBy(method);
    for (const [, other, otherAngle] of ANGLES) {
      const [otherFajr = 0] = await timesBy(other);
      expect(Math.sign(otherFajr - fajr)).toBe(Math.sign(angle - otherAngle));
    }
  });

  it("3 Umm al-Qura has Isha a fixed time after Maghrib", async () => {
    const gaps: number[] = [];
    for (const lat of [10, 25, 40]) {
      await configure({ ...PLAIN, lat, method: 3 });
      const [, , , , maghrib = 0, isha = 0] = await epochs();
      gaps.push(isha - maghrib);
    }
    expect(new Set(gaps).size).toBe(1);
  });

  it("asr_hanafi: Asr is later, and no other prayer moves", async () => {
    const before = await epochs();
    await configure({ asr_hanafi: true });
    const after = await epochs();
    expect(after.map((time, index) => Math.sign(time - (before[index] ?? 0)))).toEqual([0, 0, 0, 1, 0, 0]);
  });
});

describe("offsets_min", () => {
  it.each(PRAYERS.map((name, index) => [name, index] as const))(
    "adds minutes to %s alone, at place %d",
    async (_name, index) => {
      const before = await epochs();
      await configure({ offsets_min: PRAYERS.map((_prayer, at) => (at === index ? 7 : 0)) });
      const moved = (await epochs()).map((time, at) => time - (before[at] ?? 0));
      expect(moved).toEqual(PRAYERS.map((_prayer, at) => (at === index ? 7 * 60 : 0)));
    },
  );

  it("takes minutes off as well", async () => {
    const before = await epochs();
    await configure({ offsets_min: [-5, 0, 0, 0, 0, 0] });
    expect((await epochs())[0]).toBe((before[0] ?? 0) - 300);
  });

  it("adds two hours to Isha", async () => {
    const before = await epochs();
    expect((await configure({ offsets_min: [0, 0, 0, 0, 0, 120] })).status).toBe(200);
    expect((await epochs())[5]).toBe((before[5] ?? 0) + 7200);
  });
});

it(quote("Times are computed offline, so no network is needed after the location is set."), async () => {
  const offline = () => Promise.reject(new Error("there is no network"));
  const guard = { checkText: () => new URL("http://offline.example"), check: offline, open: offline };
  const own = await startContractDevice({ start: START, guard, parts: { wifi: undefined } });
  await own.post("/prayer/config", PLAIN);
  expect((await own.get("/prayer")).body.epochs).toHaveLength(6);
  own.clock.jumpTo(new Date(START.getTime() + 24 * HOUR_MS));
  expect((await own.get("/prayer")).body).toMatchObject({ date: "2026-02-19", epochs: expect.any(Array) });
  expect(own.opened).toEqual([]);
  await own.close();
});

/** Days of the Umm al-Qura calendar, as it was published. */
const HIJRI = [
  ["2023-07-19", [1445, 1, 1]],
  ["2024-07-07", [1446, 1, 1]],
  ["2025-06-26", [1447, 1, 1]],
  ["2026-02-18", [1447, 9, 1]],
  ["2026-03-20", [1447, 10, 1]],
] as const;

describe(
  quote("The Hijri date is tabular, with about one day of tolerance against sighting-based announcements."),
  () => {
    /** Days since the epoch of a calendar whose months have 29.53 days: exact enough to tell one day from two. */
    const toOrdinal = (year: number, month: number, day: number) => (year * 12 + month) * 29.530_588 + day;

    it.each(HIJRI)("%s is within a day of %j", async (date, [year, month, day]) => {
      device.clock.jumpTo(new Date(`${date}T12:00:00+03:00`));
      const { hijri } = await read();
      expect(hijri.day).toBeGreaterThanOrEqual(1);
      expect(hijri.day).toBeLessThanOrEqual(30);
      expect(Math.abs(toOrdinal(hijri.year, hijri.month, hijri.day) - toOrdinal(year, month, day))).toBeLessThan(1.6);
      device.clock.jumpTo(START);
    });

    it("is another day on the next day", async () => {
      const { hijri } = await read();
      device.clock.jumpTo(new Date(START.getTime() + 24 * HOUR_MS));
      expect((await read()).hijri.day).not.toBe(hijri.day);
      device.clock.jumpTo(START);
    });
  },
);

/** The prayers at whose time an adhan began, in one day. */
async function calledOn(prayer_mask: number): Promise<string[]> {
  const own = await startContractDevice({ start: START });
  await own.post("/settings/timezone", { timezone: "<+03>-3" });
  await own.post("/prayer/config", { ...PLAIN, adhan: { ...QUIET, enabled: true, prayer_mask } });
  const times: number[] = (await own.get("/prayer")).body.epochs;
  const called: string[] = [];
  for (const [index, time] of times.entries()) {
    const loads = own.engine.loads.length;
    own.clock.jumpTo(new Date((time - 3) * 1000));
    await own.clock.advance(2000);
    if (own.engine.loads.length > loads) called.push(`before ${PRAYERS[index]}`);
    await own.clock.advance(3000);
    // The file is looked up on the card; an answer from the card comes after it.
    for (let round = 0; round < 5; round += 1) await own.get("/library/files?path=Adhan");
    if (own.engine.loads.length > loads) called.push(PRAYERS[index] ?? "");
    await own.post("/playback/stop");
  }
  await own.close();
  return called;
}

describe(quote("It also plays a configured adhan"), () => {
  it("at the time of every prayer but sunrise, and not before", async () => {
    expect(await calledOn(0b111111)).toEqual(["fajr", "dhuhr", "asr", "maghrib", "isha"]);
  });

  it.each([
    [0b000010, []],
    [0b100101, ["fajr", "dhuhr", "isha"]],
    [0b011000, ["asr", "maghrib"]],
  ])("prayer_mask %d: %j", async (mask, expected) => {
    expect(await calledOn(mask)).toEqual(expected);
  });
});

describe(quote("| POST | /prayer/test-adhan | yes | nothing | plays the configured adhan now |"), () => {
  const test = () => device.post("/prayer/test-adhan");

  it("plays the file of adhan.path", async () => {
    expect(await test()).toMatchObject({ status: 200, body: { success: true } });
    expect(device.engine.loads.at(-1)?.location).toBe(`${device.cardFolder}/${ADHAN}`);
    expect(await isPlaying(ADHAN)).toBe(true);
  });

  it("plays it also while adhan.enabled is false", async () => {
    expect((await read()).config.adhan.enabled).toBe(false);
    await test();
    expect(await isPlaying(ADHAN)).toBe(true);
  });

  it.each([1, 65, 100])("plays it at adhan.volume %d", async (volume) => {
    await device.post("/playback/volume", { volume: 40 });
    await configure({ adhan: { ...QUIET, volume } });
    await test();
    expect((await device.status()).volume).toBe(volume);
    expect(device.engine.commands).toContain(`volume ${volume}`);
  });

  it("keeps the current volume with adhan.volume 0", async () => {
    await device.post("/playback/volume", { volume: 40 });
    await test();
    expect((await device.status()).volume).toBe(40);
  });
});
