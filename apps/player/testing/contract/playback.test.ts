import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chooseScreen } from "../../src/screen/choose-screen.ts";
import { buildInputs, RECITING } from "../screen-inputs.ts";
import { type ContractDevice, LENGTH_MS, RECITER, STREAM, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice();
});
afterAll(() => device.close());
beforeEach(() => device.calm());

const file = (surah: string) => `${RECITER}/${surah}.mp3`;

/** What is audible. */
const SITUATIONS = {
  nothing: async () => undefined,
  "a file": () => device.playFile(),
  "a stream": () => device.playStream(),
  "a paused file": async () => {
    await device.playFile();
    await device.post("/playback/pause");
  },
};
const NAMES = Object.keys(SITUATIONS) as (keyof typeof SITUATIONS)[];

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isAmong =
  (...values: string[]) =>
  (value: unknown) =>
    values.includes(String(value));

const FIELDS: readonly (readonly [row: string, field: string, isValid: (value: unknown) => boolean])[] = [
  [
    quote("| state | string | playing, paused, buffering, stopped |"),
    "state",
    isAmong("playing", "paused", "buffering", "stopped"),
  ],
  [quote("| mode | string | file, stream, idle |"), "mode", isAmong("file", "stream", "idle")],
  [quote("| position | integer | milliseconds |"), "position", isCount],
  [quote("| duration | integer | milliseconds; 0 for live streams |"), "duration", isCount],
  [quote("| volume | integer | 0..100 |"), "volume", (value) => isCount(value) && Number(value) <= 100],
  [quote("| underrun_count | integer | audio health counter |"), "underrun_count", isCount],
  [quote("| track | string | path of the current file |"), "track", (value) => typeof value === "string"],
  [quote("| reciter | string | current reciter |"), "reciter", (value) => typeof value === "string"],
  [quote("| surah_number | integer | current surah |"), "surah_number", isCount],
  [
    quote("| advance_mode | string | off, continuous, repeat_one, hifz_repeat, hifz_ab |"),
    "advance_mode",
    isAmong("off", "continuous", "repeat_one", "hifz_repeat", "hifz_ab"),
  ],
  [
    quote("| hasResumeState | boolean | a persisted position exists |"),
    "hasResumeState",
    (value) => typeof value === "boolean",
  ],
];

describe(quote("| GET | /playback/status | no | nothing | status object |"), () => {
  describe.each(FIELDS)("%s", (_row, field, isValid) => {
    it.each(NAMES)("is there and has its type while %s plays", async (situation) => {
      await SITUATIONS[situation]();
      const status = await device.status();
      expect(status).toHaveProperty(field);
      expect(isValid(status[field])).toBe(true);
    });
  });

  it.each(NAMES)("is an object while %s plays", async (situation) => {
    await SITUATIONS[situation]();
    expect(Object.prototype.toString.call(await device.status())).toBe("[object Object]");
  });
});

describe("the values of the status", () => {
  it("has position and duration of a file in milliseconds", async () => {
    await device.playFile();
    device.flow(12_345.4, 61_500);
    expect(await device.status()).toMatchObject({ position: 12_345, duration: 61_500 });
  });

  it("has duration 0 for a live stream, and for no file that plays", async () => {
    await device.playStream();
    expect((await device.status()).duration).toBe(0);
    await device.playFile();
    expect((await device.status()).duration).toBe(LENGTH_MS);
  });

  it("counts every underrun of the audio", async () => {
    await device.playFile();
    const { underrun_count } = await device.status();
    device.engine.emit("underrun");
    device.engine.emit("underrun");
    expect((await device.status()).underrun_count).toBe(underrun_count + 2);
  });

  it("names the path, the reciter and the surah of the file", async () => {
    await device.playFile(file("114"));
    expect(await device.status()).toMatchObject({ track: file("114"), reciter: RECITER, surah_number: 114 });
  });

  it("names no file while a stream plays", async () => {
    await device.playFile(file("114"));
    await device.playStream();
    expect(await device.status()).toMatchObject({ mode: "stream", track: "", reciter: "", surah_number: 0 });
  });

  it("has the volume that was set last", async () => {
    for (const volume of [0, 37, 100]) {
      await device.post("/playback/volume", { volume });
      expect((await device.status()).volume).toBe(volume);
    }
  });
});

it(`${quote("| hifz | object | present only when advance_mode is hifz_repeat or hifz_ab |")}`, async () => {
  await device.playFile();
  for (const mode of ["off", "continuous", "repeat_one"]) {
    await device.post("/playback/mode", { mode });
    expect(await device.status()).not.toHaveProperty("hifz");
  }
  for (const body of [{ mode: "hifz_repeat" }, { mode: "hifz_ab", ab: { from: 1, to: 5 } }]) {
    await device.post("/playback/mode", body);
    expect((await device.status()).hifz).toBeTypeOf("object");
  }
});

