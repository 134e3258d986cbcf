import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import { Problem } from "@kit/problem";

export interface CardGateDeps {
  clock: Pick<Clock, "sleep">;
  /** How long a caller waits. */
  maxWaitMs: number;
}

/** Runs work on the memory card, one piece after the other, and gives up on a card that does not answer. */
export interface CardGate {
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same without a limit, for work whose result no caller waits for. */
  runInBackground<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * A file operation on a dying card cannot be cancelled, and it keeps a thread of the process. One piece at a time, and
 * none while one hangs, so that the card never takes more than one thread here and the service keeps the others.
 */
export function createCardGate({ clock, maxWaitMs }: CardGateDeps): CardGate {
  let lane = Promise.resolve();
  let isHanging = false;

  function runInTurn<Result>(work: () => Promise<Result>, isLimited: boolean): Promise<Result> {
    if (isHanging) return Promise.reject(doesNotAnswer());
    return new Promise((resolve, reject) => {
      const patience = createTimer(clock);
      let isAbandoned = false;
      const giveUp = () => {
        isAbandoned = true;
        isHanging = true;
        reject(doesNotAnswer());
      };
      if (isLimited) patience.set(maxWaitMs, giveUp);
      lane = lane
        .then(() => (isAbandoned ? undefined : work().then(resolve, reject)))
        .finally(() => {
          patience.cancel();
          isHanging = false;
        });
    });
  }

  return {
    run: (work) => runInTurn(work, true),
    runInBackground: (work) => runInTurn(work, false),
  };
}

function doesNotAnswer(): Problem {
  return new Problem("failed", "path: the card does not answer", { code: "card_hangs" });
}
