import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { invalidField } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { STOPPED } from "../../testing/playback-status.ts";
import { createSimulatedCardReader } from "../drivers/simulated-card-reader.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import type { PlaybackStatus } from "../playback/playback.schema.ts";
import type { Target } from "../targets/target.schema.ts";
import type { CardBody } from "./cards.schema.ts";
import { createTapsService } from "./taps.service.ts";

const BEDTIME = "04A1B2C3";
const RADIO = "04D4E5F6";
const LOUDER = "04070809";
const UNKNOWN = "04A1B2C3D4E5F6";
const SURAH = { type: "surah", reciter: "Husary", surah: 2 } as const;
const STREAM = { type: "stream", url: "http://radio.example/live", name: "" } as const;
const VOLUME = { type: "command", command: "volume", value: 70 } as const;

/** Cards on a simulated reader, and a playback that executes commands immediately unless a test delays it. */
async function setUp(more: Partial<CardBody> = {}, reader = createSimulatedCardReader()) {
  const clock = createFakeClock();
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const done: string[] = [];
  const known = [
    buildCard(BEDTIME, SURAH, more),
    buildCard(RADIO, STREAM, more),
    buildCard(LOUDER, VOLUME, { on_remove: "stop" }),
  ];
  const world = {
    state: "stopped" as PlaybackStatus["state"],
    source: null as PlaybackStatus["source"],
    card_removal: "continue" as "continue" | "pause" | "stop",
    isInterrupted: false,
    refusal: undefined as Error | undefined,
    held: undefined as Promise<void> | undefined,
  };
  const status = (): PlaybackStatus => ({ ...STOPPED, state: world.state, source: world.source });

  async function run(target: Target): Promise<void> {
    await world.held;
    if (world.refusal) throw world.refusal;
    done.push(target.type === "command" ? target.command : target.type);
    if (target.type === "command" && target.command === "toggle") {
      world.state = world.state === "playing" ? "paused" : "playing";
    } else if (target.type === "surah" || target.type === "stream") {
      Object.assign(world, { state: "playing", source: target });
    }
  }

  const taps = createTapsService({
    reader,
    cards: { find: (uid) => known.find((card) => card.uid === uid) },
    targets: { run },
    playback: {
      status,
      pause: () => {
        world.state = "paused";
        return done.push("pause") > 0;
      },
      stop: () => {
        world.state = "stopped";
        return done.push("stop") > 0;
      },
      isInterrupted: () => world.isInterrupted,
      endInterruption: () => {
        world.isInterrupted = false;
        return done.push("end of the adhan") > 0;
      },
    },
    card_removal: () => world.card_removal,
    events,
    clock,
    log: silentLog,
  });
  await taps.start();

  async function tap(uid: string): Promise<void> {
    reader.tap(uid);
    await clock.advance(0);
  }
  /** Long enough for the same card to count as a new tap. */
  async function tapAndLift(uid: string): Promise<void> {
    await tap(uid);
    reader.lift();
    await clock.advance(2000);
  }
  return { taps, reader, clock, world, done, emitted, tap, tapAndLift };
}

function buildCard(uid: string, binding: Target, more: Partial<CardBody>): CardBody {
  return { uid, name: `card ${uid}`, binding, on_repeat: "toggle", on_remove: "inherit", ...more };
}

