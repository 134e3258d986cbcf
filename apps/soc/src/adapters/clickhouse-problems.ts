import { ClickHouseError } from "@clickhouse/client";
import { Problem } from "@kit/problem";

/** The kind of statement, for the text of an error. */
export type Doing = "search" | "insert" | "other";

// Error codes of ClickHouse: src/Common/ErrorCodes.cpp.
const TOO_MUCH_READ = new Set(["158", "307", "396"]); // TOO_MANY_ROWS, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES
const TOO_LONG = new Set(["159", "160"]); // TIMEOUT_EXCEEDED, TOO_SLOW
const OUT_OF_MEMORY = new Set(["173", "241"]); // CANNOT_ALLOCATE_MEMORY, MEMORY_LIMIT_EXCEEDED
const BUSY = new Set(["202", "203", "252"]); // TOO_MANY_SIMULTANEOUS_QUERIES, NO_FREE_CONNECTION, TOO_MANY_PARTS
const NO_SPACE = new Set(["243", "75"]); // NOT_ENOUGH_SPACE, CANNOT_WRITE_TO_FILE_DESCRIPTOR
const BAD_REGEX = new Set(["427"]); // CANNOT_COMPILE_REGEXP
// CANNOT_PARSE_*, INCORRECT_DATA, UNKNOWN_ELEMENT_OF_ENUM, TOO_DEEP_RECURSION and similar: the rows are invalid.
const BAD_ROWS = new Set(["6", "25", "26", "27", "38", "41", "72", "117", "130", "131", "306", "349", "691"]);
// Replication and the network between nodes.
const CLUSTER_UNREACHABLE = new Set(["210", "209", "242", "279", "285", "286", "319", "394", "999"]);
const SOCKET_WORDS =
  /^(Timeout error|socket hang up|aborted|premature close|Premature close|the last chunk is malformed)/;

/**
 * Converts a failure of the log store into a Problem for the caller; any other error is a bug and is returned
 * unchanged.
 */
export function toProblem(error: unknown, doing: Doing): unknown {
  if (error instanceof ClickHouseError) return toRefusal(error, doing) ?? error;
  if (!isUnreachable(error)) return error;
  return new Problem("unavailable", "the log store does not answer", { cause: error, retryAfterSeconds: 1 });
}

function toRefusal(cause: ClickHouseError, doing: Doing): Problem | undefined {
  const { code } = cause;
  const refuse = (kind: "invalid" | "unavailable", words: string) => new Problem(kind, words, { cause });
  if (TOO_LONG.has(code)) return refuse("unavailable", tooLong(doing));
  if (OUT_OF_MEMORY.has(code))
    return refuse("unavailable", `the log store has too little memory for this ${nounOf(doing)}`);
  if (BUSY.has(code)) return refuse("unavailable", "the log store is busy");
  if (NO_SPACE.has(code)) return refuse("unavailable", "the log store has no space left");
  if (CLUSTER_UNREACHABLE.has(code)) return refuse("unavailable", "the log store does not answer");
  if (doing === "search" && TOO_MUCH_READ.has(code)) {
    return refuse("invalid", "query: reads too many logs; choose a shorter time range");
  }
  if (doing === "search" && BAD_REGEX.has(code))
    return refuse("invalid", "query: has a regular expression that cannot be used");
  if (doing === "insert" && BAD_ROWS.has(code)) return refuse("invalid", `${formatRow(cause)}: cannot be stored`);
  return undefined;
}

function tooLong(doing: Doing): string {
  return doing === "search" ? "the search took too long; choose a shorter time range" : "the log store took too long";
}

function nounOf(doing: Doing): string {
  return doing === "other" ? "question" : doing;
}

/** The engine counts rows from one. */
function formatRow({ message }: Error): string {
  const row = /\(at row (\d+)\)/.exec(message)?.[1];
  return row === undefined ? "batch" : `batch[${Number(row) - 1}]`;
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && /^E[A-Z_]+$/.test(error.code)) return true;
  return SOCKET_WORDS.test(error.message);
}
