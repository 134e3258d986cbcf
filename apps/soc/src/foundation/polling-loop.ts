import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";

export interface PollingLoopDeps {
  /** Is counted from 0. May answer how many milliseconds to wait this time. */
  round: (turn: number, closing: AbortSignal) => Promise<number> | Promise<void>;
  /** How long to wait after a round that does not say so itself, and after one that failed. */
  waitMs: number;
  /** How far apart rounds begin at least. */
  apartMs?: number;
  /** What is told of a round that failed. */
  failure: string;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

/** What a worker does again and again until it is closed. A round that fails does not keep the next one from being tried. */
export function createPollingLoop({ round, waitMs, apartMs = 0, failure, clock, log }: PollingLoopDeps) {
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  const pause = (ms: number) => clock.sleep(ms, closing.signal).catch(() => undefined);

  async function take(turn: number): Promise<number> {
    try {
      return (await round(turn, closing.signal)) ?? waitMs;
    } catch (error) {
      log.warn({ err: error }, failure);
      return waitMs;
    }
  }

  async function next(): Promise<void> {
    for (let turn = 0; !closing.signal.aborted; turn += 1) {
      const apart = pause(apartMs);
      await pause(await take(turn));
      await apart;
    }
  }

  return {
    start(): void {
      running ??= next();
    },

    /** Ends a wait at once, and waits for the round that is under way. */
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
}
