import { invalidField, Problem } from "@kit/problem";
import { parseUid } from "../rfid/card.ts";
import type { CardReader, CardReaderEvent } from "../rfid/card-reader.ts";

export interface SimulatedCardReader extends CardReader {
  /** Places a card on the reader and removes the one that is present. */
  tap: (uid: string) => void;
  /** Removes the card, if one is present. */
  lift: () => void;
  /** Unplugs the reader. */
  unplug(): void;
  plugIn(): void;
}

const UNPLUGGED = "nfc: no card reader is connected";

/** A card reader without hardware. */
export function createSimulatedCardReader(): SimulatedCardReader {
  const listeners = new Set<(event: CardReaderEvent) => void>();
  let present: string | undefined;
  /** The card that was last reported to listeners. */
  let reported: string | undefined;
  let isOpen = false;
  let isPlugged = true;

  function emit(event: CardReaderEvent): void {
    for (const listener of listeners) listener(event);
  }

  function sync(): void {
    if (!isOpen || !isPlugged || reported === present) return;
    const former = reported;
    reported = present;
    if (former !== undefined) emit({ type: "lift", uid: former });
    if (present !== undefined) emit({ type: "tap", uid: present });
  }

  function place(uid: string | undefined): void {
    present = uid;
    sync();
  }

  return {
    start() {
      if (!isOpen) reported = present;
      isOpen = true;
      return isPlugged ? Promise.resolve() : Promise.reject(new Problem("failed", UNPLUGGED));
    },

    close() {
      isOpen = false;
      return Promise.resolve();
    },

    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    tap(text) {
      const uid = parseUid(text);
      if (uid === undefined) throw invalidField("tap", "must be 4, 7 or 10 bytes in hexadecimal");
      place(undefined);
      place(uid);
    },

    lift: () => place(undefined),

    unplug() {
      isPlugged = false;
      if (isOpen) emit({ type: "lost", why: UNPLUGGED });
    },

    plugIn() {
      isPlugged = true;
      if (isOpen) emit({ type: "back" });
      sync();
    },
  };
}