describe("a tap", () => {
  it("runs the card's binding, and is emitted to all clients", async () => {
    const { done, emitted, tap } = await setUp();
    await tap(BEDTIME);
    expect(done).toEqual(["surah"]);
    expect(emitted).toEqual([{ type: "nfc", data: { uid: BEDTIME, uid_len: 4, registered: true, age_ms: 0 } }]);
  });

  it("a tap of an unknown card is emitted, and does nothing", async () => {
    const { done, emitted, tap } = await setUp();
    await tap(UNKNOWN);
    expect(done).toEqual([]);
    expect(emitted).toEqual([{ type: "nfc", data: { uid: UNKNOWN, uid_len: 7, registered: false, age_ms: 0 } }]);
  });

  it("a tap is the answer of a scan, with an age that does not depend on the wall clock", async () => {
    const { taps, clock, tap } = await setUp();
    expect(taps.scan()).toEqual({ uid: "", uid_len: 0, registered: false, age_ms: -1 });
    await tap(UNKNOWN);
    await clock.advance(2500);
    clock.jumpTo(new Date("2001-01-01T00:00:00Z"));
    expect(taps.scan()).toEqual({ uid: UNKNOWN, uid_len: 7, registered: false, age_ms: 2500 });
  });

  it("a tap is erased by a reset", async () => {
    const { taps, reader, clock, done, tap } = await setUp({ on_remove: "stop" });
    await tap(BEDTIME);
    taps.forget();
    expect(taps.scan()).toEqual({ uid: "", uid_len: 0, registered: false, age_ms: -1 });
    reader.lift();
    await clock.advance(5000);
    expect(done).toEqual(["surah"]);
  });

  it("a tap of the same card counts again after 1.5 s", async () => {
    const { reader, clock, done, emitted, tap } = await setUp();
    await tap(BEDTIME);
    reader.lift();
    await clock.advance(1499);
    await tap(BEDTIME);
    expect(emitted).toHaveLength(1);
    reader.lift();
    await clock.advance(801);
    await tap(BEDTIME);
    expect(done).toEqual(["surah", "toggle"]);
    expect(emitted).toHaveLength(2);
  });

  it("a tap of another card counts immediately", async () => {
    const { done, tap } = await setUp();
    await tap(BEDTIME);
    await tap(RADIO);
    await tap(BEDTIME);
    expect(done).toEqual(["surah", "stream", "surah"]);
  });

  it("ends an adhan and does nothing else, for any card", async () => {
    const { world, done, emitted, tap } = await setUp();
    world.isInterrupted = true;
    await tap(BEDTIME);
    expect(done).toEqual(["end of the adhan"]);
    expect(emitted).toMatchObject([{ type: "nfc", data: { uid: BEDTIME } }]);
    await tap(RADIO);
    expect(done).toEqual(["end of the adhan", "stream"]);
  });

  it("emits an error with the reason when its binding fails", async () => {
    const { world, emitted, tap, tapAndLift } = await setUp();
    world.refusal = invalidField("target", "surah 2 of 'Husary' is not on the card");
    await tapAndLift(BEDTIME);
    world.refusal = new Error("secret");
    await tap(BEDTIME);
    expect(emitted.filter(({ type }) => type === "error").map(({ data }) => data)).toEqual([
      { code: "nfc", message: `card 'card ${BEDTIME}': target: surah 2 of 'Husary' is not on the card` },
      { code: "nfc", message: `card 'card ${BEDTIME}': it cannot be done` },
    ]);
  });
});

describe("a repeated tap", () => {
  it.each([
    ["toggle", ["surah", "toggle", "toggle"]],
    ["restart", ["surah", "surah", "surah"]],
    ["next", ["surah", "next", "next"]],
    ["ignore", ["surah"]],
  ] as const)("a repeated tap does what %s says while the card's source is current", async (on_repeat, expected) => {
    const { done, tapAndLift } = await setUp({ on_repeat });
    for (let i = 0; i < 3; i += 1) await tapAndLift(BEDTIME);
    expect(done).toEqual(expected);
  });

  it("counts as repeated also when the recitation has advanced to another surah", async () => {
    const { world, done, tapAndLift } = await setUp();
    await tapAndLift(BEDTIME);
    world.source = { ...SURAH, surah: 3 };
    await tapAndLift(BEDTIME);
    expect(done).toEqual(["surah", "toggle"]);
  });

  it("starts the card's source again when it has ended, or another one is playing", async () => {
    const { world, done, tapAndLift } = await setUp();
    await tapAndLift(BEDTIME);
    world.state = "stopped";
    await tapAndLift(BEDTIME);
    world.source = STREAM;
    await tapAndLift(BEDTIME);
    await tapAndLift(RADIO);
    await tapAndLift(BEDTIME);
    expect(done).toEqual(["surah", "surah", "surah", "stream", "surah"]);
  });

  it("a repeated tap of a command card repeats the command, and leaves the other card's source current", async () => {
    const { done, tapAndLift } = await setUp();
    await tapAndLift(BEDTIME);
    await tapAndLift(LOUDER);
    await tapAndLift(LOUDER);
    await tapAndLift(BEDTIME);
    expect(done).toEqual(["surah", "volume", "volume", "toggle"]);
  });
});

