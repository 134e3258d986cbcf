import type { CardFile } from "../library/card-file.ts";
import { foldCardName } from "../library/card-name.ts";
import type { PlaybackStatus } from "./playback.schema.ts";

/** Whether the file plays, is paused, or continues after an adhan. */
export function usesFile(
  { state, track, source }: Pick<PlaybackStatus, "state" | "track" | "source">,
  path: string,
  find: (reciter: string, surah: number) => Pick<CardFile, "path"> | undefined,
): boolean {
  if (state === "stopped") return false;
  const suspended = source?.type === "surah" ? find(source.reciter, source.surah)?.path : undefined;
  const used = [track, suspended, source?.type === "file" ? source.path : undefined];
  return used.some((each) => each !== undefined && foldCardName(each) === foldCardName(path));
}
