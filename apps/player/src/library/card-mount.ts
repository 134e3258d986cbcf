import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";

/** What watching needs to know of the place where the memory card appears. */
export interface CardMount {
  /** Names the card that is in; another name is another card. Undefined: no card, or one that cannot be read. */
  identify(): Promise<string | undefined>;
  /** A text that changes when a name appears in one of the folders or disappears from it. */
  stampFolders(folders: readonly string[]): Promise<string>;
}

/** What a reading of the card was based on, so that a later change can be told. */
export interface CardSnapshot {
  folders: readonly string[];
  stamp: string;
}

export interface CardListener {
  pulled(): void;
  inserted(): void;
  /** Reads the card: after it was put in, and when its names have changed. */
  read(): Promise<CardSnapshot>;
}

export interface CardWatchDeps {
  mount: CardMount;
  listener: CardListener;
  clock: Pick<Clock, "sleep">;
  log: Log;
}

const POLL_MS = 2000;
/** While somebody copies to the card it changes all the time; it is read when it rests, and once in ten seconds anyway. */
const MAX_UNSETTLED_POLLS = 5;

/** Looks again and again until it is stopped. By polling, because the kernel does not tell a watcher of an unmount. */
export async function watchCard({ mount, listener, clock, log }: CardWatchDeps, signal: AbortSignal): Promise<void> {
  let card: string | undefined;
  let snapshot: CardSnapshot | undefined;
  let lastStamp = "";
  let unsettledPolls = 0;

  async function read(): Promise<void> {
    // Should reading fail, the next look tries again.
    snapshot = undefined;
    unsettledPolls = 0;
    snapshot = await listener.read();
    lastStamp = snapshot.stamp;
  }

  async function replaceCard(next: string | undefined): Promise<void> {
    if (card !== undefined) listener.pulled();
    card = next;
    if (card === undefined) return;
    listener.inserted();
    await read();
  }

  async function needsReading(): Promise<boolean> {
    if (!snapshot) return true;
    const stamp = await mount.stampFolders(snapshot.folders);
    if (stamp === snapshot.stamp) return false;
    const isSettled = stamp === lastStamp;
    lastStamp = stamp;
    unsettledPolls += 1;
    return isSettled || unsettledPolls >= MAX_UNSETTLED_POLLS;
  }

  async function poll(): Promise<void> {
    const current = await mount.identify();
    if (current !== card) await replaceCard(current);
    else if (card !== undefined && (await needsReading())) await read();
  }

  while (!signal.aborted) {
    await poll().catch((err: unknown) => {
      if (!signal.aborted) log.warn({ err }, "the card could not be read");
    });
    await clock.sleep(POLL_MS, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
