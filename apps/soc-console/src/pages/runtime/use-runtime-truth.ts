import { useEffect, useState } from "react";
import { every, later, now } from "../../app/clock.ts";
import type { ReadRuntime } from "./runtime-client.ts";
import { nextReading, type TruthReading } from "./truth-reading.ts";

const PERIOD_MS = 30_000;

export interface RuntimeTruthDeps {
  readRuntime: ReadRuntime;
  accessToken: string;
  /** The service no longer knows the caller. */
  onUnauthenticated: () => void;
}

export function useRuntimeTruth({ readRuntime, accessToken, onUnauthenticated }: RuntimeTruthDeps) {
  const [reading, setReading] = useState<TruthReading>({ known: undefined, trouble: undefined });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks at once and starts the period anew
  useEffect(() => {
    let isOver = false;

    async function refresh(): Promise<void> {
      const answer = await readRuntime(accessToken);
      if (isOver) return;
      if (answer.kind === "refused" && answer.status === 401) {
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
  }, [readRuntime, accessToken, onUnauthenticated, round]);

  return { reading, refreshNow: () => setRound((before) => before + 1) };
}
