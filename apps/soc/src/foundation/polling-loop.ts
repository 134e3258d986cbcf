import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";

export interface PollingLoopDeps {
  /** One iteration; `turn` counts from 0. May return the milliseconds to wait afterwards. */
  round: (turn: number, closing: AbortSignal) => Promise<number> | Promise<void>;
  /** How long to wait after a round that returns no wait, and after a failed one. */
  waitMs: number;
  /** The minimum time between the starts of two rounds. */
  apartMs?: number;
  /** The log message for a failed round. */
  failure: string;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

/** Repeats a round until it is closed. A failed round is logged and does not stop the loop. */
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

  async function runRounds(): Promise<void> {
    for (let turn = 0; !closing.signal.aborted; turn += 1) {
      const apart = pause(apartMs);
      await pause(await take(turn));
      await apart;
    }
  }

  return {
    start(): void {
      running ??= runRounds();
    },

    /** Ends a wait immediately and waits for the round in progress. */
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
}
