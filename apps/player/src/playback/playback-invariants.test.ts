import { Problem } from "@kit/problem";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createHandPlayback } from "../../testing/hand-playback.ts";

type Hand = ReturnType<typeof createHandPlayback>;
type Step = (hand: Hand) => unknown;

const DURATION = 60_000;

const steps = fc.oneof(
  ...[
    (hand: Hand) => hand.playback.play({ path: "Husary/002.mp3" }),
    (hand: Hand) => hand.playback.play({ path: "azan.mp3" }),
    (hand: Hand) => hand.playback.play({ url: "http://radio.example/" }),
    (hand: Hand) => hand.playback.pause(),
    (hand: Hand) => hand.playback.resume(),
    (hand: Hand) => hand.playback.stop(),
    (hand: Hand) => hand.playback.next(),
    (hand: Hand) => hand.playback.prev(),
    (hand: Hand) => hand.playback.resumeSaved(),
    (hand: Hand) => hand.playback.cardPulled(),
    (hand: Hand) => void hand.playback.interrupt({ path: "/card/azan.mp3", name: "azan.mp3", volume: 80 }),
    (hand: Hand) => hand.playback.endInterruption(),
    (hand: Hand) => hand.playback.setSleepTimer(1),
    (hand: Hand) => hand.playback.fadeIn(20),
    (hand: Hand) => hand.playback.setMode({ mode: "off" }),
    (hand: Hand) => hand.playback.setMode({ mode: "continuous" }),
    (hand: Hand) => hand.playback.setMode({ mode: "hifz_repeat", repeat: 2, pause_s: 2 }),
    (hand: Hand) => hand.playback.setMode({ mode: "hifz_ab", ab: { from: 1, to: 5 }, pause_s: 1 }),
    (hand: Hand) => hand.engine.tell("flowing"),
    (hand: Hand) => hand.engine.tell("silent"),
    (hand: Hand) => hand.engine.tell("ended"),
    (hand: Hand) => hand.engine.tell("failed", "broken"),
    (hand: Hand) => hand.engine.tell("underrun"),
    (hand: Hand) => hand.engine.live({ type: "lost" }),
    (hand: Hand) => hand.engine.live({ type: "back" }),
    (hand: Hand) => hand.engine.live({ type: "gone", why: "audio: gone" }),
    (hand: Hand) => hand.streams.at(-1)?.send({ type: "ready", location: "http://127.0.0.1:1/a" }),
    (hand: Hand) => hand.streams.at(-1)?.send({ type: "waiting", retryInMs: 2000 }),
    (hand: Hand) => hand.streams.at(-1)?.send({ type: "failed", problem: new Problem("unavailable", "url: away") }),
  ].map((step) => fc.constant<Step>(step)),
  fc.integer({ min: 0, max: DURATION * 2 }).map<Step>((ms) => (hand) => hand.playback.seek(ms)),
  fc.integer({ min: 0, max: 40_000 }).map<Step>((ms) => (hand) => hand.clock.advance(ms)),
);

async function take(step: Step, hand: Hand): Promise<void> {
  try {
    await step(hand);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  hand.engine.at({ positionMs: Math.min(hand.engine.place().positionMs, DURATION), durationMs: DURATION });
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
  // At most one stream is open, and only while a stream is to be heard.
  const open = streams.filter(({ calls }) => !calls.includes("close")).length;
  expect(open).toBeLessThanOrEqual(mode === "stream" && state !== "paused" ? 1 : 0);
}

it("makes sense after every step, whatever listeners, the engine and the network do", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40 }), async (taken) => {
      const hand = createHandPlayback();
      for (const step of taken) {
        await take(step, hand);
        expectSense(hand);
      }
      hand.playback.stop();
      expect(hand.playback.status()).toMatchObject({ state: "stopped", volume: 50 });
      expect(hand.playback.isInterrupted()).toBe(false);
      expect(hand.engine.commands.filter((command) => command.startsWith("volume")).at(-1) ?? "volume 50").toBe(
        "volume 50",
      );
      hand.database.close();
    }),
    { numRuns: 150 },
  );
}, 30_000);
