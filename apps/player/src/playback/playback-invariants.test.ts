import process from "node:process";
import { Problem } from "@kit/problem";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createPlaybackBench } from "../../testing/playback-bench.ts";

type PlaybackBench = ReturnType<typeof createPlaybackBench>;
type Step = (bench: PlaybackBench) => unknown;

const DURATION = 60_000;

const steps = fc.oneof(
  ...[
    (bench: PlaybackBench) => bench.playback.play({ path: "Husary/002.mp3" }),
    (bench: PlaybackBench) => bench.playback.play({ path: "azan.mp3" }),
    (bench: PlaybackBench) => bench.playback.play({ url: "http://radio.example/" }),
    (bench: PlaybackBench) => bench.playback.pause(),
    (bench: PlaybackBench) => bench.playback.resume(),
    (bench: PlaybackBench) => bench.playback.stop(),
    (bench: PlaybackBench) => bench.playback.next(),
    (bench: PlaybackBench) => bench.playback.prev(),
    (bench: PlaybackBench) => bench.playback.resumeSaved(),
    (bench: PlaybackBench) => bench.playback.cardRemoved(),
    (bench: PlaybackBench) => void bench.playback.interrupt({ path: "/card/azan.mp3", name: "azan.mp3", volume: 80 }),
    (bench: PlaybackBench) => bench.playback.endInterruption(),
    (bench: PlaybackBench) => bench.playback.setSleepTimer(1),
    (bench: PlaybackBench) => bench.playback.fadeIn(20),
    (bench: PlaybackBench) => bench.playback.setMode({ mode: "off" }),
    (bench: PlaybackBench) => bench.playback.setMode({ mode: "continuous" }),
    (bench: PlaybackBench) => bench.playback.setMode({ mode: "hifz_repeat", repeat: 2, pause_s: 2 }),
    (bench: PlaybackBench) => bench.playback.setMode({ mode: "hifz_ab", ab: { from: 1, to: 5 }, pause_s: 1 }),
    (bench: PlaybackBench) => bench.engine.emit("flowing"),
    (bench: PlaybackBench) => bench.engine.emit("silent"),
    (bench: PlaybackBench) => bench.engine.emit("ended"),
    (bench: PlaybackBench) => bench.engine.emit("failed", "broken"),
    (bench: PlaybackBench) => bench.engine.emit("underrun"),
    (bench: PlaybackBench) => bench.engine.emitLife({ type: "lost" }),
    (bench: PlaybackBench) => bench.engine.emitLife({ type: "back" }),
    (bench: PlaybackBench) => bench.engine.emitLife({ type: "gone", why: "audio: gone" }),
    (bench: PlaybackBench) => bench.streams.at(-1)?.send({ type: "ready", location: "http://127.0.0.1:1/a" }),
    (bench: PlaybackBench) => bench.streams.at(-1)?.send({ type: "waiting", retryInMs: 2000 }),
    (bench: PlaybackBench) =>
      bench.streams.at(-1)?.send({ type: "failed", problem: new Problem("unavailable", "url: unreachable") }),
  ].map((step) => fc.constant<Step>(step)),
  fc.integer({ min: 0, max: DURATION * 2 }).map<Step>((ms) => (bench) => bench.playback.seek(ms)),
  fc.integer({ min: 0, max: 40_000 }).map<Step>((ms) => (bench) => bench.clock.advance(ms)),
);

async function take(step: Step, bench: PlaybackBench): Promise<void> {
  try {
    await step(bench);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  bench.engine.at({ positionMs: Math.min(bench.engine.place().positionMs, DURATION), durationMs: DURATION });
}

function expectSense({ playback, streams }: PlaybackBench): void {
  const { state, mode, position, duration, advance_mode, hifz, source, retry_in_s, volume } = playback.status();
  expect(mode === "idle").toBe(state === "stopped");
  if (!playback.isInterrupted()) expect(source === null && state !== "stopped").toBe(false);
  expect(hifz !== undefined).toBe(advance_mode.startsWith("hifz"));
  if (hifz?.waiting) expect(state).toBe("playing");
  expect(position).toBeGreaterThanOrEqual(0);
  if (duration > 0) expect(position).toBeLessThanOrEqual(duration);
  if (state === "stopped" || state === "paused") expect(retry_in_s).toBeNull();
  if (!playback.isInterrupted()) expect(volume).toBe(50);
  // At most one stream is open, and only while a stream should play.
  const open = streams.filter(({ calls }) => !calls.includes("close")).length;
  expect(open).toBeLessThanOrEqual(mode === "stream" && state !== "paused" ? 1 : 0);
}

it("is consistent after every step, whatever listeners, the engine and the network do", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40 }), async (taken) => {
      const bench = createPlaybackBench();
      for (const step of taken) {
        await take(step, bench);
        expectSense(bench);
      }
      bench.playback.stop();
      expect(bench.playback.status()).toMatchObject({ state: "stopped", volume: 50 });
      expect(bench.playback.isInterrupted()).toBe(false);
      expect(bench.engine.commands.filter((command) => command.startsWith("volume")).at(-1) ?? "volume 50").toBe(
        "volume 50",
      );
      bench.database.close();
    }),
    { numRuns: process.env.PROVE === "full" ? 1000 : 50 },
  );
}, 30_000);
