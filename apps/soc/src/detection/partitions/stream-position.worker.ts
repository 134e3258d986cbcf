import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { StreamStore } from "../scheduling/stream.store.ts";

export interface StreamPositionDeps {
  worker: string;
  stream: Pick<StreamStore, "lead" | "advance" | "resign" | "silentSources">;
  watermark: () => Promise<Date>;
  /** Deletes the hits of old segments. */
  sweep: () => Promise<unknown>;
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const ROUND_MS = 1000;
const LEAD_SECONDS = 3;
const SWEEP_ROUNDS = 60;

/**
 * Moves the position of the stream to the lowest watermark of all partitions, whose owners evaluate a group before they
 * settle it. One worker does this at a time.
 */
export function createStreamPosition(deps: StreamPositionDeps) {
  const { worker, stream, watermark, sweep, isAllowed, clock, log } = deps;

  async function move(turn: number): Promise<void> {
    if (!(await isAllowed())) return;
    const state = await stream.lead(worker, LEAD_SECONDS);
    if (!state) return;
    const to = await watermark();
    const { position: from, generation } = state;
    if (to > from) {
      const silent = [...(await stream.silentSources())];
      await stream.advance({ from, to, generation, failed: [], capped: [], silent });
    }
    if (turn % SWEEP_ROUNDS === SWEEP_ROUNDS - 1) await sweep();
  }

  const loop = createPollingLoop({ round: move, waitMs: ROUND_MS, failure: "stream position not moved", clock, log });

  return {
    start: () => loop.start(),

    async close(): Promise<void> {
      await loop.close();
      await stream
        .resign(worker)
        .catch((error: unknown) => log.warn({ err: error }, "releasing stream leadership failed"));
    },
  };
}
