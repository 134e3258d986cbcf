import { Problem } from "@kit/problem";

export interface VersionedRecord {
  updated_at: Date;
}

/** Strictly increasing per record, so that it distinguishes versions even within a millisecond. */
export function updatedAt(current: VersionedRecord, now: Date): Date {
  return new Date(Math.max(now.getTime(), current.updated_at.getTime() + 1));
}

export function etagOf({ updated_at }: VersionedRecord): string {
  return `"${updated_at.toISOString()}"`;
}

/**
 * If-Match is optional. Without it the last writer wins; with it a caller cannot overwrite a version that it has not
 * read.
 */
export function requireMatch(ifMatch: string | undefined, current: VersionedRecord): void {
  if (ifMatch === undefined) return;
  const accepted = ifMatch.split(",").map((tag) => tag.trim());
  if (accepted.includes("*") || accepted.includes(etagOf(current))) return;
  throw new Problem("conflict", `If-Match: the current version is ${etagOf(current)}`);
}
