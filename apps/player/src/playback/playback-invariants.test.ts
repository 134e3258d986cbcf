import { Problem } from "@kit/problem";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createPlaybackBench } from "../../testing/playback-bench.ts";

type Hand = ReturnType<typeof createPlaybackBench>;
type Step = (bench: Hand) => unknown;

const DURATION = 60_000;

const steps = fc.oneof(
  ...[
    (bench: Hand) => bench.playback.play({ path: "Husary/002.mp3" }),
    (bench: Hand) => bench.playback.play({ path: "azan.mp3" }),
    (bench: Hand) => bench.playback.play({ url: "http://radio.example/" }),
    (bench: Hand) => bench.playback.pause(),
    (bench: Hand) => bench.playback.resume(),
    (bench: Hand) => bench.playback.stop(),
    (bench: Hand) => bench.playback.next(),
    (bench: Hand) => bench.playback.prev(),
    (bench: Hand) => bench.playback.resumeSaved(),
    (bench: Hand) => bench.playback.cardRemoved(),
    (bench: Hand) => void bench.playback.interrupt({ path: "/card/azan.mp3", name: "azan.mp3", volume: 80 }),
    (bench: Hand) => bench.playback.endInterruption(),
    (bench: Hand) => bench.playback.setSleepTimer(1),
    (bench: Hand) => bench.playback.fadeIn(20),
    (bench: Hand) => bench.playback.setMode({ mode: "off" }),
    (bench: Hand) => bench.playback.setMode({ mode: "continuous" }),
    (bench: Hand) => bench.playback.setMode({ mode: "hifz_repeat", repeat: 2, pause_s: 2 }),
    (bench: Hand) => bench.playback.setMode({ mode: "hifz_ab", ab: { from: 1, to: 5 }, pause_s: 1 }),
    (bench: Hand) => bench.engine.emit("flowing"),
    (bench: Hand) => bench.engine.emit("silent"),
    (bench: Hand) => bench.engine.emit("ended"),
    (bench: Hand) => bench.engine.emit("failed", "broken"),
    (bench: Hand) => bench.engine.emit("underrun"),
    (bench: Hand) => bench.engine.emitLife({ type: "lost" }),
    (bench: Hand) => bench.engine.emitLife({ type: "back" }),
    (bench: Hand) => bench.engine.emitLife({ type: "gone", why: "audio: gone" }),
    (bench: Hand) => bench.streams.at(-1)?.send({ type: "ready", location: "http://127.0.0.1:1/a" }),
    (bench: Hand) => bench.streams.at(-1)?.send({ type: "waiting", retryInMs: 2000 }),
    (bench: Hand) => bench.streams.at(-1)?.send({ type: "failed", problem: new Problem("unavailable", "url: away") }),
  ].map((step) => fc.constant<Step>(step)),
  fc.integer({ min: 0, max: DURATION * 2 }).map<Step>((ms) => (bench) => bench.playback.seek(ms)),
  fc.integer({ min: 0, max: 40_000 }).map<Step>((ms) => (bench) => bench.clock.advance(ms)),
);

async function take(step: Step, bench: Hand): Promise<void> {
  try {
    await step(bench);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  bench.engine.at({ positionMs: Math.min(bench.engine.place().positionMs, DURATION), durationMs: DURATION });
}

function expectSense({ playback, streams }: Hand): void {
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

it("makes sense after every step, whatever listeners, the engine and the network do", async () => {
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
    { numRuns: 150 },
  );
}, 30_000);
