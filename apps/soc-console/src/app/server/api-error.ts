import { later, now } from "../browser/clock.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Rounded up, so that a user who waits that long is not refused again. */
function waitWords(seconds: number): string {
  if (seconds < MINUTE) return counted(seconds, "second");
  if (seconds < HOUR) return counted(Math.ceil(seconds / MINUTE), "minute");
  return counted(Math.ceil(seconds / HOUR), "hour");
}

function timeWords(time: Date): string {
  return new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" }).format(time);
}

/** The service sends phrases; the console shows sentences. */
export function toSentence(detail: string): string {
  const sentence = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

interface ErrorWordsDeps {
  /** The time of day in that many seconds. */
  timeIn: (seconds: number) => Date;
}

const CLOCK: ErrorWordsDeps = { timeIn: (seconds) => later(now(), seconds) };

/** Why a request failed, for the user. */
export function errorWords({ status, message, retryAfterSeconds }: ApiError, { timeIn } = CLOCK): string {
  if (status === 0) return "The service did not answer. Check your connection and try again.";
  const detail = toSentence(message);
  if (status !== 429) return detail;
  if (retryAfterSeconds === undefined) return `${detail} Try again later.`;
  return `${detail} Try again in ${waitWords(retryAfterSeconds)}, at ${timeWords(timeIn(retryAfterSeconds))}.`;
}

export interface Refusal {
  /** 0 if the service did not respond. */
  status: number;
  detail: string;
  /** When the service accepts requests again; undefined if unknown. */
  retryAfterSeconds?: number | undefined;
  /** The field of the request that was refused. */
  field?: string | undefined;
  /** A stable code for programs. */
  code?: string | undefined;
  /** The request id that an administrator finds in the log of the service. */
  requestId?: string | undefined;
}

/** Why a request failed. */
export class ApiError extends Error {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly field: string | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;

  constructor({ status, detail, retryAfterSeconds, field, code, requestId }: Refusal) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.field = field;
    this.code = code;
    this.requestId = requestId;
  }
}

/** No connection, no response in time, or a proxy that returns no JSON: the service did not respond. */
export function toNoAnswer(cause: unknown): ApiError {
  return new ApiError({ status: 0, detail: cause instanceof Error ? cause.message : "" });
}

/** The error fields of a response. XMLHttpRequest has another form than `fetch`. */
export interface RefusedAnswer {
  status: number;
  headers: Pick<Headers, "get">;
}

export function toApiError({ status, headers }: RefusedAnswer, body: unknown): ApiError {
  return new ApiError({
    status,
    detail: hasDetail(body) ? body.detail : `HTTP ${status}`,
    retryAfterSeconds: parseSeconds(headers.get("retry-after")),
    field: headers.get("problem-field") ?? undefined,
    code: headers.get("problem-code") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
  });
}

/** Retry-After may be a date, but the service sends seconds: a date comes from a proxy and is ignored. */
export function parseSeconds(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

function hasDetail(body: unknown): body is { detail: string } {
  return typeof body === "object" && body !== null && "detail" in body && typeof body.detail === "string";
}
