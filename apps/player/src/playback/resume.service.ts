import type { Clock } from "@kit/clock";
import type { CardFile } from "../library/card-file.ts";
import { type CardMove, movePath, toRecitation } from "../library/card-move.ts";
import type { ResumePositionStore } from "./resume-position.store.ts";
import type { ResumePosition } from "./resume-position.ts";
import type { TryWrite } from "./try-write.ts";

export interface ResumeServiceDeps {
  store: ResumePositionStore;
  tryWrite: TryWrite;
  clock: Pick<Clock, "now">;
}
export type ResumeService = ReturnType<typeof createResumeService>;

/** A position that could not be saved is replaced by the next one. */
const NAME = "resume position";

/** Where a listener can continue after a power cut: one file and its position. */
export function createResumeService({ store, tryWrite, clock }: ResumeServiceDeps) {
  let saved = store.get();
  return {
    saved: (): ResumePosition | undefined => saved,

    save({ path, reciter, surah }: CardFile, positionMs: number, was_running: boolean): void {
      const saved_at = Math.floor(clock.now().getTime() / 1000);
      const position = { path, reciter, surah, position_ms: Math.round(positionMs), was_running, saved_at };
      saved = position;
      tryWrite(() => store.save(position), NAME);
    },

    /** A file has another name on the card: its place is kept under that name. */
    follow(move: CardMove): void {
      const former = saved;
      const path = former && movePath(move, former.path);
      if (!former || path === undefined) return;
      const position = { ...former, path, reciter: "", surah: 0, ...toRecitation(path) };
      tryWrite(() => {
        store.save(position);
        saved = position;
      });
    },

    /** The store was erased by a reset. */
    reload(): void {
      saved = store.get();
    },

    clear(): void {
      if (!saved) return;
      saved = undefined;
      tryWrite(() => store.clear(), NAME);
    },
  };
}
