/** Result of a bulk replay. */
export interface ReplayCount {
  /** Stored, and no longer dead letters. */
  stored: number;
  /** Still dead letters. */
  refused: number;
  /** Why the first of them was rejected. */
  reason: string | undefined;
}

export interface ReplayManyDeps {
  replay: (id: string) => Promise<{ rejected: number }>;
  /** The reason of a rejection that concerns only this event; undefined if the rest must not be tried. */
  findReason: (error: unknown) => string | undefined;
  onProgress: (done: number) => void;
  signal: AbortSignal;
}

/** Replays sequentially: a rejected event does not stop the others. */
export async function replayMany(ids: readonly string[], deps: ReplayManyDeps): Promise<ReplayCount> {
  const count: ReplayCount = { stored: 0, refused: 0, reason: undefined };
  for (const id of ids) {
    if (deps.signal.aborted) break;
    try {
      const { rejected } = await deps.replay(id);
      if (rejected > 0) count.refused += 1;
      else count.stored += 1;
    } catch (error) {
      const reason = deps.findReason(error);
      if (reason === undefined) throw error;
      count.refused += 1;
      count.reason ??= reason;
    }
    deps.onProgress(count.stored + count.refused);
  }
  return count;
}
