/** Every way in which a service can refuse. A new kind needs a row in the API document first. */
export type ProblemKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_large"
  | "rate_limited"
  | "failed"
  | "unavailable";

export const STATUS_OF: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  failed: 500,
  unavailable: 503,
};

export interface ProblemOptions extends ErrorOptions {
  /** The field of the request, or the variable, that the problem is about. The message starts with it. */
  field?: string | undefined;
  /** A machine-readable code in snake_case. The message is for people and may change. */
  code?: string | undefined;
  /** After how many seconds the caller may send the same request again; the answer carries it as Retry-After. */
  retryAfterSeconds?: number | undefined;
}

/** A refusal in product words. The message reaches the caller as it stands: the field first, no secret, no stack. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly field: string | undefined;
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ProblemKind, message: string, options?: ProblemOptions) {
    super(message, options);
    this.name = "Problem";
    this.kind = kind;
    this.field = options?.field;
    this.code = options?.code;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}

/** Refuses the value of one field. The text follows the name of the field: "must be an integer", "is required". */
export function invalidField(field: string, text: string, options?: Omit<ProblemOptions, "field">): Problem {
  return new Problem("invalid", `${field}: ${text}`, { ...options, field });
}

export function rateLimited(message: string, waitMs: number): Problem {
  return new Problem("rate_limited", message, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}

export function notFound(noun: string, id: string | number): Problem {
  return new Problem("not_found", `${noun} '${id}' does not exist`);
}
