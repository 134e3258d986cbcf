interface ErrorDetails {
  /** When the device accepts requests again; undefined if unknown. */
  retryAfterSeconds?: number | undefined;
  /** The field of the request that the device refused. */
  field?: string | undefined;
  /** Machine-readable reason; the message is for people. */
  code?: string | undefined;
}

/** Why a request failed. `status` is 0 when the device did not respond. */
export class ApiError extends Error {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly field: string | undefined;
  readonly code: string | undefined;

  constructor(status: number, message: string, { retryAfterSeconds, field, code }: ErrorDetails = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.field = field;
    this.code = code;
  }
}

export interface ApiClientDeps {
  fetch: (path: string, options: RequestInit) => Promise<Response>;
  deadline: (timeoutMs: number) => AbortSignal;
  /** The device token that goes with a request; undefined when this browser has none. */
  token: () => string | undefined;
}

export interface ApiRequest {
  method: "GET" | "POST" | "DELETE";
  /** Below `/api`. */
  path: string;
  body?: unknown;
}

export type ApiClient = ReturnType<typeof createApiClient>;

const TIMEOUT_MS = 15_000;

/** Calls the device's HTTP API. Every failure is an `ApiError`. The type of the response body comes from the caller. */
export function createApiClient({ fetch, deadline, token }: ApiClientDeps) {
  async function send({ method, path, body }: ApiRequest): Promise<Response> {
    const held = token();
    const options: RequestInit = {
      method,
      signal: deadline(TIMEOUT_MS),
      headers: {
        ...(held !== undefined && { authorization: `Bearer ${held}` }),
        ...(body !== undefined && !(body instanceof Blob) && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    };
    const response = await fetch(`/api${path}`, options).catch((cause: unknown) => {
      throw new ApiError(0, cause instanceof Error ? cause.message : "");
    });
    if (!response.ok) throw toApiError(response.status, await response.text(), (name) => response.headers.get(name));
    return response;
  }

  return {
    send,
    async get<Body>(path: string, isBody: (body: unknown) => body is Body = isObject<Body>): Promise<Body> {
      return checkBody(await send({ method: "GET", path }), isBody);
    },
    async post<Body = unknown>(path: string, body: unknown = {}): Promise<Body> {
      return checkBody(await send({ method: "POST", path, body }), isObject<Body>);
    },
    async remove(path: string): Promise<void> {
      await send({ method: "DELETE", path });
    },
    /** A deletion whose response has a body. */
    async removeAndRead<Body>(path: string): Promise<Body> {
      return checkBody(await send({ method: "DELETE", path }), isObject<Body>);
    },
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Service and page come from the same build, so a response has the type that its contract promises. */
function isObject<Body>(body: unknown): body is Body {
  return isRecord(body);
}

async function checkBody<Body>(response: Response, isBody: (body: unknown) => body is Body): Promise<Body> {
  const body: unknown = await response.json().catch(() => undefined);
  if (!isBody(body)) throw new ApiError(response.status, "");
  return body;
}

/** A response without JSON comes from a proxy or another device, so it has no message of the device. */
export function toApiError(status: number, text: string, header: (name: string) => string | null): ApiError {
  return new ApiError(status, parseErrorMessage(text), {
    retryAfterSeconds: parseRetryAfter(header("retry-after")),
    field: header("problem-field") ?? undefined,
    code: header("problem-code") ?? undefined,
  });
}

function parseErrorMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) && typeof body.error === "string" ? body.error : "";
  } catch {
    return "";
  }
}

function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
