import type { Clock } from "@kit/clock";
import type { Measure } from "@kit/http/metrics";

export interface PartitionMeasuresDeps {
  streams: { list: () => Promise<unknown> };
  /** The number of unhandled messages of each partition. */
  countWaiting: () => Promise<ReadonlyMap<number, number>>;
  /** Undefined in a process that is not a worker. */
  ownedCount: () => number | undefined;
  clock: Pick<Clock, "sleep">;
}

/** Stream servers that take longer to respond count as down. */
const ANSWER_MS = 1500;

export function listPartitionMeasures({ streams, countWaiting, ownedCount, clock }: PartitionMeasuresDeps): Measure[] {
  async function isUp(): Promise<number> {
    const over = new AbortController();
    const answered = streams.list().then(() => 1);
    const late = clock.sleep(ANSWER_MS, over.signal).then(() => 0);
    return Promise.race([answered, late])
      .catch(() => 0)
      .finally(() => over.abort());
  }

  return [
    { name: "stream_up", help: "1 while the servers of the streams answer.", kind: "gauge", read: isUp },
    {
      name: "stream_messages",
      help: "Messages with logs that wait for the owner of their partition.",
      kind: "gauge",
      label: "partition",
      read: async () => Object.fromEntries(await countWaiting()),
    },
    {
      name: "partitions_owned",
      help: "Partitions of the logs that this worker owns.",
      kind: "gauge",
      read: ownedCount,
    },
  ];
}
