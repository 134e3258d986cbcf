import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ContractDevice, LENGTH_MS, RECITER, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice();
});
afterAll(() => device.close());
beforeEach(() => device.calm());

const AB = { mode: "hifz_ab", ab: { from: 1, to: 5 } };
const setMode = (body: object) => device.post("/playback/mode", body);
const hifz = async () => (await device.status()).hifz;

/** The source is played to its end, and what follows begins to sound. */
async function playToEnd(): Promise<void> {
  device.engine.at({ positionMs: LENGTH_MS, durationMs: LENGTH_MS });
  device.engine.emit("ended");
  await device.clock.advance(0);
  if (!(await hifz())?.waiting && (await device.status()).state === "playing") device.flow();
}

const MODES = ["off", "continuous", "repeat_one"] as const;
const DRILLS = [
  { mode: "hifz_repeat", repeat: 3, pause_s: 5 },
  { ...AB, repeat: 2, pause_s: 7 },
];

describe(quote("Advance modes: off, continuous, repeat_one, hifz_repeat, hifz_ab."), () => {
  it.each([...MODES.map((mode) => ({ mode })), ...DRILLS])("$mode can be set, and is read back", async (body) => {
    expect(await setMode(body)).toMatchObject({ status: 200, body: { success: true } });
    expect((await device.get("/playback/mode")).body.mode).toBe(body.mode);
    expect((await device.status()).advance_mode).toBe(body.mode);
  });
});

describe(
  quote("| GET | /playback/mode | no | nothing | current advance mode plus hifz configuration when active |"),
  () => {
    it.each(MODES)("%s has no hifz configuration", async (mode) => {
      await setMode({ mode });
      expect((await device.get("/playback/mode")).body).toEqual({ mode });
    });

    it.each(DRILLS)("$mode has its hifz configuration", async (body) => {
      await setMode(body);
      expect((await device.get("/playback/mode")).body).toMatchObject({
        mode: body.mode,
        hifz: { repeat_target: body.repeat, pause_s: body.pause_s },
      });
    });
  },
);

describe(quote("| POST | /playback/mode | yes | mode request | result object |"), () => {
  it("leaves the mode as it was after a body that is not valid", async () => {
    await setMode({ mode: "hifz_repeat", repeat: 3, pause_s: 5 });
    expect((await setMode({ mode: "hifz_repeat", pause_s: 601 })).status).toBe(400);
    expect(await hifz()).toMatchObject({ repeat_target: 3, pause_s: 5 });
  });
});

const FIELDS = ["repeat_done", "repeat_target", "pause_s", "waiting"];

describe(
  quote("hifz object fields: repeat_done, repeat_target, pause_s, waiting, and for hifz_ab also ab_start and ab_end."),
  () => {
    it.each(FIELDS)("hifz_repeat has %s", async (field) => {
      await setMode({ mode: "hifz_repeat" });
      expect(await hifz()).toHaveProperty(field);
    });

    it.each([...FIELDS, "ab_start", "ab_end"])("hifz_ab has %s", async (field) => {
      await setMode(AB);
      expect(await hifz()).toHaveProperty(field);
    });

    it("hifz_repeat has no range", async () => {
      await setMode({ mode: "hifz_repeat" });
      expect(await hifz()).not.toHaveProperty("ab_start");
      expect(await hifz()).not.toHaveProperty("ab_end");
    });

    it("holds what was requested", async () => {
      await setMode({ mode: "hifz_ab", ab: { from: 2, to: 114 }, repeat: 4, pause_s: 600 });
      expect(await hifz()).toEqual({
        repeat_done: 0,
        repeat_target: 4,
        pause_s: 600,
        waiting: false,
        ab_start: 2,
        ab_end: 114,
      });
    });

    it("counts what was repeated", async () => {
      await setMode({ mode: "hifz_repeat", repeat: 5 });
      await device.playFile();
      for (const repeat_done of [1, 2, 3]) {
        await playToEnd();
        expect(await hifz()).toMatchObject({ repeat_done, repeat_target: 5 });
      }
    });

    it("waits during the gap only", async () => {
      await setMode({ mode: "hifz_repeat", pause_s: 10 });
      await device.playFile();
      expect((await hifz()).waiting).toBe(false);
      await playToEnd();
      expect((await hifz()).waiting).toBe(true);
      await device.clock.advance(10_000);
      expect((await hifz()).waiting).toBe(false);
    });
  },
);

