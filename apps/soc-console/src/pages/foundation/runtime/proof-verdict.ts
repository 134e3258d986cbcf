import type { ModeProof, ProofEntry } from "./proof-client.ts";

/** `incomplete`: entries are missing or may be missing, so the list proves nothing. */
export type ProofVerdict = "nothing" | "questions" | "effects" | "incomplete";

export interface SentEntry {
  entry: ProofEntry;
  /** The result; undefined while it is unknown, which counts as sent. */
  end: ProofEntry | undefined;
}

/** An intended request counts as sent, whatever its result: it may have arrived. */
export function listSent({ entries }: Pick<ModeProof, "entries">): SentEntry[] {
  const ends = new Map(entries.flatMap((entry) => (entry.of === null ? [] : [[entry.of, entry] as const])));
  return entries.filter(({ outcome }) => outcome === "intended").map((entry) => ({ entry, end: ends.get(entry.id) }));
}

export function judgeProof(proof: Pick<ModeProof, "entries" | "is_complete">): ProofVerdict {
  const sent = listSent(proof);
  if (sent.some(({ entry }) => entry.kind === "effect")) return "effects";
  if (!proof.is_complete) return "incomplete";
  return sent.length > 0 ? "questions" : "nothing";
}
