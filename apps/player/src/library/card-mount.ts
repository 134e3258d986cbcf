import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";

/** What the watcher needs from the mount point of the memory card. */
export interface CardMount {
  /** Identifies the inserted card; a different value is a different card. Undefined when there is no readable card. */
  identify(): Promise<string | undefined>;
  /** A text that changes whenever a name is added to or removed from one of the folders. */
  stampFolders(folders: readonly string[]): Promise<string>;
}

/** The state of the card when it was read, for detecting later changes. */
export interface CardSnapshot {
  folders: readonly string[];
  stamp: string;
}

export interface CardListener {
  pulled(): void;
  inserted(): void;
  /** Reads the card: after it was inserted, and when its names have changed. */
  read(): Promise<CardSnapshot>;
}

export interface CardWatchDeps {
  mount: CardMount;
  listener: CardListener;
  clock: Pick<Clock, "sleep">;
  log: Log;
}

const POLL_MS = 2000;
/**
 * While files are copied to the card, it changes constantly; it is read when it settles, and at the latest after ten
 * seconds.
 */
const MAX_UNSETTLED_POLLS = 5;

/** Polls until it is aborted, because the kernel does not notify a file watcher of an unmount. */
export async function watchCard({ mount, listener, clock, log }: CardWatchDeps, signal: AbortSignal): Promise<void> {
  let card: string | undefined;
  let snapshot: CardSnapshot | undefined;
  let lastStamp = "";
  let unsettledPolls = 0;

  async function read(): Promise<void> {
    // If reading fails, the next poll tries again.
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
      if (!signal.aborted) log.warn({ err }, "reading the card failed");
    });
    await clock.sleep(POLL_MS, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
