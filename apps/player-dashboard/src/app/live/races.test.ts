import type { PlaybackStatus } from "@player/service/contract/playback";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createHandClock } from "../../../testing/manual-clock.ts";
import { createHandSockets } from "../../../testing/manual-socket.ts";
import { statusWith } from "../../../testing/playback-status.ts";
import { createLive } from "./live.ts";

const RACES = 1000;
const SEED = 17;

type VisibleStatus = Pick<PlaybackStatus, "state" | "volume" | "advance_mode" | "track">;
type Frame = readonly [type: string, data: object];

interface Command {
  /** What the page shows before the device responds. */
  change: Partial<VisibleStatus>;
  /** The states that the device goes through, one frame each. */
  effects: readonly Frame[];
}

/** `broken.mp3` stops by itself, and the device refuses a volume over 90. */
function commandOf(number: number): Command {
  const volume = number % 100;
  switch (number % 6) {
    case 0:
      return { change: { state: "paused" }, effects: [["playback", { state: "paused" }]] };
    case 1:
      return { change: { state: "stopped" }, effects: [["playback", { state: "stopped" }]] };
    case 2:
      return { change: { volume }, effects: volume > 90 ? [] : [["volume", { volume }]] };
    case 3:
      return { change: { advance_mode: "continuous" }, effects: [["mode", { mode: "continuous" }]] };
    case 4: {
      const change = { state: "playing", track: "broken.mp3" } as const;
      const stopped = { state: "stopped", track: "broken.mp3" };
      return {
        change,
        effects: [
          ["playback", change],
          ["playback", stopped],
        ],
      };
    }
    default: {
      const change = { state: "playing", track: `${number}.mp3` } as const;
      return { change, effects: [["playback", change]] };
    }
  }
}

/** One page, its device, another client, and a network that delivers in any order that TCP allows. */
function openWorld() {
  const clock = createHandClock();
  const sockets = createHandSockets();
  const api = { get: () => Promise.reject(new Error("not asked here")) };
  const live = createLive({ api, openSocket: () => sockets.open(), after: clock.after, nowMs: clock.nowMs });
  let device = statusWith({ state: "playing", track: "1.mp3" });
  let isConnected = true;
  let frames: Frame[] = [];
  const requests: { command: Command; answer: (error?: Error) => void }[] = [];
  const answers: (() => void)[] = [];
  const greet = () => sockets.say("hello", { version: "1.0.0", boot_id: "b", playback: device, error: null });
  greet();

  function obey({ effects }: Command): void {
    for (const [type, data] of effects) {
      device = { ...device, ...("mode" in data ? { advance_mode: "continuous" } : data) };
      if (isConnected) frames.push([type, type === "playback" ? device : data]);
    }
  }

  const steps = {
    ask(number: number) {
      const command = commandOf(number);
      const request = () =>
        new Promise<void>((resolve, reject) => {
          requests.push({ command, answer: (error) => (error ? reject(error) : resolve()) });
        });
      const asked = live.playback.attempt(command.change, request);
      asked.catch(() => undefined);
    },
    other: (number: number) => obey(commandOf(number)),
    process(number: number) {
      const [request] = requests.splice(number % Math.max(1, requests.length), 1);
      if (!request) return;
      obey(request.command);
      const refusal = request.command.effects.length === 0 ? new Error("refused") : undefined;
      answers.push(() => request.answer(refusal));
    },
    deliver() {
      const frame = frames.shift();
      if (frame) sockets.say(frame[0], frame[1]);
    },
    answer: (number: number) => answers.splice(number % Math.max(1, answers.length), 1)[0]?.(),
    cut() {
      if (!isConnected) {
        clock.pass(10_000);
        isConnected = true;
        greet();
        return;
      }
      isConnected = false;
      frames = [];
      sockets.drop();
    },
  };
  return {
    live,
    steps,
    device: () => device,
    /** Delivers all pending messages, in either order. */
    async settle(framesFirst: boolean) {
      while (requests.length > 0) steps.process(0);
      const deliverAll = () => {
        while (frames.length > 0) steps.deliver();
      };
      if (framesFirst) deliverAll();
      while (answers.length > 0) steps.answer(0);
      await turn();
      deliverAll();
      if (!isConnected) steps.cut();
    },
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const STEPS = ["ask", "ask", "other", "process", "process", "deliver", "deliver", "answer", "answer", "cut"] as const;

it(`ends with the device's truth after ${RACES} races of answers and events`, async () => {
  const step = fc.tuple(fc.constantFrom(...STEPS), fc.nat(99_999));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 40 }), fc.boolean(), async (race, framesFirst) => {
      const { live, steps, device, ...world } = openWorld();
      for (const [name, number] of race) {
        steps[name](number);
        await turn();
      }
      await world.settle(framesFirst);
      expect(live.playback.view.value).toEqual(device());
    }),
    { seed: SEED, numRuns: RACES },
  );
});
