import type { Clock } from "@kit/clock";
import type { Measure } from "@kit/http/metrics";
import type { LogStreams } from "../../foundation/events/log-streams.ts";

export interface PartitionMeasuresDeps {
  streams: Pick<LogStreams, "countMessages">;
  /** Undefined in a process that is no worker. */
  ownedCount: () => number | undefined;
  clock: Pick<Clock, "sleep">;
}

/** Servers of the streams that take longer to answer are down. */
const ANSWER_MS = 1500;

export function listPartitionMeasures({ streams, ownedCount, clock }: PartitionMeasuresDeps): Measure[] {
  async function isUp(): Promise<number> {
    const over = new AbortController();
    const answered = streams.countMessages().then(() => 1);
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
      read: async () => Object.fromEntries((await streams.countMessages()).partitions),
    },
    {
      name: "partitions_owned",
      help: "Partitions of the logs that this worker owns.",
      kind: "gauge",
      read: ownedCount,
    },
  ];
}