describe("lifting a card", () => {
  it.each([
    ["inherit", "continue", ["surah"]],
    ["inherit", "pause", ["surah", "pause"]],
    ["inherit", "stop", ["surah", "stop"]],
    ["continue", "stop", ["surah"]],
    ["pause", "continue", ["surah", "pause"]],
    ["stop", "continue", ["surah", "stop"]],
  ] as const)("with %s under the setting %s does %j", async (on_remove, card_removal, expected) => {
    const { world, done, tapAndLift } = await setUp({ on_remove });
    world.card_removal = card_removal;
    await tapAndLift(BEDTIME);
    expect(done).toEqual(expected);
  });

  it("counts after 800 ms", async () => {
    const { reader, clock, done, tap } = await setUp({ on_remove: "pause" });
    await tap(BEDTIME);
    reader.lift();
    await clock.advance(799);
    expect(done).toEqual(["surah"]);
    await clock.advance(1);
    expect(done).toEqual(["surah", "pause"]);
  });

  it("and placing it again within 800 ms is neither a removal nor a tap", async () => {
    const { reader, clock, done, emitted, tap } = await setUp({ on_remove: "pause" });
    await tap(BEDTIME);
    await clock.advance(60_000);
    reader.lift();
    await clock.advance(799);
    await tap(BEDTIME);
    await clock.advance(60_000);
    expect(done).toEqual(["surah"]);
    expect(emitted).toHaveLength(1);
  });

  it("does not affect the source of another card", async () => {
    const { clock, done, tap } = await setUp({ on_remove: "stop" });
    await tap(BEDTIME);
    await tap(RADIO);
    await clock.advance(5000);
    expect(done).toEqual(["surah", "stream"]);
  });

  it("does not affect a source that was started otherwise in the meantime", async () => {
    const { world, reader, clock, done, tap } = await setUp({ on_remove: "stop" });
    await tap(BEDTIME);
    world.source = STREAM;
    reader.lift();
    await clock.advance(5000);
    expect(done).toEqual(["surah"]);
  });

  it("before its source has begun stops the source as soon as it begins", async () => {
    const { world, done, tapAndLift, clock } = await setUp({ on_remove: "stop" });
    let begin = (): void => undefined;
    world.held = new Promise((resolve) => {
      begin = resolve;
    });
    await tapAndLift(BEDTIME);
    expect(done).toEqual([]);
    begin();
    await clock.advance(0);
    expect(done).toEqual(["surah", "stop"]);
  });

  it("does nothing for an unknown card, or a card with only commands", async () => {
    const { world, done, tapAndLift } = await setUp({ on_remove: "stop" });
    Object.assign(world, { state: "playing", source: STREAM });
    await tapAndLift(UNKNOWN);
    await tapAndLift(LOUDER);
    expect(done).toEqual(["volume"]);
  });
});

describe("the reader", () => {
  it("reports a failure when it is lost, until it is back", async () => {
    const { taps, reader } = await setUp();
    expect(taps.failure()).toBeUndefined();
    reader.unplug();
    expect(taps.failure()).toEqual({ component: "nfc", error: "no card reader is connected" });
    reader.plugIn();
    expect(taps.failure()).toBeUndefined();
  });

  it("reports a failure when it does not start, until it is available", async () => {
    const reader = createSimulatedCardReader();
    reader.unplug();
    const { taps, done, tap } = await setUp({}, reader);
    expect(taps.failure()).toEqual({ component: "nfc", error: "no card reader is connected" });
    reader.plugIn();
    expect(taps.failure()).toBeUndefined();
    await tap(BEDTIME);
    expect(done).toEqual(["surah"]);
  });

  it("emits nothing after close, and a pending removal is dropped", async () => {
    const { taps, reader, clock, done, tap } = await setUp({ on_remove: "stop" });
    await tap(BEDTIME);
    reader.lift();
    await taps.close();
    await clock.advance(5000);
    await tap(RADIO);
    expect(done).toEqual(["surah"]);
  });
});
