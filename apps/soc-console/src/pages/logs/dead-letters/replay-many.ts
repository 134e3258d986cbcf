/** What became of the dead letters that were replayed. */
export interface ReplayCount {
  /** Stored, and no longer dead letters. */
  stored: number;
  /** Still dead letters. */
  refused: number;
  /** Why the first of them was refused. */
  reason: string | undefined;
}

export interface ReplayManyDeps {
  replay: (id: string) => Promise<{ rejected: number }>;
  /** The reason of a refusal that concerns this event alone; undefined when the rest must not be tried. */
  findReason: (error: unknown) => string | undefined;
  onProgress: (done: number) => void;
  signal: AbortSignal;
}

/** One after the other: an event that is refused again does not stop the others. */
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
