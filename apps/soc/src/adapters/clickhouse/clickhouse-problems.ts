import { ClickHouseError } from "@clickhouse/client";
import { Problem } from "@kit/problem";

/** The kind of statement, for the text of an error. */
export type StatementKind = "search" | "insert" | "other";

// Error codes of ClickHouse: src/Common/ErrorCodes.cpp.
const TOO_MUCH_READ = new Set(["158", "307", "396"]); // TOO_MANY_ROWS, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES
const TOO_LONG = new Set(["159", "160"]); // TIMEOUT_EXCEEDED, TOO_SLOW
const OUT_OF_MEMORY = new Set(["173", "241"]); // CANNOT_ALLOCATE_MEMORY, MEMORY_LIMIT_EXCEEDED
const BUSY = new Set(["202", "203", "252"]); // TOO_MANY_SIMULTANEOUS_QUERIES, NO_FREE_CONNECTION, TOO_MANY_PARTS
const NO_SPACE = new Set(["243", "75"]); // NOT_ENOUGH_SPACE, CANNOT_WRITE_TO_FILE_DESCRIPTOR
const BAD_REGEX = new Set(["427"]); // CANNOT_COMPILE_REGEXP
// CANNOT_PARSE_*, INCORRECT_DATA, UNKNOWN_ELEMENT_OF_ENUM, TOO_DEEP_RECURSION and similar: a row is invalid.
const BAD_ROWS = new Set(["6", "25", "26", "27", "38", "41", "72", "117", "130", "131", "306", "349", "691"]);
// Replication and the network between nodes.
const CLUSTER_UNREACHABLE = new Set(["210", "209", "242", "279", "285", "286", "319", "394", "999"]);
// DNS_ERROR, S3_ERROR, POCO_EXCEPTION: the bucket behind the store.
const BUCKET_UNREACHABLE = new Set(["198", "499", "1000"]);
// UNKNOWN_TABLE, UNKNOWN_DATABASE, READONLY, UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, QUOTA_EXCEEDED,
// TABLE_IS_DROPPED, NO_ZOOKEEPER, ABORTED, ACCESS_DENIED, AUTHENTICATION_FAILED, STD_EXCEPTION: not about the statement.
const NOT_READY = new Set(["60", "81", "164", "192", "193", "194", "201", "218", "225", "236", "497", "516", "1001"]);
// The table has other columns than this release expects: true for every row, until the table is migrated.
const OTHER_TABLE = /Unknown field found while parsing/;

/** The code of a Problem that concerns the store and not the query: another store may respond. */
const UNREACHABLE = "log_store_unreachable";

export function isUnreachable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === UNREACHABLE;
}

export function unreachable(name: string, cause: unknown): Problem {
  return new Problem("unavailable", `the ${name} does not answer`, { cause, code: UNREACHABLE, retryAfterSeconds: 1 });
}

/** Whether the engine ended a query because of its cost: with fewer logs it would have succeeded. */
export function isTooCostly(error: unknown): boolean {
  if (!(error instanceof Problem) || !(error.cause instanceof ClickHouseError)) return false;
  const { code } = error.cause;
  return TOO_LONG.has(code) || TOO_MUCH_READ.has(code) || OUT_OF_MEMORY.has(code);
}

/**
 * Converts a failure of the log store into a Problem for the caller. An insert is refused as invalid only if the store
 * reports an invalid row; any other error is transient, because senders were promised that their logs are kept. For
 * other statements, an error that concerns neither the query nor the store is a bug and is returned unchanged.
 */
function toProblem(error: unknown, doing: StatementKind): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof ClickHouseError) return toRefusal(error, doing) ?? passing(error, doing);
  if (doing !== "insert" && isBug(error)) return error;
  return unreachable("log store", error);
}

function passing(cause: ClickHouseError, doing: StatementKind): Error {
  if (doing !== "insert" && !NOT_READY.has(cause.code)) return cause;
  return new Problem("unavailable", `the log store refuses requests (error ${cause.code})`, {
    cause,
    code: UNREACHABLE,
  });
}

function toRefusal(cause: ClickHouseError, doing: StatementKind): Problem | undefined {
  const { code } = cause;
  const refuse = (kind: "invalid" | "unavailable", words: string) => new Problem(kind, words, { cause });
  if (TOO_LONG.has(code)) return refuse("unavailable", tooLong(doing));
  if (OUT_OF_MEMORY.has(code))
    return refuse("unavailable", `the log store has too little memory for this ${nounOf(doing)}`);
  if (BUSY.has(code)) return refuse("unavailable", "the log store is busy");
  if (NO_SPACE.has(code)) return refuse("unavailable", "the log store has no space left");
  if (CLUSTER_UNREACHABLE.has(code) || BUCKET_UNREACHABLE.has(code)) return unreachable("log store", cause);
  if (doing === "search" && TOO_MUCH_READ.has(code)) {
    return refuse("invalid", "query: reads too many logs; choose a shorter time range");
  }
  if (doing === "search" && BAD_REGEX.has(code))
    return refuse("invalid", "query: contains a regular expression that cannot be used");
  const isBadRow = doing === "insert" && BAD_ROWS.has(code) && !OTHER_TABLE.test(cause.message);
  if (isBadRow) return refuse("invalid", `${formatRow(cause)}: cannot be stored`);
  return undefined;
}

function tooLong(doing: StatementKind): string {
  return doing === "search" ? "the search took too long; choose a shorter time range" : "the log store took too long";
}

function nounOf(doing: StatementKind): string {
  return doing === "other" ? "question" : doing;
}

/** The engine counts rows from one. Before the number it quotes the row, which may contain the same words. */
function formatRow({ message }: Error): string {
  const row = [...message.matchAll(/\(at row (\d+)\)/g)].at(-1)?.[1];
  return row === undefined ? "batch" : `batch[${Number(row) - 1}]`;
}

function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** Runs the work and converts its failure into a Problem. */
export async function refusing<Result>(
  doing: StatementKind,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw signal?.aborted ? signal.reason : toProblem(error, doing);
  }
}
