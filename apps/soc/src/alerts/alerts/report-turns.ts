import { Problem } from "@kit/problem";

/**
 * Runs work with the same key one after the other, such as reports of one finding. They would wait for each other in the
 * database anyway, where each holds a connection and the time limit of its statement runs.
 */
export function createReportTurns() {
  const lastTurns = new Map<string, Promise<unknown>>();

  return async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = lastTurns.get(key) ?? Promise.resolve();
    const turn = before.catch(throwUnavailable).then(work);
    lastTurns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (lastTurns.get(key) === turn) lastTurns.delete(key);
    }
  };
}

/** While the database does not answer, the reports that wait are refused at once instead of each after its own wait. */
function throwUnavailable(error: unknown): void {
  if (error instanceof Problem && error.kind === "unavailable") throw error;
}
