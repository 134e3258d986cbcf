export interface Refusal {
  /** 0 when the service did not answer. */
  status: number;
  detail: string;
  /** When the service accepts requests again; undefined when it did not say. */
  retryAfterSeconds?: number | undefined;
  /** The field of the request that was refused. */
  field?: string | undefined;
  /** A stable name for what happened. */
  code?: string | undefined;
  /** What an administrator finds in the log of the service. */
  requestId?: string | undefined;
}

/** Why the service did not do what was asked. */
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

/** No connection, no answer in time, or a proxy that sends no JSON: the service did not answer. */
export function toNoAnswer(cause: unknown): ApiError {
  return new ApiError({ status: 0, detail: cause instanceof Error ? cause.message : "" });
}

/** The part of an answer that says why it is a refusal. XMLHttpRequest has it in another form than `fetch`. */
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

/** A header of Retry-After also allows a date, but the service sends seconds: a date comes from a proxy and is ignored. */
export function parseSeconds(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

function hasDetail(body: unknown): body is { detail: string } {
  return typeof body === "object" && body !== null && "detail" in body && typeof body.detail === "string";
}
