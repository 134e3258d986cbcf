import { ApiError, parseSeconds, type RefusedAnswer, toApiError, toNoAnswer } from "./api-error.ts";
import type { Pace, Priority } from "./pace.ts";

export interface ServerDeps {
  fetch: (path: string, options: RequestInit) => Promise<Response>;
  deadline: (timeoutMs: number) => AbortSignal;
  pace: Pace;
  /** The access token, where the browser cannot keep the session cookie; otherwise undefined. */
  token: () => string | undefined;
  /** The service no longer knows this session. */
  onUnauthenticated: () => void;
  /** The service wants a second factor before it answers anything else. */
  onFactorMissing: () => void;
  /** Lets the user show a second factor again; false when the user does not. */
  stepUp: () => Promise<boolean>;
}

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface Asked {
  query?: Readonly<Record<string, QueryValue>> | undefined;
  body?: unknown;
  /** The version of the record that the change is for. */
  ifMatch?: string | undefined;
  signal?: AbortSignal | undefined;
  priority?: Priority | undefined;
  timeoutMs?: number | undefined;
  /** A file instead of JSON. */
  isFile?: boolean | undefined;
}

/** What the service answered, with the headers that pages need. */
export interface Answer<Body> {
  body: Body;
  etag: string | undefined;
  /** For undo; undefined when the change cannot be undone. */
  changeId: string | undefined;
}

export type Server = ReturnType<typeof createServer>;

const TIMEOUT_MS = 30_000;
/** A read that was refused for the limit is sent again so often. */
const MAX_READS_AGAIN = 2;

/** Calls the service's HTTP API. Every failure is an `ApiError`, or the reason of an aborted signal. */
export function createServer(deps: ServerDeps) {
  const { pace } = deps;
  let largestLimit = 0;

  /**
   * The headers name the limit of which the least is left. That of playbooks or investigations is smaller than the
   * general one and counts apart: it must not hold back the other requests.
   */
  function noteLimit(headers: Headers): void {
    const limit = parseSeconds(headers.get("ratelimit-limit")) ?? 0;
    largestLimit = Math.max(largestLimit, limit);
    if (limit < largestLimit) return;
    pace.note(parseSeconds(headers.get("ratelimit-remaining")), parseSeconds(headers.get("ratelimit-reset")));
  }

  /** The refusal as an error. A session that ended is reported, and a reached limit holds back what follows. */
  function refuse(answer: RefusedAnswer, body: unknown): ApiError {
    const error = toApiError(answer, body);
    if (error.status === 401) deps.onUnauthenticated();
    if (error.status === 429) pace.block(error.retryAfterSeconds ?? 1);
    return error;
  }

  async function send<Body>(method: string, path: string, asked: Asked): Promise<Answer<Body>> {
    try {
      return await sendOnce<Body>(method, path, asked);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 403) throw error;
      if (error.code === "factor_missing") deps.onFactorMissing();
      if (error.code !== "factor_not_fresh" || !(await deps.stepUp())) throw error;
      // Once: a factor that is not fresh enough a moment later does not become so by asking again.
      return sendOnce<Body>(method, path, asked);
    }
  }

  async function sendOnce<Body>(method: string, path: string, asked: Asked, attempt = 0): Promise<Answer<Body>> {
    await pace.take(asked.priority ?? (method === "GET" ? "visible" : "user"), asked.signal);
    const response = await deps
      .fetch(`/api/v1${path}${formatQuery(asked.query)}`, toOptions(method, asked, deps))
      .catch((cause: unknown) => throwNoAnswer(cause, asked.signal));
    noteLimit(response.headers);
    const body = await readBody(response, asked).catch((cause: unknown) => throwNoAnswer(cause, asked.signal));
    if (response.ok) return toAnswer<Body>(response, body);
    const error = refuse(response, body);
    const mayRepeat = error.status === 429 && method === "GET" && attempt < MAX_READS_AGAIN;
    if (mayRepeat) return sendOnce(method, path, asked, attempt + 1);
    throw error;
  }

  /** An answer that comes in pieces. It has a limit of its own, so it does not wait for its turn among the others. */
  async function open(path: string, asked: Asked): Promise<NonNullable<Response["body"]>> {
    const response = await deps
      .fetch(`/api/v1${path}`, toOptions("POST", asked, deps))
      .catch((cause: unknown) => throwNoAnswer(cause, asked.signal));
    if (response.ok && response.body) return response.body;
    const body: unknown = await parseJson(response).catch((cause: unknown) => throwNoAnswer(cause, asked.signal));
    const error = toApiError(response, body);
    if (error.status === 401) deps.onUnauthenticated();
    if (error.code === "factor_missing") deps.onFactorMissing();
    throw error;
  }

  return {
    get: async <Body>(path: string, asked: Asked = {}) => (await send<Body>("GET", path, asked)).body,
    post: async <Body>(path: string, body?: unknown, asked: Asked = {}) =>
      (await send<Body>("POST", path, { ...asked, body })).body,
    put: async <Body>(path: string, body: unknown, asked: Asked = {}) =>
      (await send<Body>("PUT", path, { ...asked, body })).body,
    patch: async <Body>(path: string, body: unknown, asked: Asked = {}) =>
      (await send<Body>("PATCH", path, { ...asked, body })).body,
    remove: async <Body>(path: string, asked: Asked = {}) => (await send<Body>("DELETE", path, asked)).body,
    /** A file: it may ask for a second factor first, as a plain link cannot. */
    download: async (path: string, asked: Asked = {}) =>
      (await send<Blob>("GET", path, { ...asked, isFile: true })).body,
    /** The same with the headers of the answer. */
    send,
    /** For a request that cannot be sent by `fetch`: its refusal has the same consequences. */
    refuse,
    open,
  };
}

function toOptions(method: string, asked: Asked, { token, deadline }: ServerDeps): RequestInit {
  const held = token();
  const limit = deadline(asked.timeoutMs ?? TIMEOUT_MS);
  return {
    method,
    cache: "no-store",
    credentials: held === undefined ? "same-origin" : "omit",
    signal: asked.signal ? AbortSignal.any([asked.signal, limit]) : limit,
    headers: {
      accept: "application/json",
      ...(held !== undefined && { authorization: `Bearer ${held}` }),
      ...(asked.body !== undefined && !(asked.body instanceof Blob) && { "content-type": "application/json" }),
      ...(asked.ifMatch !== undefined && { "if-match": asked.ifMatch }),
    },
    ...(asked.body !== undefined && { body: asked.body instanceof Blob ? asked.body : JSON.stringify(asked.body) }),
  };
}

/** `?a=1&b=x&b=y`, without what is undefined; a list is repeated. */
export function formatQuery(query: Asked["query"] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return (typeof value === "object" ? value : [value]).map((one) => [name, String(one)]);
  });
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function throwNoAnswer(cause: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw signal.reason;
  throw toNoAnswer(cause);
}

function readBody(response: Response, { isFile = false }: Asked): Promise<unknown> {
  return response.ok && isFile ? response.blob() : parseJson(response);
}

async function parseJson(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

function toAnswer<Body>({ headers }: Response, body: unknown): Answer<Body> {
  // The service and its console are one release: the schemas of the service are the types of its answers.
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checking every answer again would send the schemas to the browser
    body: body as Body,
    etag: headers.get("etag") ?? undefined,
    changeId: headers.get("x-change-id") ?? undefined,
  };
}
