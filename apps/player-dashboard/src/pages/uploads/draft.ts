import type { UploadBody } from "@player/service/contract/uploads";
import type { UploadTarget } from "../../app/uploads/upload-queue.ts";
import { guessName } from "./guess-name.ts";

/** A selected file and the guess of what it is. The user confirms or corrects it. */
export interface Draft {
  key: number;
  file: File;
  kind: "recitation" | "adhan";
  reciter: string;
  /** 0 while unknown. */
  surah: number;
  name: string;
}

export interface DraftContext {
  /** What the page was opened for. */
  kind: "recitation" | "adhan";
  reciters: readonly string[];
  /** Uploads of an earlier visit: the same file continues one of them. */
  unfinished: readonly UploadBody[];
}

export function buildDraft(key: number, file: File, fingerprint: string, context: DraftContext): Draft {
  const known = context.unfinished.find((upload) => upload.fingerprint === fingerprint);
  if (known) {
    const { kind, reciter, surah, name } = known;
    return { key, file, kind, reciter, surah, name };
  }
  const guess = guessName(file.webkitRelativePath || file.name, context.reciters);
  const kind = context.kind === "adhan" ? "adhan" : guess.kind;
  const [only, ...others] = context.reciters;
  // "recording.mp3" contains no reciter; if the card has a single reciter, it is probably that one.
  const reciter =
    guess.surah === 0 || guess.reciter === "" ? (others.length === 0 && only) || guess.reciter : guess.reciter;
  return { key, file, ...guess, kind, reciter };
}

/** What is missing; undefined when the file can be sent. */
export function findGap({ kind, reciter, surah, name }: Draft): "reciter" | "surah" | "name" | undefined {
  if (kind === "adhan") return name.trim() === "" ? "name" : undefined;
  if (reciter.trim() === "") return "reciter";
  return surah === 0 ? "surah" : undefined;
}

export function toTarget({ kind, reciter, surah, name }: Draft): UploadTarget {
  return kind === "adhan" ? { kind, name: name.trim() } : { kind, reciter: reciter.trim(), surah };
}

/** Two files with the same destination: only one could stay. */
export function findTwins(drafts: readonly Draft[]): ReadonlySet<number> {
  const places = drafts.map((draft) => JSON.stringify(toTarget(draft)).toLowerCase());
  const isTwin = (place: string | undefined) => places.filter((each) => each === place).length > 1;
  return new Set(drafts.filter((_, at) => isTwin(places[at])).map(({ key }) => key));
}
