import { useEffect, useState } from "react";
import { ApiError } from "../../../app/api/api-client.ts";
import { every, later, now } from "../../../app/clock.ts";
import type { RuntimeClient } from "./runtime-client.ts";
import { nextReading, type TruthReading } from "./truth-reading.ts";

const PERIOD_MS = 30_000;

export interface RuntimeTruthDeps {
  runtime: RuntimeClient;
  /** The access token has expired or was revoked. */
  onUnauthenticated: () => void;
}

export function useRuntimeTruth({ runtime, onUnauthenticated }: RuntimeTruthDeps) {
  const [reading, setReading] = useState<TruthReading>({ known: undefined, trouble: undefined });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads at once and restarts the period
  useEffect(() => {
    let isOver = false;

    async function refresh(): Promise<void> {
      const answer = await runtime.readTruth().catch(toApiError);
      if (isOver) return;
      if (answer instanceof ApiError && answer.status === 401) {
        onUnauthenticated();
        return;
      }
      const readAt = now();
      setReading((before) => nextReading(before, answer, { readAt, timeIn: (seconds) => later(readAt, seconds) }));
    }

    void refresh();
    const stop = every(PERIOD_MS, () => void refresh());
    return () => {
      isOver = true;
      stop();
    };
  }, [runtime, onUnauthenticated, round]);

  return { reading, refreshNow: () => setRound((before) => before + 1) };
}

/** Anything else is a fault of the console itself. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
