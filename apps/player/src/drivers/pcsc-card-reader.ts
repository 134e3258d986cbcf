import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { parseUid } from "../rfid/card.ts";
import type { CardReader, CardReaderEvent } from "../rfid/card-reader.ts";
import { openPcscWatch, transmitPcsc } from "./pcsc-client.ts";
import type { PcscReader } from "./pcsc-messages.ts";

export interface PcscCardReaderDeps {
  clock: Pick<Clock, "deadline" | "sleep">;
  log: Pick<Log, "info" | "warn">;
  /** The path of pcscd's socket. */
  socketPath?: string | undefined;
}

/** The last known state of a reader. */
interface ReaderSnapshot {
  /** Undefined after an outage, because events in between were not counted. */
  eventCounter: number | undefined;
  /** Undefined when there is no card, or a card without a UID. */
  uid: string | undefined;
}

interface Change {
  name: string;
  /** Undefined when the reader is new. */
  former: ReaderSnapshot | undefined;
  now: ReaderSnapshot;
}

/** Everything between start and close. */
interface Run {
  stop: AbortController;
  opened: Promise<void>;
}

/** The command "Get data", which returns the UID here (PC/SC workgroup, part 3, section 3.2.2.1.3). */
const GET_UID = Buffer.from("ffca000000", "hex");
const STATUS_OK = "9000";
const READ_TRIES = 3;
const READ_PAUSE_MS = 100;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 10_000;

/** Combines all readers of pcscd into one. */
export function createPcscCardReader(deps: PcscCardReaderDeps): CardReader {
  const { clock, log, socketPath = "/run/pcscd/pcscd.comm" } = deps;
  const pcsc = { socketPath, clock };
  const listeners = new Set<(event: CardReaderEvent) => void>();
  const seen = new Map<string, ReaderSnapshot>();
  let running: Run | undefined;

  function emit(event: CardReaderEvent): void {
    for (const listener of listeners) listener(event);
  }

  function begin(): Run {
    const stop = new AbortController();
    const opened = new Promise<void>((resolve, reject) => {
      const decide = (problem?: Problem) => (problem ? reject(problem) : resolve());
      stop.signal.addEventListener("abort", () => decide(new Problem("failed", "nfc: the reader was closed")));
      void keepWatching(createHealth(decide), stop.signal);
    });
    return { stop, opened };
  }

  /** The first result goes to the caller of start, later ones to the listeners. */
  function createHealth(decide: (problem?: Problem) => void) {
    let isUsable: boolean | undefined;
    return {
      isUsable: () => isUsable === true,
      become(problem?: Problem): void {
        const wasUsable = isUsable;
        isUsable = !problem;
        if (wasUsable === undefined) decide(problem);
        else if (problem && wasUsable) {
          log.warn({ why: problem.message }, "card reader lost");
          emit({ type: "lost", why: problem.message });
        } else if (!problem && !wasUsable) {
          log.info({}, "card reader reconnected");
          emit({ type: "back" });
        }
      },
    };
  }
  type Health = ReturnType<typeof createHealth>;

  async function keepWatching(health: Health, signal: AbortSignal): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!signal.aborted) {
      const problem = await catchProblem(watch(health, signal));
      if (signal.aborted) return;
      if (health.isUsable()) waitMs = FIRST_WAIT_MS;
      health.become(problem);
      await pause(waitMs, signal);
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
    }
  }

  /** Runs until pcscd disconnects, which is a Problem, or until it is aborted. */
  async function watch(health: Health, signal: AbortSignal): Promise<void> {
    const pcscd = await openPcscWatch(pcsc);
    signal.addEventListener("abort", pcscd.close);
    try {
      forgetCounters(() => true);
      for (;;) {
        const readers = await pcscd.readers();
        forgetCounters((name) => !readers.some((reader) => reader.name === name));
        const changes = await findChanges(readers);
        if (signal.aborted) return;
        health.become(readers.length > 0 ? undefined : new Problem("failed", "nfc: no card reader is connected"));
        for (const change of changes) applyChange(change);
        await pcscd.changed();
      }
    } finally {
      signal.removeEventListener("abort", pcscd.close);
      pcscd.close();
    }
  }

  /** pcscd restarts its counters after its own restart, and for a reader that was plugged in again. */
  function forgetCounters(isMissing: (name: string) => boolean): void {
    for (const [name, what] of seen) if (isMissing(name)) what.eventCounter = undefined;
  }

  async function findChanges(readers: readonly PcscReader[]): Promise<Change[]> {
    const changes: Change[] = [];
    for (const { name, isCardPresent, eventCounter } of readers) {
      const former = seen.get(name);
      if (former?.eventCounter === eventCounter) continue;
      const uid = isCardPresent ? await readUid(name) : undefined;
      changes.push({ name, former, now: { eventCounter, uid } });
    }
    return changes;
  }

  function applyChange({ name, former, now }: Change): void {
    seen.set(name, now);
    // A card that is present when a reader first appears is not a tap; a card that stayed through an outage was not
    // lifted.
    if (!former || (former.eventCounter === undefined && former.uid === now.uid)) return;
    if (former.uid !== undefined) emit({ type: "lift", uid: former.uid });
    if (now.uid !== undefined) emit({ type: "tap", uid: now.uid });
  }

  /** Reading a card that is still moving may need a second attempt. */
  async function readUid(reader: string): Promise<string | undefined> {
    for (let tries = 1; ; tries += 1) {
      const uid = uidIn(await transmitPcsc(pcsc, reader, GET_UID));
      if (uid !== undefined || tries === READ_TRIES) return uid;
      await clock.sleep(READ_PAUSE_MS);
    }
  }

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await clock.sleep(ms, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  return {
    start() {
      running ??= begin();
      return running.opened;
    },

    close() {
      running?.stop.abort();
      running = undefined;
      seen.clear();
      return Promise.resolve();
    },

    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function uidIn(response: Buffer | undefined): string | undefined {
  const hex = response?.toString("hex") ?? "";
  return hex.endsWith(STATUS_OK) ? parseUid(hex.slice(0, -STATUS_OK.length)) : undefined;
}

async function catchProblem(work: Promise<void>): Promise<Problem | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
