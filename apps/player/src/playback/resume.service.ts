import type { Clock } from "@kit/clock";
import type { CardFile } from "../library/card-file.ts";
import { type CardMove, movePath, toRecitation } from "../library/card-move.ts";
import type { TryWrite } from "../storage/try-write.ts";
import { MAX_PLACES, type ResumePositionStore } from "./resume-position.store.ts";
import type { ResumePosition } from "./resume-position.ts";

export interface ResumeServiceDeps {
  store: ResumePositionStore;
  tryWrite: TryWrite;
  clock: Pick<Clock, "now">;
}
export type ResumeService = ReturnType<typeof createResumeService>;

/** A place that could not be saved is replaced by the next one of its file. */
const toName = (path: string) => `resume position ${path}`;

/** Where a listener can continue: the place in every file that was left in the middle. */
export function createResumeService({ store, tryWrite, clock }: ResumeServiceDeps) {
  const places = new Map<string, ResumePosition>();
  reload();

  function reload(): void {
    places.clear();
    for (const place of store.list()) places.set(place.path, place);
  }

  return {
    /** The file that was played last. */
    saved: (): ResumePosition | undefined => [...places.values()].at(-1),

    /** The place in one file. */
    find: (path: string): ResumePosition | undefined => places.get(path),

    save({ path, reciter, surah }: CardFile, positionMs: number, was_running: boolean): void {
      const saved_at = Math.floor(clock.now().getTime() / 1000);
      const place = { path, reciter, surah, position_ms: Math.round(positionMs), was_running, saved_at };
      // The map keeps the order of its keys, and the newest belongs at the end.
      places.delete(path);
      places.set(path, place);
      const [oldest] = places.keys();
      if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest);
      tryWrite(() => store.save(place), toName(path));
    },

    /** Files have other names on the card: their places are kept under those names. */
    follow(move: CardMove): void {
      for (const place of [...places.values()]) {
        const path = movePath(move, place.path);
        if (path === undefined) continue;
        const moved = { ...place, path, reciter: "", surah: 0, ...toRecitation(path) };
        places.delete(place.path);
        places.set(path, moved);
        tryWrite(() => store.remove(place.path), toName(place.path));
        tryWrite(() => store.save(moved), toName(path));
      }
    },

    /** The store was erased by a reset. */
    reload,

    /** The file was played to its end. */
    clear({ path }: Pick<CardFile, "path">): void {
      if (!places.delete(path)) return;
      tryWrite(() => store.remove(path), toName(path));
    },
  };
}