describe("hasResumeState", () => {
  let fresh: ContractDevice;
  beforeAll(async () => {
    fresh = await startContractDevice();
  });
  afterEach(() => fresh.close());

  it("is false on a new device, and true after a file was left in the middle", async () => {
    expect((await fresh.status()).hasResumeState).toBe(false);
    await fresh.playFile();
    fresh.flow(30_000);
    await fresh.post("/playback/stop");
    expect((await fresh.status()).hasResumeState).toBe(true);
  });
});

/** A command without a body, while a file plays in the middle. */
const COMMANDS: readonly (readonly [row: string, route: string])[] = [
  [quote("| POST | /playback/pause | yes | nothing | result object |"), "/playback/pause"],
  [quote("| POST | /playback/resume | yes | nothing | result object |"), "/playback/resume"],
  [quote("| POST | /playback/stop | yes | nothing | result object |"), "/playback/stop"],
  [quote("| POST | /playback/resume-saved | yes | nothing | result object |"), "/playback/resume-saved"],
  [quote("| POST | /playback/next | yes | nothing | result object |"), "/playback/next"],
  [quote("| POST | /playback/prev | yes | nothing | result object |"), "/playback/prev"],
];

describe.each(COMMANDS)("%s", (_row, route) => {
  beforeEach(async () => {
    await device.playFile();
    device.flow(30_000);
  });

  it("answers an object with success", async () => {
    expect(await device.post(route)).toMatchObject({ status: 200, body: { success: true } });
  });

  it("needs no body, and accepts an empty object", async () => {
    expect((await device.post(route, {})).status).toBe(200);
  });

  it(`returns the resulting state: ${quote("Mutations return the resulting state when it is cheap (for example the volume route returns the applied volume).")}`, async () => {
    const { body } = await device.post(route);
    const { state, mode, track } = await device.status();
    expect(body).toMatchObject({ state, mode, track });
  });
});

describe(quote("| POST | /playback/play | yes | path or url | result object |"), () => {
  it.each([
    ["path", { path: file("005") }],
    ["url", { url: STREAM }],
  ])("answers an object with success for a %s", async (_field, body) => {
    expect(await device.post("/playback/play", body)).toMatchObject({ status: 200, body: { success: true } });
  });

  it("loads the file of the path into the engine, from its beginning", async () => {
    await device.post("/playback/play", { path: file("005") });
    expect(device.engine.loads.at(-1)).toMatchObject({
      location: `${device.cardFolder}/${file("005")}`,
      positionMs: 0,
    });
  });

  it("refuses a body with neither of the two", async () => {
    expect((await device.post("/playback/play", {})).status).toBe(400);
  });
});

describe(quote("| POST | /playback/seek | yes | position | result object |"), () => {
  it.each([0, 1, 30_000, LENGTH_MS])("moves to %d ms", async (position) => {
    await device.playFile();
    expect(await device.post("/playback/seek", { position })).toMatchObject({ status: 200, body: { success: true } });
    expect(device.engine.commands.at(-1)).toBe(`seek ${position}`);
    expect((await device.status()).position).toBe(position);
  });

  it("moves in a paused file, which stays paused", async () => {
    await device.playFile();
    await device.post("/playback/pause");
    expect((await device.post("/playback/seek", { position: 20_000 })).status).toBe(200);
    expect(await device.status()).toMatchObject({ state: "paused", position: 20_000 });
  });

  it(`${quote("Seek is rejected with 400 for live streams.")}`, async () => {
    await device.playStream();
    const before = device.engine.commands.length;
    const answer = await device.post("/playback/seek", { position: 1000 });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining("position") });
    expect(device.engine.commands.slice(before)).toEqual([]);
    expect(await device.status()).toMatchObject({ state: "playing", mode: "stream" });
  });

  it("is rejected with 400 for a live stream that is paused", async () => {
    await device.playStream();
    await device.post("/playback/pause");
    expect((await device.post("/playback/seek", { position: 1000 })).status).toBe(400);
  });
});

describe(quote("| POST | /playback/volume | yes | volume | the applied volume |"), () => {
  it.each([0, 1, 50, 99, 100])("applies %d, and answers it", async (volume) => {
    expect(await device.post("/playback/volume", { volume })).toMatchObject({ status: 200, body: { volume } });
    expect(device.engine.commands.at(-1)).toBe(`volume ${volume}`);
  });

  it.each([-1, 101])("refuses %d and keeps the volume", async (volume) => {
    await device.post("/playback/volume", { volume: 40 });
    expect((await device.post("/playback/volume", { volume })).status).toBe(400);
    expect((await device.status()).volume).toBe(40);
  });
});

describe("the screen in the gap of a drill", () => {
  const HIFZ = { repeat_done: 1, repeat_target: 3, pause_s: 10, waiting: false };
  const chooseDuring = (waiting: boolean) =>
    chooseScreen(buildInputs({ playback: { ...RECITING, advance_mode: "hifz_repeat", hifz: { ...HIFZ, waiting } } }));

  it(`${quote("the display keeps the now-playing screen during the gap")}`, () => {
    expect(chooseDuring(true).screen).toBe(chooseDuring(false).screen);
    expect(chooseDuring(true)).toMatchObject({ heading: (chooseDuring(false) as { heading: unknown }).heading });
  });
});
