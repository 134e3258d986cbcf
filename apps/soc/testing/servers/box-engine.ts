import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readEngineSocket } from "../../src/adapters/log-engine/box-log-engine.ts";
import { createEngineTasks } from "../../src/adapters/log-engine/engine-tasks.ts";
import { toAddressFile } from "../../src/adapters/log-store.ts";

const clock = createClock();

export interface BoxEngine {
  /** Copies today's logs this many times, as if they had arrived this many days ago. */
  repeatDaysAgo(days: readonly number[], times: number): Promise<void>;
  countLogs(): Promise<number>;
  close(): Promise<void>;
}

/** The log engine of a service that uses this data folder. */
export function openBoxEngine(dataFolder: string): BoxEngine {
  const socketPath = readEngineSocket(toAddressFile(dataFolder));
  const engine = createEngineTasks({ socketPath, clock, ids: createIds(clock) });
  return {
    async repeatDaysAgo(days, times) {
      for (const ago of days) {
        const then = (name: string) => `${name} - INTERVAL ${ago} DAY AS ${name}`;
        await engine.command(`INSERT INTO logs SELECT * REPLACE (concat(id, '-${ago}-', toString(rand64(time))) AS id,
${then("timestamp")}, ${then("ingested_at")}) FROM (SELECT * FROM logs WHERE ingested_at > now() - INTERVAL 1 DAY)
ARRAY JOIN range(${times}) AS time`);
      }
    },
    async countLogs() {
      const [row] = await engine.select<{ logs: string }>("SELECT count() AS logs FROM logs");
      return Number(row?.logs);
    },
    close: () => engine.close(),
  };
}
