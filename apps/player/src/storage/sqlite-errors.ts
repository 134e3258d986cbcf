import { Problem } from "@kit/problem";

// SQLite's result codes (sqlite.org/rescode.html); an extended code carries its primary one in the low byte.
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const IOERR_SHMSIZE = 4874;

const DAMAGED = "the device's storage is damaged";
const READ_ONLY = "the device's storage is read-only";
const DOES_NOT_WORK = "the device's storage does not work";
const IS_FULL = "the device's storage is full";
const CANNOT_BE_OPENED = "the device's storage cannot be opened";

const SQLITE_REASONS = new Map([
  [READONLY, READ_ONLY],
  [IOERR, DOES_NOT_WORK],
  [CORRUPT, DAMAGED],
  [FULL, IS_FULL],
  [CANTOPEN, CANNOT_BE_OPENED],
  [NOTADB, DAMAGED],
]);

const SYSTEM_REASONS = new Map<unknown, string>([
  ["EROFS", READ_ONLY],
  ["EACCES", READ_ONLY],
  ["EPERM", READ_ONLY],
  ["EIO", DOES_NOT_WORK],
  ["ENOSPC", IS_FULL],
  ["EDQUOT", IS_FULL],
  ["ENOTDIR", CANNOT_BE_OPENED],
  ["EISDIR", CANNOT_BE_OPENED],
]);

/** Converts the errors of a full, read-only, damaged or failing storage into messages for the caller. */
export function asStorageProblem(cause: unknown): unknown {
  const why = SQLITE_REASONS.get(codeOf(cause) & 0xff) ?? SYSTEM_REASONS.get(systemCodeOf(cause));
  return why === undefined ? cause : new Problem("failed", `storage: ${why}`, { cause });
}

/** Whether the content of the file is not what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  return [CORRUPT, NOTADB].includes(codeOf(error) & 0xff);
}

/** Whether the disk has no room for the index of the log. */
export function hasNoRoomForIndex(error: unknown): boolean {
  return codeOf(error) === IOERR_SHMSIZE;
}

function codeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
}

function systemCodeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
