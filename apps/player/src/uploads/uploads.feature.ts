import { type CardFilesServiceDeps, createCardFilesService } from "../library/card-files.service.ts";
import type { LibraryService } from "../library/library.service.ts";
import { createMovesService, type MovesServiceDeps } from "../moves/moves.service.ts";
import { usesFile } from "../playback/file-in-use.ts";
import type { PlaybackService } from "../playback/playback.service.ts";
import type { PrayerService } from "../prayer/prayer.service.ts";
import { createUploadsService, type UploadsServiceDeps } from "./uploads.service.ts";

export interface CardWritingNeeds
  extends Omit<CardFilesServiceDeps, "isInUse" | "changed" | "library">,
    Omit<MovesServiceDeps, "prayer">,
    Omit<UploadsServiceDeps, "cardFiles" | "reserveBytes" | "library" | "log"> {
  library: LibraryService;
  playback: Pick<PlaybackService, "status">;
  prayer: Pick<PrayerService, "config" | "configure" | "get">;
  log: UploadsServiceDeps["log"];
}

const RESERVE_BYTES = 32 * 1024 * 1024;

/** Everything that changes files on the card: uploads, and the changes of their names. */
export function createCardWriting(needs: CardWritingNeeds) {
  const { library, playback, prayer } = needs;
  const cardFiles = createCardFilesService({
    ...needs,
    isInUse: (path) => usesFile(playback.status(), path, library.find),
    // Reports whether the adhan's files are on the card.
    changed: () => void prayer.get(),
  });
  return {
    cardFiles,
    moves: createMovesService(needs),
    uploads: createUploadsService({ ...needs, cardFiles, reserveBytes: RESERVE_BYTES }),
  };
}
