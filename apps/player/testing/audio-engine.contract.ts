import { copyFile } from "node:fs/promises";
import { createClock } from "@kit/clock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { AudioEngine, EngineEvent, EngineSource } from "../src/playback/audio-engine.ts";
import { type Radio, startRadio } from "./radio.ts";
import { LONG_FILE, LONG_MS, makeSounds, SHORT_FILES, SHORT_MS, type Sounds } from "./sounds.ts";

const clock = createClock();
const NOWHERE = { positionMs: 0, durationMs: 0 };
/** The delay that a busy machine may add to any wait. */
const SLACK_MS = 400;

export interface EventRecorder {
  events: EngineEvent[];
  types(): string[];
  /** Waits for this many events of a type. */
  until(type: EngineEvent["type"], count?: number): Promise<void>;
  stopListening(): void;
}

/** Records every event of an engine but underruns: on a busy machine any output may run out of samples. */
export function recordEvents(engine: AudioEngine): EventRecorder {
  const events: EngineEvent[] = [];
  const stopListening = engine.onEvent((event) => {
    if (event.type !== "underrun") events.push(event);
  });
  return {
    events,
    types: () => events.map(({ type }) => type),
    async until(type, count = 1) {
      const deadline = clock.deadline(15_000);
      while (events.filter((event) => event.type === type).length < count) {
        if (deadline.aborted) throw new Error(`no ${type} after ${JSON.stringify(events)}`);
        await clock.sleep(2);
      }
    },
    stopListening,
  };
}

export function fileSource(location: string, more: Partial<EngineSource> = {}): EngineSource {
  return { location, positionMs: 0, isPaused: false, isLive: false, ...more };
}

