import type { Source } from "./sources-client.ts";

export type SourceState = "silent" | "refused" | "empty" | "unwatched" | "sends";

/** The worst problem of a source. */
export function readSourceState(source: Pick<Source, "silent_since" | "watch" | "stored" | "rejected">): SourceState {
  if (source.silent_since !== null) return "silent";
  if (source.stored === 0 && source.rejected > 0) return "refused";
  if (source.stored === 0) return "empty";
  return source.watch ? "sends" : "unwatched";
}
