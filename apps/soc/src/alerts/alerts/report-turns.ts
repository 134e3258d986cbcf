import { createMutex } from "@kit/clock/mutex";
import { Problem } from "@kit/problem";

/**
 * Runs work with the same key sequentially, such as reports of one finding. Otherwise the requests would wait in the
 * database, each with a connection and under the time limit of its statement.
 */
export function createReportTurns() {
  const mutex = createMutex();
  return <Result>(key: string, work: () => Promise<Result>): Promise<Result> =>
    mutex(key, async (before) => {
      // While the database does not answer, refuse waiting reports at once instead of after their own timeout.
      if (before instanceof Problem && before.kind === "unavailable") throw before;
      return work();
    });
}