describe(quote("0 means endless (hifz_repeat only)"), () => {
  it("repeats after 30 play-throughs still", async () => {
    await setMode({ mode: "hifz_repeat", repeat: 0 });
    await device.playFile();
    for (let count = 0; count < 30; count += 1) await playToEnd();
    expect(await device.status()).toMatchObject({ state: "playing", track: `${RECITER}/002.mp3` });
    expect(await hifz()).toMatchObject({ repeat_done: 30, repeat_target: 0 });
  });

  it("ends after as many repetitions as were requested", async () => {
    await setMode({ mode: "hifz_repeat", repeat: 2 });
    await device.playFile();
    await playToEnd();
    expect((await device.status()).state).toBe("playing");
    await playToEnd();
    expect((await device.status()).state).toBe("stopped");
  });

  it("is refused in hifz_ab", async () => {
    expect((await setMode({ ...AB, repeat: 0 })).status).toBe(400);
  });
});

describe(quote("0..600; seconds of silence between repetitions"), () => {
  it.each([1, 5, 600])("nothing sounds for %d seconds, then the repetition begins", async (pause_s) => {
    await setMode({ mode: "hifz_repeat", pause_s });
    await device.playFile();
    const loads = device.engine.loads.length;
    await playToEnd();
    await device.clock.advance(pause_s * 1000 - 1);
    expect(device.engine.loads).toHaveLength(loads);
    await device.clock.advance(1);
    expect(device.engine.loads).toHaveLength(loads + 1);
  });

  it("0 seconds: the repetition begins at once", async () => {
    await setMode({ mode: "hifz_repeat", pause_s: 0 });
    await device.playFile();
    const loads = device.engine.loads.length;
    await playToEnd();
    expect(device.engine.loads).toHaveLength(loads + 1);
  });
});

const playedSurah = async () => (await device.status()).surah_number;

describe(
  quote("In hifz_ab, missing files inside the range are skipped and the range wraps from to back to from."),
  () => {
    it("plays 1, 2 and 5, which are on the card, and then 1 again", async () => {
      await setMode(AB);
      await device.playFile(`${RECITER}/001.mp3`);
      const played = [await playedSurah()];
      for (let count = 0; count < 4; count += 1) {
        await playToEnd();
        played.push(await playedSurah());
      }
      expect(played).toEqual([1, 2, 5, 1, 2]);
    });

    it("wraps to the first file that exists when the one at from is missing", async () => {
      await setMode({ mode: "hifz_ab", ab: { from: 3, to: 114 } });
      await device.playFile(`${RECITER}/114.mp3`);
      await playToEnd();
      expect(await playedSurah()).toBe(5);
    });

    it("repeats a range of one surah", async () => {
      await setMode({ mode: "hifz_ab", ab: { from: 2, to: 2 } });
      await device.playFile();
      await playToEnd();
      await playToEnd();
      expect(await playedSurah()).toBe(2);
    });
  },
);

describe(quote("hifz_repeat repeats the current surah."), () => {
  it("plays the same file from its beginning", async () => {
    await setMode({ mode: "hifz_repeat" });
    await device.playFile(`${RECITER}/005.mp3`);
    await playToEnd();
    expect(await playedSurah()).toBe(5);
    expect(device.engine.loads.at(-1)).toMatchObject({ positionMs: 0 });
  });
});

describe(quote("hifz_ab only; fields from and to (integers)"), () => {
  it.each(MODES)("%s ignores a range", async (mode) => {
    expect((await setMode({ mode, ab: { from: 1, to: 5 } })).status).toBe(200);
    expect(await device.status()).not.toHaveProperty("hifz");
  });
});
