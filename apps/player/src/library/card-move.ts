import { parseSurah } from "./file-name.ts";
import { normalizeReciterName } from "./scan.ts";

/** A file or a reciter's folder that has another path now. */
export interface CardMove {
  kind: "file" | "folder";
  from: string;
  to: string;
}

export interface RecitationKey {
  reciter: string;
  surah: number;
}

/** The path after the move; undefined when the move does not concern it. */
export function movePath({ kind, from, to }: CardMove, path: string): string | undefined {
  if (path === from) return to;
  return kind === "folder" && path.startsWith(`${from}/`) ? to + path.slice(from.length) : undefined;
}

/** The recitation after the move; undefined when the move does not concern it, or leaves no recitation behind. */
export function moveRecitation(move: CardMove, { reciter, surah }: RecitationKey): RecitationKey | undefined {
  if (move.kind === "folder") {
    return reciter === normalizeReciterName(move.from) ? { reciter: normalizeReciterName(move.to), surah } : undefined;
  }
  const former = toRecitation(move.from);
  const isIt = former?.reciter === reciter && former.surah === surah;
  return isIt ? toRecitation(move.to) : undefined;
}

export function toRecitation(path: string): RecitationKey | undefined {
  const [folder = "", name = "", ...below] = path.split("/");
  const surah = parseSurah(name);
  return surah > 0 && below.length === 0 ? { reciter: normalizeReciterName(folder), surah } : undefined;
}
