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
export interface Sight {
  folders: readonly string[];
  stamp: string;
}

export interface CardListener {
  pulled(): void;
  inserted(): void;
  /** Reads the card: after it was put in, and when its names have changed. */
  read(): Promise<Sight>;
}

export interface CardWatchDeps {
  mount: CardMount;
  listener: CardListener;
  clock: Pick<Clock, "sleep">;
  log: Log;
}

const POLL_MS = 2000;
/** While somebody copies to the card it changes all the time; it is read when it rests, and once in ten seconds anyway. */
const MOST_RESTLESS_POLLS = 5;

/** Looks again and again until it is stopped. By polling, because the kernel does not tell a watcher of an unmount. */
export async function watchCard({ mount, listener, clock, log }: CardWatchDeps, signal: AbortSignal): Promise<void> {
  let card: string | undefined;
  let sight: Sight | undefined;
  let lastStamp = "";
  let restlessPolls = 0;

  async function read(): Promise<void> {
    // Should reading fail, the next look tries again.
    sight = undefined;
    restlessPolls = 0;
    sight = await listener.read();
    lastStamp = sight.stamp;
  }

  async function exchange(next: string | undefined): Promise<void> {
    if (card !== undefined) listener.pulled();
    card = next;
    if (card === undefined) return;
    listener.inserted();
    await read();
  }

  async function isToBeRead(): Promise<boolean> {
    if (!sight) return true;
    const stamp = await mount.stampFolders(sight.folders);
    if (stamp === sight.stamp) return false;
    const isResting = stamp === lastStamp;
    lastStamp = stamp;
    restlessPolls += 1;
    return isResting || restlessPolls >= MOST_RESTLESS_POLLS;
  }

  async function look(): Promise<void> {
    const current = await mount.identify();
    if (current !== card) await exchange(current);
    else if (card !== undefined && (await isToBeRead())) await read();
  }

  while (!signal.aborted) {
    await look().catch((err: unknown) => {
      if (!signal.aborted) log.warn({ err }, "the card could not be read");
    });
    await clock.sleep(POLL_MS, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
