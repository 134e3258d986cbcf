import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ContractDevice, RECITER, STREAM, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice();
});
afterAll(() => device.close());
beforeEach(() => device.calm());

const file = (surah: string) => `${RECITER}/${surah}.mp3`;
const LONG_SILENCE_MS = 1000;

/** How the device gets into each state of the document. */
const FROM = {
  stopped: async () => {
    await device.playFile();
    await device.post("/playback/stop");
  },
  playing: () => device.playFile(),
  paused: async () => {
    await device.playFile();
    await device.post("/playback/pause");
  },
  buffering: async () => {
    await device.playFile();
    device.engine.emit("silent");
    await device.clock.advance(LONG_SILENCE_MS);
  },
};
type State = keyof typeof FROM;
const STATES = Object.keys(FROM) as State[];

describe(quote("Playback state values: playing, paused, buffering, stopped."), () => {
  it.each(STATES)("a device can be %s", async (state) => {
    await FROM[state]();
    expect((await device.status()).state).toBe(state);
  });
});

describe(quote("Playback mode values: idle, file, stream."), () => {
  it("the mode is idle while nothing plays", async () => {
    expect(await device.status()).toMatchObject({ state: "stopped", mode: "idle" });
  });
});

describe(
  quote("| any | POST /playback/play | valid path or url | playing (mode file or stream) | current source replaced |"),
  () => {
    it.each(STATES)("%s becomes playing with a valid path, in mode file", async (state) => {
      await FROM[state]();
      expect((await device.post("/playback/play", { path: file("005") })).status).toBe(200);
      device.flow();
      expect(await device.status()).toMatchObject({ state: "playing", mode: "file", track: file("005") });
      expect(device.engine.loads.at(-1)).toMatchObject({ isLive: false, isPaused: false });
    });

    it.each(STATES)("%s becomes playing with a valid url, in mode stream", async (state) => {
      await FROM[state]();
      await device.playStream();
      expect(device.opened.at(-1)).toBe(STREAM);
      expect(await device.status()).toMatchObject({ state: "playing", mode: "stream", track: "" });
      expect(device.engine.loads.at(-1)).toMatchObject({ isLive: true });
    });

    it.each(STATES)("%s stays %s after a path that is not valid", async (state) => {
      await FROM[state]();
      const before = await device.status();
      expect((await device.post("/playback/play", { path: "nowhere.mp3" })).status).toBe(400);
      expect(await device.status()).toEqual(before);
    });
  },
);

/** The trigger, the states that it applies to, and the state that follows. */
const SIMPLE: readonly (readonly [row: string, trigger: string, from: readonly State[], to: State])[] = [
  [quote("| playing | POST /playback/pause | | paused | |"), "/playback/pause", ["playing"], "paused"],
  [quote("| paused | POST /playback/resume | | playing | |"), "/playback/resume", ["paused"], "playing"],
  [
    quote("| playing or paused | POST /playback/stop | | stopped | |"),
    "/playback/stop",
    ["playing", "paused"],
    "stopped",
  ],
];

describe.each(SIMPLE)("%s", (_row, trigger, from, to) => {
  it.each(from)("%s becomes the next state", async (state) => {
    await FROM[state]();
    const answer = await device.post(trigger);
    expect(answer.status).toBe(200);
    expect((await device.status()).state).toBe(to);
  });

  it("does not start what was stopped", async () => {
    await FROM.stopped();
    await device.post(trigger);
    expect((await device.status()).state).toBe("stopped");
  });

  it("reaches the audio engine", async () => {
    await FROM[from[0] ?? "playing"]();
    const before = device.engine.commands.length;
    await device.post(trigger);
    expect(device.engine.commands.slice(before)).toContain(trigger.split("/").at(-1));
  });
});