/** The contract of every engine, on real files and a real stream. */
export function describeAudioEngine(name: string, create: () => AudioEngine): void {
  describe(name, () => {
    let sounds: Sounds;
    let radio: Radio;
    let engine: AudioEngine;
    let recorder: EventRecorder;

    beforeAll(async () => {
      sounds = await makeSounds();
      radio = await startRadio(sounds);
      engine = create();
      await engine.start();
    });

    afterAll(async () => {
      await engine.close();
      await radio.close();
      await sounds.remove();
    });

    afterEach(() => {
      recorder.stopListening();
      engine.stop();
    });

    function load(name: string, more: Partial<EngineSource> = {}): number {
      recorder = recordEvents(engine);
      return engine.load(fileSource(sounds.path(name), more));
    }

    it.each(SHORT_FILES)("plays %s to its end, and stays at the end", async (file) => {
      const number = load(file);
      expect(engine.place()).toEqual(NOWHERE);
      await recorder.until("flowing");
      const { durationMs } = engine.place();
      const flowingAtMs = clock.monotonicMs();
      await recorder.until("ended");
      expect(clock.monotonicMs() - flowingAtMs).toBeGreaterThan(SHORT_MS - 100);
      expect(recorder.events).toEqual([
        { type: "flowing", load: number },
        { type: "ended", load: number },
      ]);
      expect(Math.abs(durationMs - SHORT_MS)).toBeLessThan(150);
      expect(engine.place()).toEqual({ positionMs: durationMs, durationMs });
    });

    it("begins at the given position, and advances with time", async () => {
      load(LONG_FILE, { positionMs: 15_000 });
      await recorder.until("flowing");
      const begun = engine.place();
      await clock.sleep(1500);
      const moved = engine.place().positionMs - begun.positionMs;
      expect(Math.abs(begun.positionMs - 15_000)).toBeLessThan(SLACK_MS);
      expect(Math.abs(begun.durationMs - LONG_MS)).toBeLessThan(150);
      expect(Math.abs(moved - 1500)).toBeLessThan(SLACK_MS);
      expect(recorder.types()).toEqual(["flowing"]);
    });

    it("loads paused, and has no position until it is resumed", async () => {
      load(LONG_FILE, { positionMs: 10_000, isPaused: true });
      await clock.sleep(300);
      expect(recorder.events).toEqual([]);
      expect(engine.place()).toEqual(NOWHERE);
      engine.resume();
      await recorder.until("flowing");
      expect(Math.abs(engine.place().positionMs - 10_000)).toBeLessThan(SLACK_MS);
    });

    it("stops its position while it is paused, and continues from there", async () => {
      load(LONG_FILE);
      await recorder.until("flowing");
      await clock.sleep(300);
      engine.pause();
      const { positionMs } = engine.place();
      await clock.sleep(300);
      expect(engine.place().positionMs).toBe(positionMs);
      engine.resume();
      await recorder.until("flowing", 2);
      expect(Math.abs(engine.place().positionMs - positionMs)).toBeLessThan(SLACK_MS);
      expect(recorder.types()).toEqual(["flowing", "flowing"]);
    });

    it("flows again after a pause that was resumed immediately", async () => {
      load(LONG_FILE);
      await recorder.until("flowing");
      engine.pause();
      engine.resume();
      await recorder.until("flowing", 2);
      engine.resume();
      await clock.sleep(200);
      expect(recorder.types()).toEqual(["flowing", "flowing"]);
    });

    it("keeps a pause that came right after the load", async () => {
      load(LONG_FILE);
      engine.pause();
      await clock.sleep(300);
      expect(recorder.events).toEqual([]);
      expect(engine.place()).toEqual(NOWHERE);
    });

    it("seeks forward and back without emitting silence", async () => {
      load(LONG_FILE);
      await recorder.until("flowing");
      for (const [seeks, positionMs] of [12_000, 3000].entries()) {
        engine.seek(positionMs);
        expect(engine.place().positionMs).toBe(positionMs);
        await recorder.until("flowing", seeks + 2);
        expect(Math.abs(engine.place().positionMs - positionMs)).toBeLessThan(SLACK_MS);
      }
      expect(recorder.types()).toEqual(["flowing", "flowing", "flowing"]);
    });

    it("seeks while it is paused, and emits nothing until it is resumed", async () => {
      load(LONG_FILE);
      await recorder.until("flowing");
      engine.pause();
      engine.seek(8000);
      await clock.sleep(200);
      expect(engine.place().positionMs).toBe(8000);
      expect(recorder.types()).toEqual(["flowing"]);
      engine.resume();
      await recorder.until("flowing", 2);
      expect(Math.abs(engine.place().positionMs - 8000)).toBeLessThan(SLACK_MS);
    });

    it("executes a seek that comes right after the load", async () => {
      const number = load(LONG_FILE);
      engine.seek(9000);
      await recorder.until("flowing");
      expect(Math.abs(engine.place().positionMs - 9000)).toBeLessThan(SLACK_MS);
      await clock.sleep(200);
      expect(recorder.events).toEqual([{ type: "flowing", load: number }]);
    });

    it("moves to the end on a seek past it", async () => {
      load(LONG_FILE);
      await recorder.until("flowing");
      const { durationMs } = engine.place();
      engine.seek(LONG_MS + 60_000);
      expect(engine.place().positionMs).toBe(durationMs);
      await recorder.until("ended");
      expect(recorder.types()).not.toContain("silent");
      expect(engine.place()).toEqual({ positionMs: durationMs, durationMs });
    });

    it("moves past the end while it is paused, and ends when it is resumed", async () => {
      load(LONG_FILE);
      await recorder.until("flowing");
      engine.pause();
      engine.seek(LONG_MS + 60_000);
      await clock.sleep(200);
      expect(recorder.types()).toEqual(["flowing"]);
      engine.resume();
      await recorder.until("ended");
      expect(recorder.types()).not.toContain("silent");
    });

    it("emits nothing about a source that it stops, and has no position", async () => {
      load(SHORT_FILES[0] ?? "");
      await recorder.until("flowing");
      engine.stop();
      expect(engine.place()).toEqual(NOWHERE);
      await clock.sleep(SHORT_MS + 200);
      expect(recorder.types()).toEqual(["flowing"]);
    });

    it("emits nothing about a source that it stops before it began", async () => {
      load(LONG_FILE);
      engine.stop();
      await clock.sleep(300);
      expect(recorder.events).toEqual([]);
    });

    it("emits events only of the last one of twenty loads", async () => {
      recorder = recordEvents(engine);
      const numbers = Array.from({ length: 20 }, (_, index) =>
        engine.load(fileSource(sounds.path(index % 3 === 0 ? "missing.mp3" : LONG_FILE), { positionMs: index * 500 })),
      );
      await recorder.until("flowing");
      await clock.sleep(300);
      expect(new Set(numbers).size).toBe(20);
      expect(recorder.events).toEqual([{ type: "flowing", load: numbers.at(-1) }]);
      expect(engine.place().positionMs).toBeGreaterThanOrEqual(9500);
    });

    it.each([
      ["is missing", undefined],
      ["is empty", ""],
      ["is no audio", "no audio at all, ".repeat(500)],
    ])("fails to play a file that %s, and plays the next", async (_what, content) => {
      if (content !== undefined) await sounds.write("broken.mp3", content);
      const number = load(content === undefined ? "missing.mp3" : "broken.mp3");
      await recorder.until("failed");
      expect(recorder.events).toEqual([{ type: "failed", load: number, why: expect.stringMatching(/^[a-z ]+$/) }]);
      expect(engine.place()).toEqual(NOWHERE);
      recorder.stopListening();
      load(LONG_FILE);
      await recorder.until("flowing");
    });

    it.each([
      ["an M3U playlist", (url: string) => `#EXTM3U\n#EXTINF:4,\n${url}\n`],
      ["an HLS playlist", (url: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${url}\n#EXT-X-ENDLIST\n`],
      ["a PLS playlist", (url: string) => `[playlist]\nFile1=${url}\nNumberOfEntries=1\n`],
      ["a list for concatenation", (url: string) => `ffconcat version 1.0\nfile '${url}'\n`],
    ])("opens no file that %s in disguise refers to", async (_what, textOf) => {
      const hits = radio.hits();
      await sounds.write("disguised.mp3", textOf(radio.location));
      load("disguised.mp3");
      await recorder.until("failed");
      await clock.sleep(100);
      expect(recorder.types()).toEqual(["failed"]);
      expect(radio.hits()).toBe(hits);
    });

    it.each([
      "two  spaces .mp3",
      "سورة الفاتحة.mp3",
      `quo"te's.mp3`,
      "a,start=15,b={c}.mp3",
      "-dash.mp3",
      "100%25 %s $HOME.mp3",
      "#hash?query&more.mp3",
      "back\\slash.mp3",
      "[brackets]*~.mp3",
    ])("plays a file named %s", async (name) => {
      await copyFile(sounds.path(LONG_FILE), sounds.path(name));
      load(name);
      await recorder.until("flowing");
      expect(engine.place().positionMs).toBeLessThan(SLACK_MS);
    });

    it("changes the volume at any time without interrupting the audio", async () => {
      load(LONG_FILE);
      await recorder.until("flowing");
      for (const volume of [0, 100, 30]) engine.setVolume(volume);
      await clock.sleep(200);
      expect(recorder.types()).toEqual(["flowing"]);
    });

    it("flows and pauses while a live source sends, is silent while it starves, and ends with it", async () => {
      recorder = recordEvents(engine);
      const number = engine.load(fileSource(radio.location, { isLive: true }));
      while (radio.hits() === 0) await clock.sleep(5);
      radio.feed(2.5);
      await recorder.until("flowing");
      expect(engine.place().durationMs).toBe(0);
      engine.pause();
      await clock.sleep(200);
      expect(recorder.types()).toEqual(["flowing"]);
      engine.resume();
      await recorder.until("flowing", 2);
      radio.starve();
      await recorder.until("silent");
      const { positionMs } = engine.place();
      await clock.sleep(200);
      expect(engine.place().positionMs).toBe(positionMs);
      radio.feed(2.5);
      await recorder.until("flowing", 3);
      radio.end();
      await recorder.until("ended");
      expect(recorder.events).toEqual([
        { type: "flowing", load: number },
        { type: "flowing", load: number },
        { type: "silent", load: number },
        { type: "flowing", load: number },
        { type: "ended", load: number },
      ]);
      expect(engine.place().durationMs).toBe(0);
    });

    it("fails to play a live source that does not exist", async () => {
      recorder = recordEvents(engine);
      const number = engine.load(fileSource("http://127.0.0.1:1/live", { isLive: true }));
      await recorder.until("failed");
      expect(recorder.events).toEqual([{ type: "failed", load: number, why: expect.any(String) }]);
    });

    it("closes twice, and may be started again", async () => {
      const other = create();
      await other.start();
      await other.start();
      await Promise.all([other.close(), other.close()]);
      await other.start();
      const otherRecorder = recordEvents(other);
      other.load(fileSource(sounds.path(LONG_FILE)));
      await otherRecorder.until("flowing");
      await other.close();
      await other.close();
      expect(otherRecorder.types()).toEqual(["flowing"]);
    });
  });
}
