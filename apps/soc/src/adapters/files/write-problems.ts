import { Problem } from "@kit/problem";

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Throws the refusal for a full disk; rethrows any other error. */
export function refuseFull(error: unknown): never {
  if (error instanceof Error && "code" in error && FULL.has(String(error.code))) throw diskFull(error);
  throw error;
}

export function diskFull(cause?: unknown): Problem {
  return new Problem("unavailable", "the disk for files is full", { code: "disk_full", cause });
}
