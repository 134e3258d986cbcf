import { createMutex } from "@kit/clock/mutex";
import { Problem } from "@kit/problem";

/**
 * Runs work with the same key one after the other, such as reports of one finding. They would wait for each other in the
 * database anyway, where each holds a connection and the time limit of its statement runs.
 */
export function createReportTurns() {
  const mutex = createMutex();
  return <Result>(key: string, work: () => Promise<Result>): Promise<Result> =>
    mutex(key, async (before) => {
      // While the database does not answer, the reports that wait are refused at once instead of each after its own wait.
      if (before instanceof Problem && before.kind === "unavailable") throw before;
      return work();
    });
}
