import type { CardFile } from "../library/card-file.ts";
import type { Station } from "../streams/stream.ts";
import type { PlayableTarget } from "./target.schema.ts";

/** What is playing, or was playing last. */
export type Source = { kind: "file"; file: CardFile } | ({ kind: "stream" } & Station);

/** One play that lasted long enough to count. */
export type CountedPlay = { reciter: string; surah: number } | { url: string };

export function toTarget(source: Source): PlayableTarget {
  if (source.kind === "stream") return { type: "stream", url: source.url, name: "" };
  const { path, reciter, surah } = source.file;
  return surah > 0 && reciter !== "" ? { type: "surah", reciter, surah } : { type: "file", path };
}

export function toCountedPlay(source: Source): CountedPlay | undefined {
  if (source.kind === "stream") return { url: source.url };
  const { reciter, surah } = source.file;
  return surah > 0 && reciter !== "" ? { reciter, surah } : undefined;
}
