import { Problem } from "@kit/problem";

interface Versioned {
  updated_at: Date;
}

/** Strictly increasing for one record, so that it distinguishes versions even within a millisecond. */
export function updatedAt(current: Versioned, now: Date): Date {
  return new Date(Math.max(now.getTime(), current.updated_at.getTime() + 1));
}

export function etagOf({ updated_at }: Versioned): string {
  return `"${updated_at.toISOString()}"`;
}

/**
 * If-Match is optional: without it the last writer wins; with it no caller overwrites a version that the caller has not
 * read.
 */
export function requireMatch(ifMatch: string | undefined, current: Versioned): void {
  if (ifMatch === undefined) return;
  const accepted = ifMatch.split(",").map((tag) => tag.trim());
  if (accepted.includes("*") || accepted.includes(etagOf(current))) return;
  throw new Problem("conflict", `If-Match: the current version is ${etagOf(current)}`);
}
