import { createClock } from "@kit/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CardReader, CardReaderEvent } from "../src/rfid/card-reader.ts";

/** A reader and cards that a test can place on it. */
export interface Desk {
  reader: CardReader;
  place(uid: string): void;
  remove(): void;
  /** Breaks the connection to the reader. */
  breakDown(): Promise<void>;
  repair(): Promise<void>;
  /** Removes the test environment; the reader is already closed. */
  clear(): Promise<void>;
}

const clock = createClock();
const FOUR_BYTES = "04A1B2C3";
const SEVEN_BYTES = "04A1B2C3D4E5F6";
const TEN_BYTES = "04A1B2C3D4E5F60718FF";
/** Longer than any reader needs to detect a card. */
const QUIET_MS = 1000;

export interface SeenByReader {
  events: CardReaderEvent[];
  /** Waits for this many events. */
  until(count: number): Promise<CardReaderEvent[]>;
}

/** Records every event of a reader. */
export function see(reader: CardReader): SeenByReader {
  const events: CardReaderEvent[] = [];
  reader.onEvent((event) => events.push(event));
  return {
    events,
    async until(count) {
      const deadline = clock.deadline(20_000);
      while (events.length < count) {
        if (deadline.aborted) throw new Error(`only ${JSON.stringify(events)}`);
        await clock.sleep(5);
      }
      return events;
    },
  };
}

/** The contract of every reader. */
export function describeCardReader(name: string, createDesk: () => Promise<Desk>): void {
  describe(name, () => {
    let desk: Desk;
    let seen: SeenByReader;

    beforeEach(async () => {
      desk = await createDesk();
      seen = see(desk.reader);
    });

    afterEach(async () => {
      await desk.reader.close();
      await desk.clear();
    });

    it("emits each tap and each lift once, in order, with UIDs of 4, 7 and 10 bytes", async () => {
      await desk.reader.start();
      for (const [index, uid] of [FOUR_BYTES, SEVEN_BYTES, TEN_BYTES, FOUR_BYTES].entries()) {
        desk.place(uid);
        await seen.until(2 * index + 1);
        desk.remove();
        await seen.until(2 * index + 2);
      }
      await clock.sleep(QUIET_MS);
      expect(seen.events).toEqual([
        { type: "tap", uid: "04A1B2C3" },
        { type: "lift", uid: "04A1B2C3" },
        { type: "tap", uid: "04A1B2C3D4E5F6" },
        { type: "lift", uid: "04A1B2C3D4E5F6" },
        { type: "tap", uid: "04A1B2C3D4E5F60718FF" },
        { type: "lift", uid: "04A1B2C3D4E5F60718FF" },
        { type: "tap", uid: "04A1B2C3" },
        { type: "lift", uid: "04A1B2C3" },
      ]);
    });

    it("emits the lift of a card that is replaced by another", async () => {
      await desk.reader.start();
      desk.place(FOUR_BYTES);
      await seen.until(1);
      desk.place(SEVEN_BYTES);
      expect(await seen.until(3)).toEqual([
        { type: "tap", uid: FOUR_BYTES },
        { type: "lift", uid: FOUR_BYTES },
        { type: "tap", uid: SEVEN_BYTES },
      ]);
    });

    it("does not count a card that is already present as a tap", async () => {
      desk.place(FOUR_BYTES);
      await clock.sleep(QUIET_MS);
      await desk.reader.start();
      await desk.reader.start();
      await clock.sleep(QUIET_MS);
      expect(seen.events).toEqual([]);
      desk.remove();
      expect(await seen.until(1)).toEqual([{ type: "lift", uid: FOUR_BYTES }]);
    });

    it("emits nothing after it was closed, and can be started again", async () => {
      await desk.reader.start();
      await desk.reader.close();
      await desk.reader.close();
      desk.place(FOUR_BYTES);
      await clock.sleep(QUIET_MS);
      expect(seen.events).toEqual([]);
      await desk.reader.start();
      desk.remove();
      expect(await seen.until(1)).toEqual([{ type: "lift", uid: FOUR_BYTES }]);
    });

    it("neither lifts nor taps a card that stayed through an outage", async () => {
      await desk.reader.start();
      desk.place(FOUR_BYTES);
      await seen.until(1);
      await desk.breakDown();
      await seen.until(2);
      await desk.repair();
      await seen.until(3);
      await clock.sleep(QUIET_MS);
      expect(seen.events).toMatchObject([
        { type: "tap" },
        { type: "lost", why: expect.stringMatching(/^nfc: /) },
        { type: "back" },
      ]);
      desk.remove();
      expect((await seen.until(4)).at(-1)).toEqual({ type: "lift", uid: FOUR_BYTES });
    });

    it("emits after an outage which card was placed and which one was removed", async () => {
      await desk.reader.start();
      desk.place(FOUR_BYTES);
      await seen.until(1);
      await desk.breakDown();
      desk.place(SEVEN_BYTES);
      await seen.until(2);
      await desk.repair();
      expect((await seen.until(5)).slice(2)).toEqual([
        { type: "back" },
        { type: "lift", uid: FOUR_BYTES },
        { type: "tap", uid: SEVEN_BYTES },
      ]);
    });

    it("rejects at start when it is disconnected, and emits back when it works", async () => {
      await desk.breakDown();
      await expect(desk.reader.start()).rejects.toThrow(/^nfc: /);
      await desk.repair();
      await seen.until(1);
      desk.place(TEN_BYTES);
      expect(await seen.until(2)).toEqual([{ type: "back" }, { type: "tap", uid: TEN_BYTES }]);
    });
  });
}