it(`${quote("| playing or paused | POST /playback/stop | | stopped | |")}: nothing of the source is left in mode, position and duration`, async () => {
  await device.playFile();
  await device.post("/playback/stop");
  expect(await device.status()).toMatchObject({ mode: "idle", position: 0, duration: 0 });
});

const NEIGHBOURS: readonly (readonly [row: string, route: string, from: string, to: string, last: string])[] = [
  [
    quote(
      "| any | POST /playback/next | a next available surah of the current reciter exists | playing | plays that surah |",
    ),
    "/playback/next",
    "002",
    "005",
    "114",
  ],
  [
    quote("| any | POST /playback/prev | a previous available surah exists | playing | plays that surah |"),
    "/playback/prev",
    "005",
    "002",
    "001",
  ],
];

describe.each(NEIGHBOURS)("%s", (_row, route, from, to, last) => {
  it.each(STATES)("from %s", async (state) => {
    await device.post("/playback/play", { path: file(from) });
    await intoState(state);
    expect((await device.post(route)).status).toBe(200);
    device.flow();
    expect(await device.status()).toMatchObject({ state: "playing", mode: "file", track: file(to), reciter: RECITER });
  });

  it.each(STATES)("%s stays %s when there is no such surah", async (state) => {
    await device.post("/playback/play", { path: file(last) });
    await intoState(state);
    const before = await device.status();
    expect((await device.post(route)).status).toBe(400);
    expect(await device.status()).toEqual(before);
  });
});

/** Like FROM, with the source that plays already. */
async function intoState(state: State): Promise<void> {
  device.flow();
  if (state === "stopped") await device.post("/playback/stop");
  if (state === "paused") await device.post("/playback/pause");
  if (state !== "buffering") return;
  device.engine.emit("silent");
  await device.clock.advance(LONG_SILENCE_MS);
}

describe(
  quote("| any | POST /playback/resume-saved | a persisted position exists | playing | resumes from it |"),
  () => {
    it.each(STATES)("from %s", async (state) => {
      await device.playFile(file("114"));
      device.flow(40_000);
      await device.post("/playback/pause");
      if (state !== "paused") await device.post("/playback/stop");
      if (state === "playing" || state === "buffering") {
        await device.playStream();
        if (state === "buffering") device.engine.emit("silent");
        await device.clock.advance(state === "buffering" ? LONG_SILENCE_MS : 0);
      }
      expect((await device.status()).state).toBe(state);
      expect((await device.post("/playback/resume-saved")).status).toBe(200);
      const { location, positionMs } = device.engine.loads.at(-1) ?? { location: "", positionMs: 0 };
      expect(location).toContain(file("114"));
      // At most a few seconds before the place, so that the listener finds it again.
      expect(positionMs).toBeGreaterThan(30_000);
      expect(positionMs).toBeLessThanOrEqual(40_000);
      expect(await device.status()).toMatchObject({ state: "playing", mode: "file", track: file("114") });
    });

    it("changes nothing without a persisted position", async () => {
      const fresh = await startContractDevice();
      expect((await fresh.status()).hasResumeState).toBe(false);
      expect((await fresh.post("/playback/resume-saved")).status).toBe(400);
      expect(await fresh.status()).toMatchObject({ state: "stopped", mode: "idle" });
      await fresh.close();
    });
  },
);

describe(quote("| any | POST /playback/mode | valid body | unchanged | advance_mode set |"), () => {
  it.each(STATES)("%s stays %s, and advance_mode is set", async (state) => {
    await FROM[state]();
    const before = await device.status();
    expect((await device.post("/playback/mode", { mode: "continuous" })).status).toBe(200);
    expect(await device.status()).toEqual({ ...before, advance_mode: "continuous" });
  });

  it.each(STATES)("%s stays %s after a body that is not valid, and so does advance_mode", async (state) => {
    await FROM[state]();
    const before = await device.status();
    expect((await device.post("/playback/mode", { mode: "shuffle" })).status).toBe(400);
    expect(await device.status()).toEqual(before);
  });
});
