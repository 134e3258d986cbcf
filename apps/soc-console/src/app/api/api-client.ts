/** Why the service did not do what was asked. `status` is 0 when it did not answer. */
export class ApiError extends Error {
  readonly status: number;
  /** When the service accepts requests again; undefined when it did not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface ApiClientDeps {
  fetch: (path: string, options: RequestInit) => Promise<Response>;
  deadline: (timeoutMs: number) => AbortSignal;
  /** The access token that goes with a request; undefined before sign-in. */
  token: () => string | undefined;
}

export interface ApiRequest {
  method: "GET" | "POST";
  /** Below `/api/v1`. */
  path: string;
  body?: unknown;
}

export type ApiClient = ReturnType<typeof createApiClient>;

const TIMEOUT_MS = 10_000;

/** Calls the service's HTTP API. Every failure is an `ApiError`. */
export function createApiClient({ fetch, deadline, token }: ApiClientDeps) {
  async function send({ method, path, body }: ApiRequest): Promise<unknown> {
    const held = token();
    const options: RequestInit = {
      method,
      cache: "no-store",
      // No cookies in either direction: the session is the token in memory, and a reload ends it.
      credentials: "omit",
      signal: deadline(TIMEOUT_MS),
      headers: {
        ...(held !== undefined && { authorization: `Bearer ${held}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const response = await fetch(`/api/v1${path}`, options).catch(throwNoAnswer);
    const answer = await parseJson(response).catch(throwNoAnswer);
    if (!response.ok) throw toApiError(response, answer);
    return answer;
  }

  return {
    async get<Body>(path: string, isBody: (body: unknown) => body is Body): Promise<Body> {
      return checkBody(await send({ method: "GET", path }), isBody);
    },
    async post<Body>(path: string, body: unknown, isBody: (body: unknown) => body is Body): Promise<Body> {
      return checkBody(await send({ method: "POST", path, body }), isBody);
    },
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** No connection, no answer in time, or a proxy that sends no JSON: the service did not answer. */
function throwNoAnswer(cause: unknown): never {
  throw new ApiError(0, cause instanceof Error ? cause.message : "");
}

async function parseJson(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

function checkBody<Body>(body: unknown, isBody: (body: unknown) => body is Body): Body {
  if (!isBody(body)) throw new ApiError(0, "unexpected body");
  return body;
}

function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const detail = isRecord(body) && typeof body.detail === "string" ? body.detail : `HTTP ${status}`;
  return new ApiError(status, detail, parseRetryAfter(headers.get("retry-after")));
}

/** The header also allows a date, but the service sends seconds: a date comes from a proxy and is ignored. */
function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
