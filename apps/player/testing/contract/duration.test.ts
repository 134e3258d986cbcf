import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createManualEngine, type ManualEngine } from "../manual-engine.ts";
import { type ContractDevice, LENGTH_MS, RECITER, STREAM, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

const file = (surah: string) => `${RECITER}/${surah}.mp3`;
const LIMIT_MS = 1000;

/** Each command that begins a file while surah 2 plays, with its body. */
const BEGINNINGS: readonly (readonly [route: string, body: unknown])[] = [
  ["/playback/play", { path: file("005") }],
  ["/playback/next", undefined],
  ["/playback/prev", undefined],
  ["/playback/resume-saved", undefined],
];

describe(`${quote("| duration | integer | milliseconds; 0 for live streams |")}, when the engine knows it late`, () => {
  let engine: ManualEngine;
  let device: ContractDevice;
  beforeEach(async () => {
    engine = createManualEngine();
    device = await startContractDevice({ parts: { engine } });
  });
  afterEach(() => device.close());

  function sound(positionMs = 0): void {
    engine.at({ positionMs, durationMs: LENGTH_MS });
    engine.emit("flowing");
  }

  /** Sends a command, and returns its answer once the engine has loaded the file. */
  async function begin(route: string, body: unknown) {
    const loads = engine.loads.length;
    const answer = device.post(route, body);
    await vi.waitFor(() => expect(engine.loads).toHaveLength(loads + 1));
    return { answer };
  }

  async function playSecond(): Promise<void> {
    const { answer } = await begin("/playback/play", { path: file("002") });
    sound(20_000);
    await answer;
    await device.post("/playback/pause");
  }

  it.each(BEGINNINGS)("POST %s answers it", async (route, body) => {
    await playSecond();
    const { answer } = await begin(route, body);
    await device.clock.advance(300);
    sound();
    expect((await answer).body).toMatchObject({ success: true, state: "playing", mode: "file", duration: LENGTH_MS });
  });

  it("GET /playback/status answers it while the file is loaded", async () => {
    const { answer } = await begin("/playback/play", { path: file("002") });
    const status = device.status();
    await device.clock.advance(300);
    sound();
    expect(await status).toMatchObject({ track: file("002"), duration: LENGTH_MS });
    await answer;
  });

  it("GET /playback/status answers it when a repetition is loaded again", async () => {
    await device.post("/playback/mode", { mode: "repeat_one" });
    const { answer } = await begin("/playback/play", { path: file("002") });
    sound();
    await answer;
    engine.emit("ended");
    const status = device.status();
    await device.clock.advance(300);
    sound();
    expect(await status).toMatchObject({ state: "playing", position: 0, duration: LENGTH_MS });
  });

  it("waits a second at most, and does not wait again for the same file", async () => {
    const { answer } = await begin("/playback/play", { path: file("002") });
    await device.clock.advance(LIMIT_MS);
    expect(await answer).toMatchObject({ status: 200, body: { success: true, state: "buffering", duration: 0 } });
    expect(await device.status()).toMatchObject({ state: "buffering", duration: 0 });
    sound();
    expect((await device.status()).duration).toBe(LENGTH_MS);
  });

  it("waits a second for each file, also when the file before was not known yet", async () => {
    const first = await begin("/playback/play", { path: file("002") });
    await device.clock.advance(LIMIT_MS - 1);
    const second = await begin("/playback/play", { path: file("005") });
    await device.clock.advance(LIMIT_MS - 1);
    sound();
    expect((await second.answer).body).toMatchObject({ track: file("005"), duration: LENGTH_MS });
    expect((await first.answer).status).toBe(200);
  });

  it("answers at once when another command stops the file", async () => {
    const { answer } = await begin("/playback/play", { path: file("002") });
    await device.post("/playback/stop");
    expect((await answer).body).toMatchObject({ state: "stopped", mode: "idle", duration: 0 });
  });

  it("is 0 for a live stream, which is answered at once", async () => {
    const answer = await device.post("/playback/play", { url: STREAM });
    expect(answer).toMatchObject({ status: 200, body: { mode: "stream", duration: 0 } });
    expect((await device.status()).duration).toBe(0);
  });
});
