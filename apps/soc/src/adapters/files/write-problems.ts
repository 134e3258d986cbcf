import { Problem } from "@kit/problem";

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The refusal when the disk is full; any other error is one of the platform. */
export function refuseFull(error: unknown): never {
  if (error instanceof Error && "code" in error && FULL.has(String(error.code))) throw diskFull(error);
  throw error;
}

export function diskFull(cause?: unknown): Problem {
  return new Problem("unavailable", "the disk for files is full", { code: "disk_full", cause });
}
