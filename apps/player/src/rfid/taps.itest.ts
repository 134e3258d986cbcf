import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startVirtualReader, type VirtualReader } from "../../testing/virtual-reader.ts";
import { createPcscCardReader } from "../drivers/pcsc-card-reader.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import type { PlaybackStatus } from "../playback/playback.schema.ts";
import type { Target } from "../targets/target.schema.ts";
import { createTapsService } from "./taps.service.ts";

// Each round places seven cards: 7 in all, or 504.
const ROUNDS = process.env.PROVE === "full" ? 72 : 1;
const KINDS = ["known", "unknown", "repeated", "moved", "removed early", "pcscd killed"] as const;
type Kind = (typeof KINDS)[number];
const UNKNOWN = "08";
const STAYS = "05";
const clock = createClock();

let virtual: VirtualReader;

beforeAll(async () => {
  virtual = await startVirtualReader();
});

afterAll(() => virtual.stop());

/** Cards whose UID begins with 04 stop their source when they are removed, those with 05 let it continue. */
async function setUp() {
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const done: string[] = [];
  let playing: { type: "file"; path: string } | null = null;
  const run = async (target: Target) => {
    done.push(target.type === "file" ? `play ${target.path}` : "toggle");
    if (target.type === "file") playing = { type: "file", path: target.path };
  };
  const status = () => ({ state: playing ? "playing" : "stopped", source: playing }) as PlaybackStatus;
  const reader = createPcscCardReader({ clock, log: silentLog, socketPath: virtual.socketPath });
  const taps = createTapsService({
    reader,
    cards: {
      find: (uid) =>
        uid.startsWith(UNKNOWN)
          ? undefined
          : {
              uid,
              name: uid,
              binding: { type: "file", path: uid },
              on_repeat: "toggle",
              on_remove: uid.startsWith(STAYS) ? "continue" : "inherit",
            },
    },
    targets: { run },
    playback: {
      status,
      pause: () => true,
      stop: () => {
        playing = null;
        return done.push("stop") > 0;
      },
      isInterrupted: () => false,
      endInterruption: () => false,
    },
    card_removal: () => "stop",
    events,
    clock,
    log: silentLog,
  });
  await taps.start();
  expect(taps.failure()).toBeUndefined();

  async function until(what: string, isTrue: () => boolean): Promise<void> {
    const deadline = clock.deadline(20_000);
    while (!isTrue()) {
      if (deadline.aborted) throw new Error(`no ${what} after ${JSON.stringify(done.slice(-4))}`);
      await clock.sleep(5);
    }
  }

  const count = () => emitted.filter(({ type }) => type === "nfc").length;
  async function lay(uid: string): Promise<void> {
    const before = count();
    virtual.place(uid);
    await until("tap", () => count() === before + 1);
  }
  async function liftAndStop(): Promise<void> {
    const before = done.length;
    virtual.remove();
    await until("stop", () => done.length === before + 1);
  }
  /** Long enough for the reader to detect it, and for the removal to count. */
  async function lift(): Promise<void> {
    virtual.remove();
    await clock.sleep(1600);
  }
  async function restartPcscd(): Promise<void> {
    await virtual.kill();
    await until("failure", () => taps.failure() !== undefined);
    await virtual.start();
    await until("recovery", () => taps.failure() === undefined);
    await clock.sleep(500);
  }
  return { taps, emitted, done, count, lay, liftAndStop, lift, restartPcscd };
}

it(
  "acts once on every tap of a real reader",
  async () => {
    const { taps, emitted, done, count, lay, liftAndStop, lift, restartPcscd } = await setUp();
    const tapped: string[] = [];
    const expected: string[] = [];

    const acts: Record<Kind, (uid: string, round: number) => Promise<void>> = {
      async known(uid) {
        tapped.push(uid);
        expected.push(`play ${uid}`, "stop");
        await lay(uid);
        await liftAndStop();
      },
      async unknown(uid) {
        tapped.push(uid);
        await lay(uid);
        await lift();
      },
      async repeated(uid) {
        tapped.push(uid, uid);
        expected.push(`play ${uid}`, "toggle");
        await lay(uid);
        await lift();
        await lay(uid);
        await lift();
      },
      async moved(uid) {
        tapped.push(uid);
        expected.push(`play ${uid}`, "stop");
        await lay(uid);
        virtual.remove();
        virtual.place(uid);
        await clock.sleep(2500);
        await liftAndStop();
      },
      async "removed early"(uid, round) {
        const before = count();
        virtual.place(uid);
        // pcscd polls every 400 ms: it may detect the card, lose it while reading, or never detect it.
        await clock.sleep((round * 37) % 450);
        await lift();
        if (count() === before) return;
        tapped.push(uid);
        expected.push(`play ${uid}`, "stop");
      },
      async "pcscd killed"(uid) {
        tapped.push(uid);
        expected.push(`play ${uid}`, "stop");
        await lay(uid);
        await restartPcscd();
        await liftAndStop();
      },
    };
    const prefixOf = (kind: Kind) => (kind === "unknown" ? UNKNOWN : kind === "repeated" ? STAYS : "04");

    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, kind] of KINDS.entries()) {
        const number = (round * KINDS.length + index).toString(16).toUpperCase().padStart(6, "0");
        await acts[kind](`${prefixOf(kind)}${number}`, round);
      }
    }
    expect(done).toEqual(expected);
    expect(emitted.map(({ data }) => data)).toMatchObject(tapped.map((uid) => ({ uid })));
    await taps.close();
  },
  ROUNDS * 60_000,
);
