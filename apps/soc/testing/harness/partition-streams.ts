import type { LogStreams } from "../../src/foundation/events/log-streams.ts";
import type { LogEvaluation } from "../../src/logs/partitions/evaluation.ts";
import { type NatsOptions, natsSource, streamOn } from "../servers/nats-streams.ts";
import type { TestPlatform } from "./feature-app.ts";

/** Opens the streams of partitions under a unique name. The caller closes them. */
export function openPartitionStreams(
  platform: Pick<TestPlatform, "db" | "runtime">,
  partitions: number,
  { name = "soc-logs", ...nats }: NatsOptions,
): LogStreams & { close(): Promise<void> } {
  const sources = Array.from({ length: partitions }, (_, partition) =>
    natsSource({
      isDeletedWhenHandled: true,
      maxInFlight: 4,
      isPacked: true,
      ...nats,
      name: `${name}-${partition}`,
      subject: `${name}.${partition}`,
    }),
  );
  const former = streamOn(natsSource({ ...nats, name, isDeletedWhenHandled: true }), platform);
  return {
    sources,
    former,
    list: async () => ({ partitions: new Map(), former: undefined }),
    deleteUpTo: async () => undefined,
    async close() {
      await former.close();
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}

/** For tests without rules. */
export const noEvaluation: LogEvaluation = {
  begin: async () => ({ generation: "0", floorMs: 0 }),
  evaluate: async () => ({ failed: [], capped: [] }),
  end: async () => undefined,
  onRenewed: async () => undefined,
};
