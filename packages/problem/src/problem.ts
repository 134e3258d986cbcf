/** Every refusal a service can utter. A new kind needs a row in the API document first. */
export type ProblemKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "rate_limited"
  | "failed"
  | "unavailable";

export const STATUS_OF: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  failed: 500,
  unavailable: 503,
};

/** A refusal in product words. The message reaches the caller as it stands: the field first, no secret, no stack. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  /** After how many seconds the same request may pass; told to the caller as Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ProblemKind, message: string, options?: ErrorOptions & { retryAfterSeconds?: number }) {
    super(message, options);
    this.name = "Problem";
    this.kind = kind;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}

export function rateLimited(message: string, waitMs: number): Problem {
  return new Problem("rate_limited", message, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}

export function notFound(noun: string, id: string | number): Problem {
  return new Problem("not_found", `${noun} '${id}' does not exist`);
}
