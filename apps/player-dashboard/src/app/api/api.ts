/** Why the device did not do what was asked. `status` is 0 when it did not answer at all. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds until the budget is free again, when that is why. */
  readonly retryAfterSeconds: number;

  constructor(status: number, message: string, retryAfterSeconds = 0) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface ApiDeps {
  fetch: (path: string, options: RequestInit) => Promise<Response>;
  deadline: (timeoutMs: number) => AbortSignal;
  /** The token that goes with a request; undefined when the owner gave none. */
  token: () => string | undefined;
}

export interface Asking {
  method: "GET" | "POST" | "DELETE";
  /** Below `/api`. */
  path: string;
  body?: unknown;
  timeoutMs?: number;
}

export type Api = ReturnType<typeof createApi>;

const TIMEOUT_MS = 15_000;

/** Speaks to the device's HTTP interface. The caller names the shape that the contract promises for that path. */
export function createApi({ fetch, deadline, token }: ApiDeps) {
  async function ask({ method, path, body, timeoutMs = TIMEOUT_MS }: Asking): Promise<Response> {
    const held = token();
    const options: RequestInit = {
      method,
      signal: deadline(timeoutMs),
      headers: {
        ...(held !== undefined && { authorization: `Bearer ${held}` }),
        ...(body !== undefined && !(body instanceof Blob) && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    };
    const response = await fetch(`/api${path}`, options).catch((cause: unknown) => {
      throw new ApiError(0, cause instanceof Error ? cause.message : "");
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  return {
    ask,
    async get<Body>(path: string): Promise<Body> {
      return readBody(await ask({ method: "GET", path }));
    },
    async post<Body = unknown>(path: string, body: unknown = {}): Promise<Body> {
      return readBody(await ask({ method: "POST", path, body }));
    },
    async remove(path: string): Promise<void> {
      await ask({ method: "DELETE", path });
    },
  };
}

async function readBody<Body>(response: Response): Promise<Body> {
  const body: unknown = await response.json();
  if (!isPromised<Body>(body)) throw new ApiError(response.status, "");
  return body;
}

/** The service is of the same build as the page, so an object has the shape that its contract promises. */
function isPromised<Body>(body: unknown): body is Body {
  return typeof body === "object" && body !== null;
}

async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const said = typeof body === "object" && body !== null && "error" in body ? String(body.error) : "";
  return new ApiError(response.status, said, Number(response.headers.get("retry-after") ?? 0));
}
