import { invalidField, Problem } from "@kit/problem";

const WHY_UNWRITABLE = new Map<unknown, readonly [code: string, why: string]>([
  ["ENOSPC", ["card_full", "the memory card is full"]],
  ["EDQUOT", ["card_full", "the memory card is full"]],
  ["EFBIG", ["card_full", "the memory card cannot hold a file of this size"]],
  ["EROFS", ["card_read_only", "the memory card is read-only"]],
  ["EACCES", ["card_read_only", "the player may not write to the memory card"]],
  ["EPERM", ["card_read_only", "the player may not write to the memory card"]],
]);

/** What a file system answers to a name that it cannot keep. */
const NAME_CODES = new Set<unknown>(["EINVAL", "EILSEQ", "ENAMETOOLONG"]);

export function noCard(): Problem {
  return cardProblem("card_missing", "no memory card is in");
}

export function readOnlyCard(): Problem {
  return cardProblem("card_read_only", "the memory card is read-only");
}

/** Converts the error of a file operation on the card into a message for the caller. */
export function refuseUnwritable(cause: unknown): never {
  if (cause instanceof Problem || !(cause instanceof Error && "code" in cause)) throw cause;
  if (NAME_CODES.has(cause.code)) {
    throw invalidField("name", "the memory card cannot keep this name", { code: "name_refused", cause });
  }
  const [code, why] = WHY_UNWRITABLE.get(cause.code) ?? ["card_failed", "the memory card cannot be written"];
  throw cardProblem(code, why, cause);
}

function cardProblem(code: string, why: string, cause?: unknown): Problem {
  return new Problem("failed", `card: ${why}`, { field: "card", code, cause });
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
